import { wallClock, type Zone } from '../../../../shared/model/zone.ts';
import { formatDate, formatHourMinute, formatOffset, formatTime } from '../../../i18n/format.ts';
import { bucketAt, type Slots, slotAt } from './buckets.ts';
import { sum } from './timeline-model.ts';

export interface TableRow {
  /** Distance from the bucket of now: a row keeps its place while time passes. */
  readonly offset: number;
  readonly fromAt: number;
  readonly toAt: number;
  readonly relative: string;
  readonly starts: string;
  /** Null: not applicable to this row. */
  readonly expired: number | null;
  readonly due: number | null;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

export function tableRows(
  slots: Slots,
  seriesCount: number,
  now: number,
  zone: Zone,
  before: number,
  after: number,
): TableRow[] {
  const current = bucketAt(slots, now).fromAt;
  const { bucketMs } = slots;
  return Array.from({ length: before + 1 + after }, (_, index) => {
    const offset = index - before;
    const slot = slotAt(slots, current + offset * bucketMs, seriesCount);
    return {
      offset,
      fromAt: slot.fromAt,
      toAt: slot.toAt,
      relative: formatOffset(offset * bucketMs),
      starts: formatStart(slot.fromAt, bucketMs, now, zone),
      expired: offset <= 0 ? sum(slot.expired) : null,
      due:
        offset > 0
          ? sum(slot.due)
          : offset === 0
            ? // The others are in the row of overdue documents.
              sum(slot.due) - sum(slot.overdue)
            : null,
    };
  });
}

/** The time alone only today, the day alone only this year: each label is unique. */
function formatStart(at: number, bucketMs: number, now: number, zone: Zone): string {
  const [start, today] = [wallClock(at, zone), wallClock(now, zone)];
  const isThisYear = start.year === today.year;
  const date = isThisYear ? formatDate(at, zone) : `${formatDate(at, zone)} ${start.year}`;
  if (bucketMs >= DAY) return date;
  const time = bucketMs < MINUTE ? formatTime(at, zone) : formatHourMinute(at, zone);
  const isToday = isThisYear && start.month === today.month && start.day === today.day;
  return isToday && bucketMs < 6 * HOUR ? time : `${date} ${time}`;
}

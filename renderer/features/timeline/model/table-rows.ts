import { formatDate, formatHourMinute, formatOffset, formatTime } from '../../../../shared/model/format.ts';
import { wallClock, type Zone } from '../../../../shared/model/zone.ts';
import { bucketAt, type Slots, slotAt } from './buckets.ts';
import { sum, type TimelineAnswer } from './timeline-model.ts';

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
  answer: TimelineAnswer,
  visible: readonly boolean[],
  now: number,
  zone: Zone,
  before: number,
  after: number,
): TableRow[] {
  const current = bucketAt(slots, now).fromAt;
  const { bucketMs } = slots;
  return Array.from({ length: before + 1 + after }, (_, index) => {
    const offset = index - before;
    const slot = slotAt(slots, current + offset * bucketMs, visible.length);
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
            ? sum(slot.due) - lateNow(slots, answer, visible, current)
            : null,
    };
  });
}

/**
 * Returns the overdue documents in the bucket of now, which are shown in the overdue row and must not be counted
 * twice: all that are overdue, less those of earlier buckets; null if those begin before the answer.
 */
function lateNow(
  slots: Slots,
  answer: TimelineAnswer,
  visible: readonly boolean[],
  currentFromAt: number,
): number {
  const oldest = answer.oldestOverdueAt;
  if (oldest === null || oldest < slots.originAt) return 0;
  const late = answer.series.reduce(
    (total, series, index) => total + (visible[index] ? series.overdue : 0),
    0,
  );
  const current = slotAt(slots, currentFromAt, visible.length);
  const earlier = slots.list.reduce(
    (total, slot) => total + (slot.fromAt < currentFromAt ? sum(slot.due) : 0),
    0,
  );
  return Math.min(sum(current.due), Math.max(0, late - earlier));
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

import { COUNT_LEVELS, DAY, HOUR, MINUTE, SECOND } from '../../../deadline-index/count-levels.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { CountedThrough } from '../../../deadline-index/index-table-reader.ts';
import type { LagGroup } from '../../../expiry/expiry-store.ts';

/** Spans of the lags of an interval, from the cutoff back: so much of it in buckets of one level, up to a whole one of the next. */
const LAG_SPANS = [
  { level: COUNT_LEVELS.indexOf(SECOND), width: SECOND, span: 2 * MINUTE, next: MINUTE },
  { level: COUNT_LEVELS.indexOf(MINUTE), width: MINUTE, span: 2 * HOUR, next: HOUR },
  { level: COUNT_LEVELS.indexOf(HOUR), width: HOUR, span: 2 * DAY, next: DAY },
] as const;

/**
 * Returns the lags of what is due, by second for the latest two minutes, by minute for the two hours before, by hour for
 * two days, and the rest together: a lag of hours need not be known to the second [M1]. `counted`: all that is due, up to
 * `through`, and above the table's mark.
 */
export function lagsOf(
  table: IndexTable,
  counted: CountedThrough,
  { addMs, effectiveAt, through, now }: { addMs: number; effectiveAt: number; through: number; now: number },
): LagGroup[] {
  const groups: LagGroup[] = [];
  const first = table.first(table.through + 1) ?? through;
  let left = counted.documents;
  const add = (documents: number, from: number, width: number) => {
    const since = Math.max(Math.max(first, from + width / 2) + addMs, effectiveAt);
    if (documents > 0) groups.push({ documents, lagMs: Math.max(0, now - since) });
    left -= documents;
  };
  let end = Math.floor(through / SECOND) * SECOND;
  add(counted.byLevel[COUNT_LEVELS.indexOf(SECOND)]?.documents ?? 0, end, through - end);
  for (const { level, width, span, next } of LAG_SPANS) {
    if (left === 0) return groups;
    const start = Math.floor((end - span) / next) * next;
    for (const { reference, documents } of table.countsIn(level, start, end))
      add(documents, reference, width);
    end = start;
  }
  add(left, first, 0);
  return groups;
}

/**
 * Gives documents that became due only later than their deadline, such as when an explicit expiration was cleared, their
 * own lags [M1]. They are taken for those with the earliest deadlines, and of those only for such with longer lags.
 */
export function dueLater(groups: readonly LagGroup[], later: readonly LagGroup[]): readonly LagGroup[] {
  if (later.length === 0) return groups;
  const longestFirst = groups.toSorted((a, b) => b.lagMs - a.lagMs);
  const own = new Map<number, number>();
  let place = 0;
  let taken = 0;
  for (const { documents, lagMs } of later)
    for (let left = documents; left > 0; ) {
      const group = longestFirst[place];
      // All others have shorter lags.
      if (group === undefined || group.lagMs <= lagMs) break;
      const some = Math.min(left, group.documents - taken);
      left -= some;
      taken += some;
      const shown = Math.max(0, lagMs);
      own.set(shown, (own.get(shown) ?? 0) + some);
      if (taken < group.documents) continue;
      place += 1;
      taken = 0;
    }
  const [partly, ...others] = longestFirst.slice(place);
  const left = partly === undefined ? [] : [{ ...partly, documents: partly.documents - taken }];
  return [...left, ...others, ...Array.from(own, ([lagMs, documents]) => ({ lagMs, documents }))];
}

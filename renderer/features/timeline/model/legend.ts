import type { Hold } from '../../../../shared/contract/reaper.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { TimelineAnswer, TimelineSeries } from './timeline-model.ts';

export interface LegendEntry {
  series: TimelineSeries;
  /** Position among all series. */
  position: number;
}

/** Returns the series of the legend: explicit expirations only if there are any, an index always. */
export function legendEntries({
  series,
  buckets,
}: Pick<TimelineAnswer, 'series' | 'buckets'>): LegendEntry[] {
  return series
    .map((one, position) => ({ series: one, position }))
    .filter(
      ({ series: { id, overdue }, position }) =>
        id !== EXPLICIT ||
        overdue > 0 ||
        buckets.some(({ expired, due }) => (expired[position] ?? 0) > 0 || (due[position] ?? 0) > 0),
    );
}

/** Indexes whose definition awaits confirmation: they have no bars yet [R6, R8]. */
export function waitingIndexes(holds: readonly Hold[], collection: string): string[] {
  return holds.flatMap(hold => (hold.collection === collection && hold.index !== null ? [hold.index] : []));
}

import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';

export interface SeriesQuery {
  /** Omitted for the whole store. */
  collection?: string | undefined;
  from: number;
  to: number;
}

/** Metrics per minute that survive a restart [M1]; read by `Reads.series`. */
export interface MetricSeries {
  /** Adds points of collections and, with null, of the store. A minute that exists already is added to. */
  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void;
}

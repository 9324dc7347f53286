import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';

export interface SeriesQuery {
  /** Of the whole store where none is named. */
  collection?: string | undefined;
  from: number;
  to: number;
}

/** Figures by the minute that survive a restart [M1]; `Reads.series` answers them. */
export interface MetricSeries {
  /** Of collections and, with null, of the store. A minute that is there already is added to. */
  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void;
}

import type { Reading } from './resources.ts';

export type Resource = Exclude<keyof Reading, 'second' | 'removed' | 'connections'>;

/**
 * Largest growth over the judged time: the larger of a share of the median and an amount, in bytes or as a count. Below
 * `upTo` any growth is allowed.
 */
const BOUNDS: Readonly<
  Record<Resource, { readonly share: number; readonly amount: number; readonly upTo?: number }>
> = {
  resident: { share: 0.1, amount: 16e6 },
  heap: { share: 0.1, amount: 8e6 },
  file: { share: 0.1, amount: 1e6 },
  // It is never shortened, only written from its beginning again: at 32 MiB at the latest.
  log: { share: 0.25, amount: 2e6, upTo: 40e6 },
  handles: { share: 0.05, amount: 3 },
  threads: { share: 0.05, amount: 2 },
};
/** The file keeps a row of each removal for years: its growth by that is not judged. */
const FILE_BYTES_PER_REMOVAL = 200;
/** First readings, as a share: caches fill, and the file grows to its size. */
const SETTLING = 1 / 3;
const LEAST_READINGS = 20;

export interface Flatness {
  readonly resource: Resource;
  readonly median: number;
  /** Growth over the judged time, by a line that outliers do not move; without what is not judged. */
  readonly growth: number;
  readonly mostGrowth: number;
  /** Length of the judged time, s. */
  readonly seconds: number;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Theil-Sen estimator: the median of the slopes between every two points, in units of `value` per unit of `at`. */
export function slope(points: readonly { readonly at: number; readonly value: number }[]): number {
  const slopes = points.flatMap((one, i) =>
    points.slice(i + 1).flatMap(other => {
      const apart = other.at - one.at;
      return apart === 0 ? [] : [(other.value - one.value) / apart];
    }),
  );
  return median(slopes);
}

/** Fits the last two thirds of the readings. Empty if there are too few. */
export function flatness(readings: readonly Reading[]): Flatness[] {
  if (readings.length < LEAST_READINGS) return [];
  const judged = readings.slice(Math.floor(readings.length * SETTLING));
  const [first, last] = [judged[0], judged.at(-1)];
  if (first === undefined || last === undefined) return [];
  const seconds = last.second - first.second;
  const removals = last.removed - first.removed;
  const resources: readonly Resource[] = ['resident', 'heap', 'file', 'log', 'handles', 'threads'];
  return resources.map(resource => {
    const middle = median(judged.map(reading => reading[resource]));
    const fitted = slope(judged.map(reading => ({ at: reading.second, value: reading[resource] }))) * seconds;
    const { share, amount, upTo = 0 } = BOUNDS[resource];
    return {
      resource,
      median: middle,
      growth: fitted - (resource === 'file' ? removals * FILE_BYTES_PER_REMOVAL : 0),
      mostGrowth: Math.max(share * middle, amount, upTo - middle),
      seconds,
    };
  });
}

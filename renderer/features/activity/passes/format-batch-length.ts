import { formatDuration } from '../../../../shared/model/format.ts';

/** Batches mean to hold the writer for single milliseconds, so tenths count: `0.8 ms`, `14 ms`. */
export function batchLength(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1).replace(/\.0$/, '')} ms` : formatDuration(ms);
}

import { formatDuration } from '../../../i18n/format.ts';

/** Returns `0.8 ms`, `14 ms`: batches hold the writer for single milliseconds, so tenths count. */
export function formatBatchLength(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1).replace(/\.0$/, '')} ms` : formatDuration(ms);
}

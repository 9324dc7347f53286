import { t } from '@lingui/core/macro';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import type { ImportProgress } from './import-run.ts';

export interface ImportSpeed {
  documentsPerSecond: number;
  /** Time until the last byte is stored, at the mean rate so far, ms. */
  leftMs: number;
}

/** Least duration of a run that gives a rate. */
const LEAST_MS = 1_000;

/** Returns the mean rate of a running import of `fileBytes`; null until it ran for a second. */
export function importSpeed(
  { bytesRead, job, elapsedMs }: ImportProgress,
  fileBytes: number,
): ImportSpeed | null {
  if (elapsedMs < LEAST_MS || bytesRead === 0) return null;
  const documents = (job.inserted ?? 0) + (job.updated ?? 0);
  return {
    documentsPerSecond: (documents / elapsedMs) * 1_000,
    leftMs: Math.max(0, fileBytes - bytesRead) * (elapsedMs / bytesRead),
  };
}

/** Returns `12,400 per s, about 3 m left`. */
export function formatSpeed({ documentsPerSecond, leftMs }: ImportSpeed): string {
  const rate = t`${formatCount(Math.round(documentsPerSecond))} per s`;
  return leftMs < LEAST_MS
    ? rate
    : t`${rate}, about ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left`;
}

import type { Job } from '../../../../shared/contract/jobs.ts';

/** Least time after which the rate is certain enough, ms. */
const LEAST_ELAPSED_MS = 500;

/** Returns the remaining time of a job at its mean rate, ms; null: not known. */
export function timeLeft({ done, total, startedAt, state }: Job, now: number): number | null {
  const elapsed = now - startedAt;
  if (state !== 'running' || total === null || done === 0 || elapsed < LEAST_ELAPSED_MS) return null;
  return Math.max(0, ((total - done) / done) * elapsed);
}

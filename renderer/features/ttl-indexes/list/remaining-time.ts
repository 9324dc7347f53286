import type { Job } from '../../../../shared/contract/jobs.ts';

/** Before this the rate is a guess. */
const TELLING_MS = 500;

/** How long a job will go on at the rate it had so far, ms; null where that cannot be told. */
export function timeLeft({ done, total, startedAt, state }: Job, now: number): number | null {
  const elapsed = now - startedAt;
  if (state !== 'running' || total === null || done === 0 || elapsed < TELLING_MS) return null;
  return Math.max(0, ((total - done) / done) * elapsed);
}

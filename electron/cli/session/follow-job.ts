import type { Client } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed, interrupted } from '../output/failures.ts';
import type { Session } from './command.ts';

const POLL_EVERY_MS = 100;

/** Shows the progress of a job until it has ended; Ctrl-C cancels it. Throws CommandFailed unless it succeeded. */
export async function followJob(
  { terminal, clock, signal }: Pick<Session, 'terminal' | 'clock' | 'signal'>,
  client: Client,
  started: Job,
): Promise<Job> {
  let job = started;
  let isCancelled = false;
  while (job.state === 'running') {
    terminal.progress(formatProgress(job));
    await clock.sleep(POLL_EVERY_MS, isCancelled ? undefined : signal);
    if (signal.aborted && !isCancelled) {
      isCancelled = true;
      await client.jobs.cancel({ job: job.id });
    }
    job = await client.jobs.get({ job: job.id });
  }
  const { state, error, kind } = job;
  if (state === 'cancelled') throw interrupted(`The ${kind} was cancelled; finished changes stay.`, { job });
  if (state === 'failed') throw new CommandFailed(EXIT.failed, error ?? `The ${kind} failed.`, { job });
  return job;
}

/** Returns `import users.ndjson: 1.2 MB of 4.0 MB (30 %)`. */
export function formatProgress({ kind, subject, unit, done, total }: Job): string {
  const amount = (n: number) => (unit === 'bytes' ? formatBytes(n) : formatCount(n));
  const share =
    total === null || total === 0 ? '' : ` of ${amount(total)} (${Math.floor((100 * done) / total)} %)`;
  return `${kind} ${subject}: ${amount(done)}${share}`;
}

/** Returns a line for each of the first 20 failures; the job lists up to 1,000. */
export function formatFailures({ failed = [], failedCount = 0 }: Job): string[] {
  const lines = failed.slice(0, 20).map(({ _id, message }) => `  ${_id}: ${message}`);
  return failedCount > lines.length
    ? [...lines, `  … and ${formatCount(failedCount - lines.length)} more`]
    : lines;
}

import type { Job } from '../../../shared/contract/jobs.ts';
import type { BulkResult, PartResult } from '../backends/backend.ts';
import { errorForCaller } from '../platform/defect.ts';
import type { JobContext } from './job-context.ts';
import type { NewJob, RunningJob } from './job-registry.ts';

/** Most failures in the answer of a job. */
const MOST_TOLD = 1_000;

/**
 * Runs `work` as a job that ends as done, failed with its message, or cancelled. Defects are logged as well. `ended`
 * never rejects.
 */
export function runJob(
  { jobs, log }: Pick<JobContext, 'jobs' | 'log'>,
  start: NewJob,
  work: (job: RunningJob) => Promise<void>,
): { started: Job; ended: Promise<Job> } {
  const job = jobs.start(start);
  const ended = work(job).then(
    () => (job.signal.aborted ? job.cancelled() : job.done()),
    (error: unknown) => {
      if (job.signal.aborted) return job.cancelled();
      return job.failed(errorForCaller(log, `The ${start.kind}`, error).message);
    },
  );
  jobs.follow(job.id, ended);
  return { started: job.current, ended };
}

/** Adds the result of one part to the job's progress. */
export function addPartResult(
  job: RunningJob,
  size: number,
  part: BulkResult & Pick<PartResult, 'unchanged'>,
): void {
  const { done, succeeded = 0, failedCount = 0, failed = [], unchangedCount = 0 } = job.current;
  job.update({
    done: done + size,
    succeeded: succeeded + part.succeeded,
    failedCount: failedCount + part.failed.length,
    failed: [...failed, ...part.failed].slice(0, MOST_TOLD),
    revision: part.revision,
    ...(part.unchanged !== undefined && { unchangedCount: unchangedCount + part.unchanged.length }),
  });
}

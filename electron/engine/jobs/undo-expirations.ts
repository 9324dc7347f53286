import type { Job } from '../../../shared/contract/jobs.ts';
import type { Backend } from '../backends/backend.ts';
import type { DeadlineUndo } from '../backends/port/deadline-undo.ts';
import { formatRecordCount } from './format-record-count.ts';
import type { JobContext } from './job-context.ts';
import type { RunningJob } from './job-registry.ts';
import { addPartResult, runJob } from './run-job.ts';
import { changeInParts, type PartsOptions } from './write-batches.ts';

/** Adds the number of deadlines that can be set back to the answer of the job that changed them. */
export function noteUndoable(undo: DeadlineUndo | null, job: RunningJob): void {
  const undoable = undo?.kept(job.id) ?? 0;
  if (undoable > 0) job.update({ undoable });
}

/** Kept deadlines that are read at once. */
const READ_AT_ONCE = 1_000;

/**
 * Sets back the deadlines that a job changed, as a job of its own: documents whose deadline was changed again since, or
 * whose previous one has passed, are among its failures. After a cancel the rest can still be undone.
 */
export function undoExpirations(
  context: Pick<JobContext, 'jobs' | 'log'> &
    PartsOptions & { readonly backend: Pick<Backend, 'capabilities'>; readonly revision: number },
  undo: DeadlineUndo,
  { job: undone, collection }: { readonly job: string; readonly collection: string },
): Job {
  const total = undo.kept(undone);
  const subject = formatRecordCount(context.backend.capabilities, total);
  const start = { kind: 'undo expiration', collection, subject, unit: 'documents', total } as const;
  const counts = { succeeded: 0, failedCount: 0, failed: [], revision: context.revision };
  return runJob(context, { ...start, ...counts }, async job => {
    for (let after = ''; !job.signal.aborted; ) {
      const page = undo.page(undone, after, READ_AT_ONCE);
      const last = page.at(-1);
      if (last === undefined) return;
      await changeInParts(context, page, async (part, isOver) => {
        if (job.signal.aborted) return part.length;
        const result = await undo.setBack(undone, part, { isOver });
        const done = part.length - (result.left ?? 0);
        addPartResult(job, done, result);
        return done;
      });
      after = last.id;
    }
  }).started;
}

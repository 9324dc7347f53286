import type { z } from 'zod';
import type { expired as contract } from '../../../shared/contract/expired.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { ExpiredSpan } from '../backends/backend.ts';
import type { RunningJob } from '../jobs/job-registry.ts';
import { purge } from '../jobs/purge.ts';
import { addPartResult, runJob } from '../jobs/run-job.ts';
import { selectedParts } from '../jobs/selected-expiries.ts';
import type { EmbeddedEngine } from './context.ts';
import { embedded } from './procedure-guard.ts';

type Restore = z.output<(typeof contract.restore)['~orpc']['inputSchema'] & {}>;
type Chosen = Restore['what'];

/** Most ids of a call that waits for its job. */
const AT_ONCE = 1_000;

export const expired = {
  restore: embedded.expired.restore.handler(({ input, context: { engine } }) => {
    const { started, ended } = runJob(
      engine,
      {
        ...described(input.what),
        kind: 'restore',
        unit: 'documents',
        succeeded: 0,
        failedCount: 0,
        failed: [],
      },
      job => restore(engine, job, input),
    );
    return answer(input.what, started, ended);
  }),
  purge: embedded.expired.purge.handler(({ input: { what }, context: { engine, caller } }) => {
    const { started, ended } = runJob(engine, { ...described(what), kind: 'purge', unit: 'documents' }, job =>
      purge(
        engine,
        job,
        what === undefined ? { collection: null } : 'ids' in what ? what : spanOf(what),
        caller.user,
      ),
    );
    return answer(what, started, ended);
  }),
  purges: embedded.expired.purges.handler(({ context: { engine } }) => engine.backend.purges.list()),
};

async function restore(
  engine: EmbeddedEngine,
  job: RunningJob,
  { what, ...options }: Restore,
): Promise<void> {
  // If several documents have the same `_id`, the latest is restored: the last one if each replaces the one before, the
  // first one if the others are skipped.
  const order = options.onConflict === 'replace' ? 'asc' : 'desc';
  // Documents that are already restored are skipped if selected by a span, and reported if selected by id.
  const throughId = engine.backend.purges.lastId;
  const chosen =
    'ids' in what ? what : { ...spanOf({ cause: 'expired', ...what }), throughId, restorable: true as const };
  for await (const ids of selectedParts(engine, chosen, order, job.signal)) {
    addPartResult(job, ids.length, engine.backend.expired.restore(ids, options));
    await engine.yieldToCalls();
  }
}

function spanOf({ cause, ...span }: Exclude<Chosen, { ids: string[] }>): ExpiredSpan {
  return { ...span, cause: cause === 'any' ? undefined : cause };
}

function described(what: Chosen | undefined): Pick<Job, 'collection' | 'subject' | 'total'> {
  if (what === undefined) return { collection: '', subject: 'everything that expired', total: null };
  return 'ids' in what
    ? { collection: '', subject: 'chosen documents', total: new Set(what.ids).size }
    : { collection: what.collection, subject: what.index ?? what.collection, total: null };
}

function answer(what: Chosen | undefined, started: Job, ended: Promise<Job>): Job | Promise<Job> {
  return what !== undefined && 'ids' in what && what.ids.length <= AT_ONCE ? ended : started;
}

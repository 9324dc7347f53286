import type { z } from 'zod';
import type { expired as contract } from '../../../shared/contract/expired.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Awaitable, ExpiredSpan, RestoreOptions, RestoreResult } from '../backends/backend.ts';
import type { RunningJob } from '../jobs/job-registry.ts';
import { purge } from '../jobs/purge.ts';
import { addPartResult, runJob } from '../jobs/run-job.ts';
import { type ExpiryFinder, selectedParts } from '../jobs/selected-expiries.ts';
import { changeInParts } from '../jobs/write-batches.ts';
import type { Caller, Engine } from './context.ts';
import { api, embedded } from './procedure-guard.ts';

type Restore = z.output<(typeof contract.restore)['~orpc']['inputSchema'] & {}>;
type Chosen = Restore['what'];

/** Most ids of a call that waits for its job. */
const AT_ONCE = 1_000;

export const expired = {
  restore: api.expired.restore.handler(({ input, context: { engine, caller } }) => {
    const restorable = restorableIn(engine, caller);
    checkConflictChoices(engine, input);
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
      job => restore(engine, restorable, job, input),
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

/** Removed documents of an engine, found to be restored. */
interface Restorable extends ExpiryFinder {
  /** Id of the latest expiry. */
  lastId(): Awaitable<number>;
  restore(ids: readonly string[], options: RestoreOptions): Awaitable<RestoreResult>;
}

/** Throws NOT_SUPPORTED; the guard refuses engines that keep nothing before, by their capabilities. */
function restorableIn(engine: Engine, { user }: Caller): Restorable {
  if (engine.kind === 'embedded') {
    const { expired: found, purges } = engine.backend;
    return {
      find: (span, from) => found.find(span, from),
      lastId: () => purges.lastId,
      restore: (ids, options) => found.restore(ids, options),
    };
  }
  const { expired: found } = engine.backend;
  if (found === null)
    throw new SandglassError('NOT_SUPPORTED', 'Nothing of what is removed is kept on this connection.', {
      feature: 'restore',
    });
  return {
    find: (span, from) => found.find(span, from),
    lastId: () => found.lastId(),
    restore: (ids, options) => found.restore(ids, { ...options, by: user }),
  };
}

/** Throws NOT_SUPPORTED for a choice that the engine does not have. */
function checkConflictChoices(
  { backend: { capabilities } }: Engine,
  { onConflict, choices }: Pick<Restore, 'onConflict' | 'choices'>,
): void {
  for (const choice of new Set([onConflict, ...Object.values(choices)])) {
    if (capabilities.restoreConflicts.includes(choice)) continue;
    throw new SandglassError(
      'NOT_SUPPORTED',
      `On this connection an _id that is in use again is resolved by ${capabilities.restoreConflicts.join(' or ')}, not by ${choice}.`,
      { feature: 'restore', choices: capabilities.restoreConflicts },
    );
  }
}

async function restore(
  { clock, yieldToCalls }: Pick<Engine, 'clock' | 'yieldToCalls'>,
  restorable: Restorable,
  job: RunningJob,
  { what, ...options }: Restore,
): Promise<void> {
  // If several documents have the same `_id`, the latest is restored: the last one if each replaces the one before, the
  // first one if the others are skipped.
  const order = options.onConflict === 'replace' ? 'asc' : 'desc';
  // Documents that are already restored are skipped if selected by a span, and reported if selected by id.
  const throughId = await restorable.lastId();
  const chosen =
    'ids' in what ? what : { ...spanOf({ cause: 'expired', ...what }), throughId, restorable: true as const };
  for await (const ids of selectedParts({ expired: restorable, yieldToCalls }, chosen, order, job.signal)) {
    await changeInParts({ clock, yieldToCalls }, ids, async (part, isOver) => {
      const result = await restorable.restore(part, { ...options, isOver });
      const done = part.length - (result.left ?? 0);
      addPartResult(job, done, result);
      return done;
    });
    await yieldToCalls();
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

import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { RunningJob } from '../jobs/job-registry.ts';
import { addPartResult, runJob } from '../jobs/run-job.ts';
import { noteUndoable } from '../jobs/undo-expirations.ts';
import { changeInParts } from '../jobs/write-batches.ts';
import type { PolicyChange, PolicyDifference } from './policy-difference.ts';
import type { PolicyIndexes, PolicyStore } from './policy-store.ts';

/**
 * Removes the differences as a job: each change succeeds or fails separately, and the job lists those that failed. Its
 * progress counts keys.
 */
export function applyDifferences(
  store: PolicyStore,
  differences: readonly PolicyDifference[],
  by: string,
): { started: Job; ended: Promise<Job> } {
  const changes = differences.flatMap(({ drift, change }) => (change === null ? [] : [{ drift, change }]));
  const keys = changes.reduce(
    (sum, { drift, change }) => sum + (change.do === 'set TTL' ? drift.documents : 0),
    0,
  );
  const start = {
    kind: 'apply policy',
    collection: '',
    subject: 'policy',
    unit: 'documents',
    total: keys,
  } as const;
  return runJob(store, { ...start, succeeded: 0, failedCount: 0, failed: [] }, async job => {
    const done = new Map<PolicyChange['do'], number>();
    for (const { drift, change } of changes) {
      if (job.signal.aborted) return;
      try {
        await applyOne(store, job, drift.collection, change, by);
        done.set(change.do, (done.get(change.do) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof SandglassError)) throw error;
        const _id = drift.index === null ? drift.collection : `${drift.collection}/${drift.index}`;
        addPartResult(job, 0, {
          succeeded: 0,
          failed: [{ _id, code: error.code, message: error.message }],
          revision: store.backend.revision,
        });
      }
    }
    noteUndoable(store.undo, job);
    job.update({ result: resultOf(done, job.current.succeeded ?? 0) });
    const { failedCount = 0, failed = [] } = job.current;
    if (failedCount > 0)
      throw new SandglassError(
        'EXPECTATION_FAILED',
        `${formatCount(failedCount)} ${failedCount === 1 ? 'change' : 'changes'} failed; the others are made. ${failed[0]?.message ?? ''}`,
      );
  });
}

async function applyOne(
  store: PolicyStore,
  job: RunningJob,
  collection: string,
  change: PolicyChange,
  by: string,
): Promise<void> {
  if (change.do === 'create collection') store.createCollection(collection);
  else if (change.do === 'set TTL') await setTtl(store, job, collection, change);
  else if (store.indexes !== null) await changeIndexes(store.indexes, collection, change, by);
}

async function changeIndexes(
  indexes: PolicyIndexes,
  collection: string,
  change: Exclude<PolicyChange, { do: 'create collection' | 'set TTL' }>,
  by: string,
): Promise<void> {
  if (change.do === 'drop index') return indexes.drop(collection, change.index, by);
  const { definition, expect } = change;
  if (change.do === 'change index') {
    await indexes.change(collection, definition, { by, expect });
    return;
  }
  if (change.do === 'replace index') await indexes.drop(collection, definition.name, by);
  await indexes.create(collection, definition, { by, expect });
}

async function setTtl(
  store: PolicyStore,
  job: RunningJob,
  collection: string,
  { filter, after }: Extract<PolicyChange, { do: 'set TTL' }>,
): Promise<void> {
  const { backend, bulkChanges, clock } = store;
  const ids = await bulkChanges.idsOf({ collection, filter }, job.signal);
  const from = clock.now();
  await changeInParts(store, ids, async (part, isOver) => {
    if (job.signal.aborted) return part.length;
    const result = await backend.setExpiration(collection, part, { after }, { isOver, from, job: job.id });
    const done = part.length - (result.left ?? 0);
    addPartResult(job, done, result);
    return done;
  });
}

/** Returns `1 index created, 12 keys given a TTL`. */
function resultOf(done: ReadonlyMap<PolicyChange['do'], number>, keys: number): string {
  const times = (...kinds: PolicyChange['do'][]) =>
    kinds.reduce((sum, kind) => sum + (done.get(kind) ?? 0), 0);
  const parts = [
    { count: times('create collection'), one: 'collection', many: 'collections', was: 'created' },
    { count: times('create index'), one: 'TTL index', many: 'TTL indexes', was: 'created' },
    { count: times('change index', 'replace index'), one: 'TTL index', many: 'TTL indexes', was: 'changed' },
    { count: times('drop index'), one: 'TTL index', many: 'TTL indexes', was: 'dropped' },
    { count: keys, one: 'key', many: 'keys', was: 'given a TTL' },
  ].filter(({ count }) => count > 0);
  return parts.length === 0
    ? 'nothing to change'
    : parts
        .map(({ count, one, many, was }) => `${formatCount(count)} ${count === 1 ? one : many} ${was}`)
        .join(', ');
}

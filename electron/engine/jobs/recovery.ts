import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { DamagedCollection, DamagedFile } from '../backends/backend.ts';
import { errorForCaller } from '../platform/defect.ts';
import type { JobContext } from './job-context.ts';
import type { RunningJob } from './job-registry.ts';
import { runJob } from './run-job.ts';

export interface NewRecovery {
  /** The damaged store. */
  readonly file: string;
  /** Its name without folders: every reader can list the job. */
  readonly subject: string;
  readonly by: string;
}

interface Lost {
  documents: number;
  indexes: number;
}

/**
 * Copies what can be read of a damaged store into this one, which must be empty: collections, TTL indexes, documents and their
 * explicit expirations. A collection in which something is due at once is held until a person confirms it [R9]. Copies of
 * removed documents, the history and the settings are not copied. Throws EXPECTATION_FAILED if the store is not empty.
 */
export function startRecovery(context: JobContext, { file, subject, by }: NewRecovery): Job {
  const { backend } = context;
  if (backend.collectionNames().length > 0)
    throw new SandglassError(
      'EXPECTATION_FAILED',
      'A damaged store is recovered into a new, empty one, and this store has collections. Open a new file first.',
    );
  const start = { kind: 'recovery', collection: '', subject, unit: 'documents', total: null } as const;
  return runJob(context, start, async job => {
    const damaged = await backend.fileCare.openDamaged(file, { signal: job.signal });
    try {
      await recover(context, job, damaged, by);
    } finally {
      damaged.close();
    }
  }).started;
}

async function recover(
  context: JobContext,
  job: RunningJob,
  damaged: DamagedFile,
  by: string,
): Promise<void> {
  const { collections } = damaged;
  const total = collections.reduce((sum, { recorded }) => sum + (recorded ?? 0), 0);
  job.update({ total });
  const lost: Lost = { documents: 0, indexes: 0 };
  for (const collection of collections) {
    const before = job.current.done;
    lost.indexes += collection.lostIndexes + createWithIndexes(context, collection, by);
    for (const page of damaged.documents(collection)) {
      if (job.signal.aborted) return;
      const { inserted } = context.backend.write(collection.name, page, {
        mode: 'insert',
        atomic: false,
        holdIfDue: { cause: 'import', by },
      });
      const done = job.current.done + inserted;
      job.update({ done, total: Math.max(total, done) });
      await context.yieldToCalls();
    }
    lost.documents += Math.max(0, (collection.recorded ?? 0) - (job.current.done - before));
  }
  job.update({
    total: job.current.done,
    result: resultOf(job.current.done, damaged, lost),
  });
}

/** Returns the number of indexes that could not be created. */
function createWithIndexes(
  { backend, log }: JobContext,
  { name, indexes }: DamagedCollection,
  by: string,
): number {
  backend.createCollection(name);
  let lost = 0;
  for (const index of indexes) {
    try {
      backend.createIndex(name, index, { by });
    } catch (error) {
      errorForCaller(log, `The TTL index ${index.name}`, error);
      lost += 1;
    }
  }
  // The collection is empty: its indexes are built at once, and each document is entered when it is written.
  const pending = () => backend.pendingBackfills().find(build => build.collection === name);
  for (let build = pending(); build !== undefined; build = pending()) backend.backfill(build, 1);
  return lost;
}

function resultOf(
  saved: number,
  { collections, unreadableBytes, lostRemovals, hasLostRemovalRows }: DamagedFile,
  lost: Lost,
): string {
  const parts = [
    `${formatCount(saved)} documents recovered, of ${formatCount(collections.length)} ${collections.length === 1 ? 'collection' : 'collections'}`,
    ...(lost.documents > 0 ? [`${formatCount(lost.documents)} lost`] : []),
    ...(lost.indexes > 0 ? [`${formatCount(lost.indexes)} TTL indexes lost`] : []),
    ...(hasLostRemovalRows
      ? ['a part of the removals unreadable, so that removed documents may be back']
      : []),
    ...(lostRemovals === 1 ? ['1 removal unreadable, so that its document may be back'] : []),
    ...(lostRemovals > 1
      ? [`${formatCount(lostRemovals)} removals unreadable, so that their documents may be back`]
      : []),
    ...(unreadableBytes > 0 ? [`${formatCount(unreadableBytes)} bytes unreadable on the disk`] : []),
  ];
  return parts.join('; ');
}

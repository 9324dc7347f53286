import type { Job } from '../../../shared/contract/jobs.ts';
import { formatErasure } from '../../../shared/model/format-erasure.ts';
import type { ExpiredSpan, LoggedDocument, PurgeStore } from '../backends/backend.ts';
import type { JobContext } from './job-context.ts';
import type { RunningJob } from './job-registry.ts';
import { selectedParts } from './restore-batches.ts';
import { runJob } from './run-job.ts';

/** How long a step holds the writer [R5]. */
const STEP_MS = 4;
/** Most ids that one pass over the change log looks for. */
const REDACTED_AT_ONCE = 100_000;
/** Wait for a reader that still needs the write-ahead log, ms. */
const READER_MS = 50;

/**
 * Erases expired documents from retention, log and file [X4]. When cancelled, documents already processed are not
 * restorable, and no erasure is recorded.
 */
export async function purge(
  engine: JobContext,
  job: RunningJob,
  what: { ids: string[] } | ExpiredSpan,
  by: string,
): Promise<void> {
  const { purges } = engine.backend;
  const throughId = purges.lastId;
  const chosen = 'ids' in what ? what : { ...what, throughId };
  for await (const ids of selectedParts(engine, chosen, 'asc', job.signal)) {
    purges.releaseCopies(ids);
    await engine.yieldToCalls();
  }
  while (!job.signal.aborted && !purges.isSwept(throughId)) {
    engine.backend.expiry.sweep(STEP_MS);
    await engine.yieldToCalls();
  }
  let documents = 0;
  const erased = new Map<string, number>();
  for await (const ids of selectedParts(engine, chosen, 'asc', job.signal)) {
    for (const expiry of purges.erase(ids)) {
      erased.set(keyOf(expiry), expiry.revision);
      documents += 1;
    }
    job.update({ done: documents });
    if (erased.size >= REDACTED_AT_ONCE) await redactExpired(engine, erased, job.signal);
    await engine.yieldToCalls();
  }
  await redactExpired(engine, erased, job.signal);
  await eraseFromFile(engine, job.signal);
  if (job.signal.aborted) return;
  const collection = 'collection' in what && typeof what.collection === 'string' ? what.collection : null;
  const recorded = purges.record({ by, documents, collection });
  job.update({ done: documents, result: formatErasure(recorded) });
}

/**
 * Frees a dropped collection now, erases it from the change log, and compacts the file [X4]. The collection is not
 * restorable from the start on, even if the job is cancelled. Throws COLLECTION_NOT_FOUND.
 */
export function purgeDropped(engine: JobContext, id: number, by: string): Job {
  const { dropped, purges } = engine.backend;
  const { name, documents } = dropped.evict(id);
  return runJob(
    engine,
    { kind: 'purge', collection: name, subject: name, unit: 'documents', total: documents },
    async job => {
      const throughId = purges.lastId;
      while (!job.signal.aborted && dropped.free(STEP_MS)) await engine.yieldToCalls();
      while (!job.signal.aborted && !purges.isSwept(throughId)) {
        engine.backend.expiry.sweep(STEP_MS);
        await engine.yieldToCalls();
      }
      for await (const ids of selectedParts(engine, { collection: id, throughId }, 'asc', job.signal)) {
        purges.erase(ids);
        await engine.yieldToCalls();
      }
      // Under all names it had; another collection of that name is not affected.
      await redact(engine, ({ collection }) => collection === id, job.signal);
      await eraseFromFile(engine, job.signal);
      if (job.signal.aborted) return;
      const recorded = purges.record({ by, documents, collection: name });
      job.update({ done: documents, result: formatErasure(recorded) });
    },
  ).started;
}

/** Up to the removal: a later document with that `_id` is another one. */
async function redactExpired(
  engine: JobContext,
  erased: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  if (erased.size > 0)
    await redact(engine, change => change.revision <= (erased.get(keyOf(change)) ?? -1), signal);
  erased.clear();
}

/** Blanks the ids in the change log. */
async function redact(
  { backend: { purges }, yieldToCalls }: JobContext,
  isErased: Parameters<PurgeStore['redact']>[0],
  signal: AbortSignal,
): Promise<void> {
  let revision: number | null = 0;
  while (revision !== null && !signal.aborted) {
    revision = purges.redact(isErased, revision);
    await yieldToCalls();
  }
}

/** Compacts the file without freed pages; the write-ahead log contains some too. */
async function eraseFromFile(
  { backend, clock, yieldToCalls }: JobContext,
  signal: AbortSignal,
): Promise<void> {
  const { purges, revision } = backend;
  while (!signal.aborted && purges.deleteImages(revision)) await yieldToCalls();
  if (signal.aborted) return;
  purges.rewriteFile();
  while (!purges.emptyLog() && !signal.aborted) await clock.sleep(READER_MS, signal);
}

function keyOf({ collection, _id }: LoggedDocument): string {
  return `${collection}/${_id}`;
}

import type { Job } from '../../../shared/contract/jobs.ts';
import { formatErasure } from '../../../shared/model/format-erasure.ts';
import type { ExpiredSpan, LoggedDocument, PurgeStore } from '../backends/backend.ts';
import type { JobContext } from './job-context.ts';
import type { RunningJob } from './job-registry.ts';
import { runJob } from './run-job.ts';
import { selectedParts } from './selected-expiries.ts';

/** Time that a step holds the writer [R5]. */
const STEP_MS = 4;
/** Most ids that one pass over the change log searches for. */
const REDACTED_AT_ONCE = 100_000;
/** Wait for a reader that still needs the write-ahead log, ms. */
const READER_MS = 50;

/** Selected expiries, by id, up to one. */
type Selection = { ids: string[] } | (ExpiredSpan & { throughId: number });

/**
 * Erases expired documents from retention, log and file [X4]. When cancelled, documents already processed are not
 * restorable, and no erasure is recorded; another purge erases the rest of them.
 */
export async function purge(
  engine: JobContext,
  job: RunningJob,
  what: { ids: string[] } | ExpiredSpan,
  by: string,
): Promise<void> {
  const { purges } = engine.backend;
  const throughId = purges.lastId;
  const chosen: Selection =
    'ids' in what ? { ids: what.ids.filter(id => Number(id) <= throughId) } : { ...what, throughId };
  for await (const ids of selectedParts(expiriesOf(engine), chosen, 'asc', job.signal)) {
    purges.releaseCopies(ids);
    await engine.yieldToCalls();
  }
  await sweepThrough(engine, throughId, job.signal);
  const collection = 'collection' in what && typeof what.collection === 'string' ? what.collection : null;
  await erase(engine, job, { by, collection }, () => eraseExpired(engine, job, chosen));
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
      // The tables of the collection tell which documents of its expired intervals are not listed yet.
      await sweepThrough(engine, throughId, job.signal);
      while (!job.signal.aborted && dropped.free(STEP_MS)) await engine.yieldToCalls();
      await erase(engine, job, { by, collection: name }, async () => {
        // Under all names that the collection had; another collection of the same name is not affected.
        await redact(engine, ({ collection }) => collection === id, job.signal);
        for await (const ids of selectedParts(
          expiriesOf(engine),
          { collection: id, throughId },
          'asc',
          job.signal,
        )) {
          purges.erase(ids);
          await engine.yieldToCalls();
        }
        return documents;
      });
    },
  ).started;
}

/**
 * Runs `eraseHistory`, which returns its number of documents, as a purge that followers repeat, and compacts the file.
 */
async function erase(
  engine: JobContext,
  job: RunningJob,
  recorded: { by: string; collection: string | null },
  eraseHistory: () => Promise<number>,
): Promise<void> {
  const { purges } = engine.backend;
  const { signal } = job;
  if (signal.aborted) return;
  const { id, revision } = purges.begin(recorded);
  while (!signal.aborted && purges.deleteImages(revision)) await engine.yieldToCalls();
  const documents = await eraseHistory();
  if (signal.aborted) return;
  await compactFile(engine, signal);
  if (signal.aborted) return;
  job.update({ done: documents, result: formatErasure(purges.complete(id, documents)) });
}

function expiriesOf({ backend: { expired }, yieldToCalls }: JobContext) {
  return { expired, yieldToCalls };
}

/** Waits until the collections' tables contain no documents of expiries up to `throughId`. */
async function sweepThrough(
  { backend: { expiry, purges }, yieldToCalls }: JobContext,
  throughId: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !purges.isSwept(throughId)) {
    expiry.sweep(STEP_MS);
    await yieldToCalls();
  }
}

/** Erases expiries and the `_id`s of their documents in the change log. Returns the number of documents. */
async function eraseExpired(engine: JobContext, job: RunningJob, chosen: Selection): Promise<number> {
  const { purges } = engine.backend;
  let documents = 0;
  let parts: string[][] = [];
  /** The last revision of each document that expired. */
  const expired = new Map<string, number>();
  const eraseParts = async () => {
    if (expired.size === 0) return;
    // Changes up to the removal only: a later document with that `_id` is another one.
    await redact(engine, change => change.revision <= (expired.get(keyOf(change)) ?? -1), job.signal);
    for (const ids of parts) {
      if (job.signal.aborted) return;
      documents += purges.erase(ids).length;
      job.update({ done: documents });
      await engine.yieldToCalls();
    }
    parts = [];
    expired.clear();
  };
  for await (const ids of selectedParts(expiriesOf(engine), chosen, 'asc', job.signal)) {
    for (const expiry of purges.erasable(ids)) expired.set(keyOf(expiry), expiry.revision);
    parts.push(ids);
    if (expired.size >= REDACTED_AT_ONCE) await eraseParts();
    await engine.yieldToCalls();
  }
  await eraseParts();
  return documents;
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
async function compactFile({ backend: { purges }, clock }: JobContext, signal: AbortSignal): Promise<void> {
  purges.rewriteFile();
  while (!purges.emptyLog() && !signal.aborted) await clock.sleep(READER_MS, signal);
}

function keyOf({ collection, _id }: LoggedDocument): string {
  return `${collection}/${_id}`;
}

import type { DocumentRecord, ExpirationSetting, WriteReport } from '../../../shared/contract/documents.ts';
import type { Effect } from '../../../shared/contract/schemas/effect.ts';
import { SOON_MS } from '../../../shared/model/confirmation-rule.ts';
import type { DeadlineCondition } from '../../../shared/model/deadline-condition.ts';
import { isErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import type {
  BatchReport,
  BulkChange,
  DueCount,
  Incoming,
  PartResult,
  WriteMode,
  WriteOptions,
} from '../backends/backend.ts';
import type { Chosen } from '../jobs/bulk-changes.ts';
import { ndjsonSplitter } from '../jobs/document-splitter.ts';
import { noteUndoable } from '../jobs/undo-expirations.ts';
import { changeInParts } from '../jobs/write-batches.ts';
import type { EmbeddedEngine, Engine } from './context.ts';
import { checkEffect, effectOf } from './effects.ts';
import { api, checkFeature, embedded } from './procedure-guard.ts';

/** Most ids, and most rejected documents, in a report. */
const MOST_REPORTED = 1_000;

export const documents = {
  write: embedded.documents.write.handler(({ input: { params, query, body }, context: { engine } }) =>
    writeInParts(engine, params.collection, incomingOf(body), query),
  ),
  list: api.documents.list.handler(({ input, context: { engine, caller }, signal }) =>
    engine.scanSlots.page.run(caller, signal, () =>
      engine.backend.reads.documents(input, engine.clock.now(), signal),
    ),
  ),
  get: api.documents.get.handler(({ input: { collection, id, includeExpired }, context: { engine } }) =>
    engine.backend.reads.document({ collection, id, includeExpired }, engine.clock.now()),
  ),
  missing: api.documents.missing.handler(({ input: { collection, ids }, context: { engine } }) =>
    engine.backend.reads.missing(collection, ids),
  ),
  put: api.documents.put.handler(async ({ input: { params, body }, context: { engine } }) => {
    const written = await engine.backend.put(params.collection, params.id, body);
    // A document that expired on arrival may be removed already: the answer is the document as written.
    const record = await unlessGone(
      engine.backend.reads.document({ ...params, includeExpired: true }, engine.clock.now()),
    );
    return {
      ...(record ?? {
        _id: params.id,
        document: { _id: params.id, ...body },
        updatedAt: engine.clock.now(),
        deadlineAt: engine.clock.now(),
        deadlineFrom: null,
        state: 'overdue' as const,
        hidden: true,
        bytes: 0,
      }),
      ...written,
    };
  }),
  delete: api.documents.delete.handler(async ({ input: { collection, id }, context: { engine } }) => {
    const result = await engine.backend.delete(collection, [id]);
    throwFirst(result);
    return { deleted: true as const, revision: result.revision };
  }),
  deleteMany: api.documents.deleteMany.handler(
    ({ input: { collection, ...chosen }, context: { engine } }) => {
      checkCollection(engine, collection);
      return engine.bulkChanges.run('delete', { collection, ...chosen }, (part, isOver) =>
        engine.backend.delete(collection, part, { isOver }),
      );
    },
  ),
  explain: api.documents.explain.handler(({ input: { collection, id }, context: { engine } }) =>
    engine.backend.reads.explain(collection, id, engine.clock.now()),
  ),
  setExpiration: api.documents.setExpiration.handler(
    ({ input: { params, query, body }, context: { engine, caller }, path }) => {
      const { only } = query;
      if (only !== undefined) checkFeature(engine, 'conditionalExpiration', path);
      return changeOne(engine, params.collection, params.id, { setting: body, by: caller.user, only });
    },
  ),
  clearExpiration: api.documents.clearExpiration.handler(
    ({ input: { collection, id }, context: { engine, caller } }) =>
      changeOne(engine, collection, id, { setting: null, by: caller.user }),
  ),
  setExpirations: api.documents.setExpirations.handler(
    async ({ input, context: { engine, caller }, path, signal }) => {
      const { collection, set, clear, only, expect, countFrom, ...chosen } = input;
      if (only !== undefined) checkFeature(engine, 'conditionalExpiration', path);
      const setting = settingOf(set, clear);
      const { backend, bulkChanges } = engine;
      // One instant for all parts: documents that get the same duration expire together [E3].
      const from = startOfChange(engine, countFrom);
      // An invalid setting is an error of the call, not of the job.
      await backend.setExpiration(collection, [], setting, { from, only });
      const change = { collection, chosen, setting, only };
      if (expect !== undefined || (await mayNeedConfirmation(engine, change)))
        checkEffect(await effectOfSetting(engine, change, signal), expect);
      const kind = setting === null ? 'clear expiration' : 'set expiration';
      // The circuit breaker counts the documents that all parts made due, before any of them is removed, unless the
      // change is confirmed [R8].
      let bulk: BulkChange | undefined;
      const own = engine.kind === 'embedded' ? engine : null;
      return bulkChanges.run(
        kind,
        { collection, ...chosen },
        (part, isOver, { id: job }) => {
          if (expect === undefined) bulk ??= own?.backend.holds.beginBulk(collection, caller.user);
          const by = caller.user;
          return backend.setExpiration(collection, part, setting, { bulk, isOver, from, by, only, job });
        },
        job => {
          bulk?.end();
          own?.reaper.wake(new Set([collection]));
          if (engine.kind === 'remote') noteUndoable(engine.backend.undo, job);
        },
      );
    },
  ),
  previewExpirations: api.documents.previewExpirations.handler(
    ({ input: { collection, set, clear, only, ...chosen }, context: { engine, caller }, path, signal }) => {
      const setting = settingOf(set, clear);
      if (only !== undefined) checkFeature(engine, 'conditionalExpiration', path);
      return engine.scanSlots.preview.run(caller, signal, () =>
        effectOfSetting(engine, { collection, chosen, setting, only }, signal),
      );
    },
  ),
  keepAlive: embedded.documents.keepAlive.handler(({ input: { collection, id }, context: { engine } }) => {
    engine.backend.keepAlive(collection, id);
    return expirationOf(engine, collection, id);
  }),
};

function settingOf(set: ExpirationSetting | undefined, clear: true | undefined): ExpirationSetting | null {
  if ((set === undefined) === (clear === undefined))
    throw new SandglassError('BAD_REQUEST', 'Give either `set` or `clear: true`.');
  return set ?? null;
}

/** Longest time that a change in several calls may take. */
const LONGEST_CHANGE_MS = 3_600_000;

/** Returns the instant from which a duration counts, epoch ms. A caller whose clock is ahead counts from now. */
function startOfChange({ clock }: Engine, countFrom: number | undefined): number {
  const now = clock.now();
  if (countFrom !== undefined && countFrom < now - LONGEST_CHANGE_MS)
    throw new SandglassError('BAD_REQUEST', 'countFrom is more than an hour ago.', { countFrom, now });
  return Math.min(countFrom ?? now, now);
}

/** Throws COLLECTION_NOT_FOUND: a missing collection is an error of the call, not of its job. */
function checkCollection({ backend }: Engine, name: string): void {
  if (!backend.hasCollection(name))
    throw new SandglassError('COLLECTION_NOT_FOUND', `There is no collection named ${name}.`, {
      collection: name,
    });
}

/** A change of the explicit expiration of many documents; a null `setting` clears it. */
interface ExpirationChange {
  collection: string;
  chosen: Pick<Chosen, 'ids' | 'filter'>;
  setting: ExpirationSetting | null;
  only: DeadlineCondition | undefined;
}

/** Whether the change is large and soon enough that its effect has to be counted [R8]. */
async function mayNeedConfirmation(
  { backend, clock }: Engine,
  { collection, chosen, setting }: ExpirationChange,
): Promise<boolean> {
  if (setting !== null && 'never' in setting) return false;
  if (setting !== null && 'after' in setting && setting.after * 1000 > SOON_MS) return false;
  if (setting !== null && 'at' in setting && setting.at > clock.now() + SOON_MS) return false;
  const { confirmDocuments } = backend.settings.get();
  if (chosen.ids !== undefined) return chosen.ids.length > confirmDocuments;
  const [summary] = await backend.reads.summaries([collection], clock.now());
  return summary !== undefined && summary.documents > confirmDocuments;
}

/** Counts the documents that a change of expirations makes due within a day, and reads each of them. */
async function effectOfSetting(
  engine: Engine,
  { collection, chosen, setting, only }: ExpirationChange,
  signal: AbortSignal | undefined,
): Promise<Effect> {
  const { backend, bulkChanges, clock } = engine;
  const by = clock.now() + SOON_MS;
  const ids = await bulkChanges.idsOf({ collection, ...chosen }, signal);
  let due = 0;
  let unchanged = 0;
  await changeInParts(engine, [...new Set(ids)], (part, isOver) => {
    const add = (counted: DueCount) => {
      due += counted.due;
      unchanged += counted.unchanged ?? 0;
      return counted.done;
    };
    const counted = backend.dueAfterSetting(collection, part, setting, { by, isOver, only });
    return counted instanceof Promise ? counted.then(add) : add(counted);
  });
  const effect = await effectOf(engine, new Map([[collection, due]]));
  return only === undefined ? effect : { ...effect, unchanged };
}

/**
 * Atomic writes are one transaction of any size; others are split into parts, between which other calls run. A
 * document whose deadline takes too long to compute is rejected like any other invalid document [C1].
 */
async function writeInParts(
  { backend, clock, yieldToCalls }: EmbeddedEngine,
  collection: string,
  documents: readonly Incoming[],
  { mode, atomic }: { mode: WriteMode; atomic: boolean },
): Promise<WriteReport> {
  if (atomic || documents.length === 1) {
    const report = backend.write(collection, documents, { mode, atomic });
    const { rejected } = report;
    return rejected.length <= MOST_REPORTED
      ? report
      : { ...report, rejected: rejected.slice(0, MOST_REPORTED), rejectedCount: rejected.length };
  }
  // A missing collection is an error also if there is nothing to write.
  backend.indexDefinitions(collection);
  const report: WriteReport = {
    inserted: 0,
    updated: 0,
    expiredOnArrival: 0,
    rejected: [],
    ids: [],
    revision: backend.revision,
  };
  let rejectedCount = 0;
  await changeInParts({ clock, yieldToCalls }, documents, (part, isOver) => {
    const written = writePart(backend, collection, part, { mode, atomic, isOver });
    report.inserted += written.inserted;
    report.updated += written.updated;
    report.expiredOnArrival += written.expiredOnArrival;
    report.rejected.push(...written.rejected.slice(0, MOST_REPORTED - report.rejected.length));
    rejectedCount += written.rejected.length;
    if (documents.length <= MOST_REPORTED) report.ids.push(...written.ids);
    report.revision = written.revision;
    return part.length - (written.left ?? 0);
  });
  return rejectedCount <= MOST_REPORTED ? report : { ...report, rejectedCount };
}

/**
 * A part that takes too long is rolled back. Then its first document is written alone and, if that takes too long as
 * well, rejected.
 */
function writePart(
  backend: EmbeddedEngine['backend'],
  collection: string,
  part: readonly Incoming[],
  options: WriteOptions,
): BatchReport {
  try {
    return backend.write(collection, part, options);
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code !== 'EXPRESSION_TIMEOUT') throw error;
    const [first, second] = part;
    if (first === undefined) throw error;
    if (second !== undefined) {
      const alone = writePart(backend, collection, [first], options);
      return { ...alone, left: part.length - 1 };
    }
    const { code, message } = error;
    const rejected = [{ line: first.line, code, message }];
    const nothing = { inserted: 0, updated: 0, expiredOnArrival: 0, ids: [], revision: backend.revision };
    return { rejected, ...nothing };
  }
}

async function changeOne(
  engine: Engine,
  collection: string,
  id: string,
  {
    setting,
    by,
    only,
  }: { setting: ExpirationSetting | null; by: string; only?: DeadlineCondition | undefined },
) {
  throwFirst(await engine.backend.setExpiration(collection, [id], setting, { by, only }));
  return expirationOf(engine, collection, id);
}

async function expirationOf({ backend, clock }: Engine, collection: string, id: string) {
  const record = await unlessGone(
    backend.reads.document({ collection, id, includeExpired: true }, clock.now()),
  );
  // Without its explicit expiration the document may be due, and removed before it is read: the change has still been
  // made.
  const gone = { deadlineAt: clock.now(), deadlineFrom: null, state: 'overdue' as const };
  const { deadlineAt, deadlineFrom, state } = record ?? gone;
  return { _id: id, deadlineAt, deadlineFrom, state };
}

/** Null if the reaper removed the document first. */
function unlessGone(reading: Promise<DocumentRecord>): Promise<DocumentRecord | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof SandglassError && error.code === 'DOCUMENT_NOT_FOUND') return null;
    throw error;
  });
}

/** A call on one document returns its failure as an error. */
function throwFirst({ failed, unchanged = [] }: PartResult): void {
  const [refused] = unchanged;
  if (refused !== undefined)
    throw new SandglassError('EXPECTATION_FAILED', refused.message, { _id: refused._id });
  const [first] = failed;
  if (first === undefined) return;
  const code = isErrorCode(first.code) ? first.code : 'INTERNAL_SERVER_ERROR';
  throw new SandglassError(code, first.message, { _id: first._id });
}

/** One object, an array of them, or NDJSON text. */
function incomingOf(body: unknown): Incoming[] {
  if (typeof body === 'string') {
    const splitter = ndjsonSplitter();
    return [...splitter.push(body), ...splitter.end()];
  }
  if (body === undefined || body === null) {
    throw new SandglassError(
      'BAD_REQUEST',
      'Send a JSON object, an array of them, or NDJSON with content-type application/x-ndjson.',
    );
  }
  return Array.isArray(body) ? body.map((value, i) => ({ value, line: i + 1 })) : [{ value: body, line: 1 }];
}

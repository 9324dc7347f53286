import { isDeepStrictEqual } from 'node:util';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { compareChangeLog } from './compare-change-log.ts';
import { compareIndexes } from './compare-indexes.ts';
import { takeDefinitions } from './definitions-in-effect.ts';
import { ARCHIVE } from './simulated-model.ts';
import type { SimulatedStore } from './simulated-store.ts';

type Query = { collection: string; includeExpired: boolean; index?: string; reason?: string };

async function list(store: SimulatedStore, query: Query): Promise<DocumentRecord[]> {
  const { documents } = await store.context.engine.backend.reads.documents(
    { limit: 1_000, sort: '_id', order: 'asc', ...query },
    store.now,
  );
  return documents;
}

/** Throws unless every reader is shown what the model has: nothing past its deadline, nothing less, and each deadline. */
export async function compareReaders(store: SimulatedStore): Promise<void> {
  takeDefinitions(store.model, store.context.engine.backend);
  await compareQuarantine(store);
  for (const collection of store.collections) await compareCollection(store, collection);
  const archived = (await list(store, { collection: ARCHIVE, includeExpired: true })).map(({ _id }) => _id);
  const wanted = [...store.model.collections.values()].flatMap(({ archive }) => [...archive.keys()]);
  if (new Set(wanted).symmetricDifference(new Set(archived)).size > 0)
    throw new Error(`the archive has ${archived} instead of ${wanted}`);
  await compareChangeLog(store);
  store.count('comparisons of all readers');
}

async function compareCollection(store: SimulatedStore, collection: string): Promise<void> {
  const naive = store.model.of(collection);
  for (const includeExpired of [false, true]) {
    const records = await list(store, { collection, includeExpired });
    const wanted = store.model.shown(collection, store.now, includeExpired);
    const found = new Map(records.map(({ _id, document }) => [_id, document]));
    const readers = includeExpired ? 'a reader that includes expired documents' : 'a reader';
    for (const id of new Set([...wanted.keys(), ...found.keys()])) {
      const [is, should] = [found.get(id), wanted.get(id)];
      if (!isDeepStrictEqual(is, should))
        throw new Error(
          `${readers} gets ${id} as ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`,
        );
    }
    for (const { _id, deadlineAt } of records) {
      const document = naive.documents.get(_id);
      const at = document === undefined ? null : (naive.governed(document)?.at ?? null);
      if (at !== deadlineAt) throw new Error(`${_id} has the deadline ${deadlineAt} instead of ${at}`);
    }
    for (const id of naive.documents.keys()) {
      const isShown = await isThere(store, { collection, id, includeExpired });
      if (isShown !== wanted.has(id))
        throw new Error(`${readers} that asks for ${id} ${isShown ? 'is shown it' : 'does not get it'}`);
    }
    store.count('documents compared', records.length);
  }
  const [summary] = await store.context.engine.backend.reads.summaries([collection], store.now);
  if (summary?.documents !== naive.documents.size)
    throw new Error(`${summary?.documents} documents are counted instead of ${naive.documents.size}`);
  await compareIndexes(store, collection);
}

async function isThere(
  store: SimulatedStore,
  query: { collection: string; id: string; includeExpired: boolean },
): Promise<boolean> {
  try {
    await store.context.engine.backend.reads.document(query, store.now);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'DOCUMENT_NOT_FOUND') return false;
    throw error;
  }
}

/** A quarantine has no event: it is taken over where the model agrees that the action makes no progress [A5]. */
export async function compareQuarantine(store: SimulatedStore): Promise<void> {
  for (const collection of store.collections) await compareQuarantineOf(store, collection);
}

async function compareQuarantineOf(store: SimulatedStore, collection: string): Promise<void> {
  const naive = store.model.of(collection);
  const query = { collection, includeExpired: true, reason: 'quarantined' };
  const found = new Map<string, Set<string>>();
  for (const { _id } of await list(store, query)) {
    const isExplicit = typeof naive.documents.get(_id)?.explicit === 'number';
    found.set(_id, new Set(isExplicit ? ['explicit'] : []));
  }
  for (const index of naive.indexes.keys())
    for (const { _id } of await list(store, { ...query, index }))
      found.set(_id, (found.get(_id) ?? new Set()).add(index));
  for (const [id, rules] of found)
    for (const rule of rules) {
      if (naive.documents.get(id)?.quarantined.has(rule)) continue;
      if (!naive.due(rule, store.now).some(one => one.id === id))
        throw new Error(`${id} is quarantined by ${rule} and was not due`);
      if (naive.expire(id, rule, store.now, store.now) !== 'quarantined')
        throw new Error(`${id} is quarantined by ${rule}, which makes progress`);
      store.count('quarantined');
    }
  for (const { id, quarantined } of naive.documents.values())
    for (const rule of quarantined)
      if (!found.get(id)?.has(rule)) throw new Error(`${id} is not quarantined by ${rule} any more`);
}

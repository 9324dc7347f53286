import type { CollectionSummary } from '../../../../../shared/contract/collections.ts';
import type { NeverReasonCount, TtlIndex } from '../../../../../shared/contract/ttl-indexes.ts';
import { formatHold } from '../../../../../shared/model/hold.ts';
import type { NeverReason } from '../../../../../shared/model/reference-time.ts';
import { noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import { HOUR } from '../../../deadline-index/count-levels.ts';
import { deadlineFigures, earliest } from '../../../deadline-index/deadline-figures.ts';
import type { Tally } from '../../../deadline-index/index-entry.ts';
import { actionAt, tickInterval } from '../../../expiry/schedule/ticks.ts';
import { type CatalogCollection, deadlineSources, holdsOf, isRecounting } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { readBody, type StoredBody } from '../tables/documents/stored-json.ts';
import { readTick } from '../tables/schedule-ticks.ts';
import type { ReadConnection } from './read-connection.ts';

/** Returns the figures of a collection without reading a document [M1]. Call inside a read transaction. */
export function summarize(reader: ReadConnection, name: string, now: number): CollectionSummary {
  const collection = reader.collection(name);
  const sources = deadlineSources(collection).map(source => ({
    source,
    ...deadlineFigures(reader.table(source.table), source.addMs, now),
  }));
  const next = sources
    .filter(({ nextAt }) => nextAt !== null)
    .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0))[0];
  const overdue = sum(sources.map(source => source.overdue));
  const quarantined = [collection.explicit, ...collection.indexes.map(({ table }) => table)];
  const building = collection.indexes.some(index => !index.isReady);
  const paused = collection.paused ?? reader.catalog.paused;
  const holds = holdsOf(reader.catalog, name);
  return {
    name,
    documents: collection.documents,
    bytes: collection.bytes,
    withDeadline: sum(sources.map(source => source.documents)),
    pinned: countedAs(reader, collection.explicit, 'pinned').documents,
    overdue,
    oldestOverdueAt: earliest(sources.filter(source => source.overdue > 0).map(source => source.firstAt)),
    actionDueAt: earliest(
      sources.map(({ source, firstAt }) => actionDueAt(reader, source.index, firstAt, now)),
    ),
    passEveryMs: longestInterval(collection, now),
    quarantined: reader.quarantine.isEmpty
      ? 0
      : sum(quarantined.map(table => countedAs(reader, table, 'quarantined').documents)),
    nextDeadlineAt: next?.nextAt ?? null,
    nextDeadlineFrom: next?.source.name ?? null,
    ttlIndexes: collection.indexes.length,
    state: stateOf(collection, { paused: paused !== null, held: holds.length > 0, building }, sources),
    paused,
    holds: holds.map(hold => ({ ...hold, sentence: formatHold(hold) })),
    recounting: isRecounting(collection),
    createdAt: collection.createdAt,
  };
}

function longestInterval({ indexes }: CatalogCollection, now: number): number | null {
  return Math.max(0, ...indexes.map(({ definition }) => tickInterval(definition, now) ?? 0)) || null;
}

function stateOf(
  collection: CatalogCollection,
  { paused, held, building }: { paused: boolean; held: boolean; building: boolean },
  sources: readonly { documents: number }[],
): CollectionSummary['state'] {
  if (held) return 'held';
  if (building || isRecounting(collection)) return 'building';
  if (collection.indexes.length === 0 && sources.every(({ documents }) => documents === 0)) return 'none';
  const stopped = collection.indexes.length > 0 && collection.indexes.every(index => index.isPaused);
  return paused || stopped ? 'paused' : 'running';
}

/**
 * Returns when the reaper is to act on the overdue documents of an index (null: explicit expirations): at its earliest
 * deadline, or at the tick that finds it [R1]. Null if nothing is overdue, or the index only observes.
 */
export function actionDueAt(
  { db, catalog }: ReadConnection,
  index: CatalogIndex | null,
  firstAt: number | null,
  now: number,
): number | null {
  if (firstAt === null || firstAt > now) return null;
  if (index === null) return firstAt;
  const at = actionAt(index.definition, readTick(db, index), catalog.settings, firstAt);
  return Number.isFinite(at) ? at : null;
}

/** Throws TTL_INDEX_NOT_FOUND. */
export function findIndex(collection: CatalogCollection, name: string): CatalogIndex {
  const index = collection.indexes.find(candidate => candidate.name === name);
  if (index === undefined) throw noSuchIndex(collection.name, name);
  return index;
}

export function describeIndex(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex,
  now: number,
): TtlIndex {
  const entries = reader.table(index.table);
  const total = entries.total();
  const { overdue, firstAt, nextAt } = deadlineFigures(entries, index.addMs, now);
  const reasons = neverReasons(reader, collection, index);
  return {
    name: index.name,
    collection: collection.name,
    source: index.definition.source,
    onExpire: index.definition.onExpire,
    schedule: index.definition.schedule,
    limits: index.definition.limits,
    retention: index.definition.retention,
    state: stateOfIndex(index),
    pending: index.pending,
    successor: successorOf(index),
    job: null,
    paused: index.paused,
    createdAt: index.createdAt,
    createdBy: index.createdBy,
    documents: total.documents,
    bytes: total.bytes,
    overdue,
    oldestOverdueAt: overdue > 0 ? firstAt : null,
    actionDueAt: actionDueAt(reader, index, firstAt, now),
    passEveryMs: tickInterval(index.definition, now),
    quarantined: countedAs(reader, index.table, 'quarantined').documents,
    dueNextHour: entries.between(now - index.addMs + 1, now - index.addMs + HOUR + 1).documents,
    nextDeadlineAt: nextAt,
    never: { count: sum(reasons.map(({ count }) => count)), reasons },
  };
}

function successorOf({ successor }: CatalogIndex): TtlIndex['successor'] {
  if (successor === null) return null;
  const { definition, by, since } = successor;
  return { source: definition.source, by, since };
}

function stateOfIndex(index: CatalogIndex): TtlIndex['state'] {
  if (!index.isReady) return 'building';
  if (!index.isConfirmed) return 'unconfirmed';
  return index.isActing ? 'ready' : 'observing';
}

/** Returns what one table counts under a reason. */
function countedAs(reader: ReadConnection, table: number, wanted: NeverReason): Tally {
  const found = reader
    .table(table)
    .reasons()
    .find(({ reason }) => reason === wanted);
  return { documents: found?.documents ?? 0, bytes: found?.bytes ?? 0 };
}

interface CountedReason {
  reason: NeverReason;
  count: number;
  /** Table and reason under which they are listed. */
  table: number;
  listedAs: NeverReason;
}

/**
 * Counts, by reason and with examples, the documents that never expire by this index [X1], explicit expirations
 * included.
 */
export function neverReasons(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex | null,
): NeverReasonCount[] {
  const { explicit } = collection;
  const pinned = countedAs(reader, explicit, 'pinned').documents;
  const withExplicit = reader.table(explicit).total().documents;
  const quarantinedExplicit = countedAs(reader, explicit, 'quarantined').documents;
  const fromIndex: CountedReason[] =
    index === null
      ? []
      : reader
          .table(index.table)
          .reasons()
          .map(({ reason, documents }) => ({
            reason,
            count: documents,
            table: index.table,
            listedAs: reason,
          }));
  const outranked: CountedReason[] = [
    { reason: 'pinned', count: pinned, table: explicit, listedAs: 'pinned' },
    {
      reason: 'set by hand',
      count: withExplicit + quarantinedExplicit,
      table: explicit,
      listedAs: withExplicit > 0 ? 'set by hand' : 'quarantined',
    },
  ];
  return [...fromIndex, ...outranked.filter(({ count }) => count > 0)]
    .sort((a, b) => b.count - a.count)
    .map(({ reason, count, table, listedAs }) => ({
      reason,
      count,
      ...examplesOf(reader, collection, table === explicit ? null : index, table, listedAs),
    }));
}

/** Returns up to three examples, and the message of the first. */
function examplesOf(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex | null,
  table: number,
  reason: NeverReason,
): Pick<NeverReasonCount, 'examples' | 'message'> {
  const entryTable = reader.table(table);
  const entries =
    reason === 'set by hand'
      ? entryTable.entries(0, Number.MAX_SAFE_INTEGER, null, 3)
      : entryTable.entriesOfReason(reason, null, 3);
  const idOf = reader.db
    .prepare<[number], string>(`SELECT id FROM documents_${collection.id} WHERE row = ?`)
    .pluck();
  const examples = entries.map(({ row }) => idOf.get(row)).filter(id => id !== undefined);
  const [first] = entries;
  const message =
    first === undefined || index === null ? null : messageOf(reader, collection, index, first.row);
  return message === null ? { examples } : { examples, message };
}

/** Returns the message of its expression, or of its action, for a document without a deadline from it [D8, A5]. */
function messageOf(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex,
  row: number,
): string | null {
  const given = reader.quarantine.of(collection.id, row).find(({ source }) => source === index.id);
  if (given !== undefined) return given.problem;
  if (index.definition.source.kind !== 'expression') return null;
  const stored = reader.db
    .prepare<[number], { updatedAt: number; body: StoredBody }>(
      `SELECT updated_at AS updatedAt, body FROM documents_${collection.id} WHERE row = ?`,
    )
    .get(row);
  return stored === undefined ? null : index.problemOf(readBody(stored.body), stored.updatedAt);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

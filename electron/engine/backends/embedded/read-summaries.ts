import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { NeverReasonCount, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { noSuchIndex } from '../../../../shared/model/ttl-index.ts';
import {
  type CatalogCollection,
  type CatalogIndex,
  type DeadlineSource,
  deadlineSources,
  isRecounting,
} from './catalog.ts';
import { HOUR } from './levels.ts';
import type { Reader } from './reader.ts';

/** What is known of a collection without reading a document [M1]; call inside a read transaction. */
export function summarize(reader: Reader, name: string, now: number): CollectionSummary {
  const collection = reader.collection(name);
  const sources = deadlineSources(collection).map(source => ({ source, ...figuresOf(reader, source, now) }));
  const next = sources
    .filter(({ nextAt }) => nextAt !== null)
    .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0))[0];
  const overdue = sum(sources.map(source => source.overdue));
  const building = collection.indexes.some(index => !index.isReady);
  const paused = collection.paused ?? reader.catalog.paused;
  return {
    name,
    documents: collection.documents,
    bytes: collection.bytes,
    withDeadline: sum(sources.map(source => source.documents)),
    pinned: sum(
      reader
        .table(collection.explicit)
        .reasons()
        .map(({ documents }) => documents),
    ),
    overdue,
    oldestOverdueAt: earliest(sources.filter(source => source.overdue > 0).map(source => source.firstAt)),
    quarantined: sum(collection.indexes.map(index => quarantinedBy(reader, index))),
    nextDeadlineAt: next?.nextAt ?? null,
    nextDeadlineFrom: next?.source.name ?? null,
    ttlIndexes: collection.indexes.length,
    state: stateOf(collection, paused !== null, building, sources),
    paused,
    holds: [],
    recounting: isRecounting(collection),
    createdAt: collection.createdAt,
  };
}

function stateOf(
  collection: CatalogCollection,
  paused: boolean,
  building: boolean,
  sources: readonly { documents: number }[],
): CollectionSummary['state'] {
  if (building || isRecounting(collection)) return 'building';
  if (collection.indexes.length === 0 && sources.every(({ documents }) => documents === 0)) return 'none';
  const stopped = collection.indexes.length > 0 && collection.indexes.every(index => index.isPaused);
  return paused || stopped ? 'paused' : 'running';
}

export interface SourceFigures {
  documents: number;
  overdue: number;
  /** Earliest deadline of all, passed or not. */
  firstAt: number | null;
  /** Earliest deadline after now. */
  nextAt: number | null;
}

export function figuresOf(
  reader: Reader,
  { table, addMs }: Pick<DeadlineSource, 'table' | 'addMs'>,
  now: number,
): SourceFigures {
  const side = reader.table(table);
  const first = side.first();
  const firstAt = first === null ? null : first + addMs;
  // Due means now >= deadline [D10].
  const overdue = firstAt !== null && firstAt <= now ? side.before(now - addMs + 1).documents : 0;
  const next = overdue === 0 ? first : side.first(now - addMs + 1);
  return { documents: side.total().documents, overdue, firstAt, nextAt: next === null ? null : next + addMs };
}

/** Throws TTL_INDEX_NOT_FOUND. */
export function findIndex(collection: CatalogCollection, name: string): CatalogIndex {
  const index = collection.indexes.find(candidate => candidate.name === name);
  if (index === undefined) throw noSuchIndex(collection.name, name);
  return index;
}

export function describeIndex(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex,
  now: number,
): TtlIndex {
  const side = reader.table(index.side);
  const total = side.total();
  const { overdue, nextAt } = figuresOf(reader, { table: index.side, addMs: index.addMs }, now);
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
    job: null,
    paused: index.paused,
    createdAt: index.createdAt,
    createdBy: index.createdBy,
    documents: total.documents,
    bytes: total.bytes,
    overdue,
    quarantined: quarantinedBy(reader, index),
    dueNextHour: side.between(now - index.addMs + 1, now - index.addMs + HOUR + 1).documents,
    nextDeadlineAt: nextAt,
    never: { count: sum(reasons.map(({ count }) => count)), reasons },
  };
}

function stateOfIndex(index: CatalogIndex): TtlIndex['state'] {
  if (!index.isReady) return 'building';
  if (!index.isConfirmed) return 'unconfirmed';
  return index.isActing ? 'ready' : 'observing';
}

/** Documents that its action did not get out of the way [A5]. */
function quarantinedBy(reader: Reader, { side }: CatalogIndex): number {
  const found = reader
    .table(side)
    .reasons()
    .find(({ reason }) => reason === 'quarantined');
  return found?.documents ?? 0;
}

/** Why documents never expire by this index, counted, with examples [X1]; those set by hand are among them. */
export function neverReasons(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex | null,
): NeverReasonCount[] {
  const fromIndex =
    index === null
      ? []
      : reader
          .table(index.side)
          .reasons()
          .map(({ reason, documents, bytes }) => ({ reason, count: documents, bytes, table: index.side }));
  const explicit = reader.table(collection.explicit);
  const pinned = explicit
    .reasons()
    .map(({ reason, documents, bytes }) => ({ reason, count: documents, bytes, table: collection.explicit }));
  const byHand = explicit.total();
  const setByHand =
    byHand.documents === 0
      ? []
      : [
          {
            reason: 'set by hand' as const,
            count: byHand.documents,
            bytes: byHand.bytes,
            table: collection.explicit,
          },
        ];
  return [...fromIndex, ...pinned, ...setByHand]
    .sort((a, b) => b.count - a.count)
    .map(({ reason, count, table }) => ({
      reason,
      count,
      examples: examplesOf(reader, collection, table, reason),
    }));
}

function examplesOf(
  reader: Reader,
  collection: CatalogCollection,
  table: number,
  reason: NeverReasonCount['reason'],
): string[] {
  const side = reader.table(table);
  const entries =
    reason === 'set by hand'
      ? side.entries(0, Number.MAX_SAFE_INTEGER, null, 3)
      : side.entriesOfReason(reason, null, 3);
  const idOf = reader.db
    .prepare<[number], string>(`SELECT id FROM documents_${collection.id} WHERE row = ?`)
    .pluck();
  return entries.map(({ row }) => idOf.get(row)).filter(id => id !== undefined);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function earliest(instants: readonly (number | null)[]): number | null {
  return instants.reduce((least, at) => (at !== null && (least === null || at < least) ? at : least), null);
}

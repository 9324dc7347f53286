import type { DocumentRecord, DocumentState } from '../../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { compileFilter } from '../../../../../shared/model/expressions/document-filter.ts';
import { isJsonObject } from '../../../../../shared/model/json/json.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import { type Deadline, deadlineAt, isHidden } from '../../../expiry/deadline.ts';
import type { DocumentPage, DocumentQuery } from '../../backend.ts';
import type { Catalog, CatalogCollection } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { noSuchDocument } from '../catalog/not-found.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import type { Statement } from '../file/database.ts';
import { bodyBytes, bodyText, readBody } from '../tables/documents/stored-json.ts';
import { ROW, type StoredRow } from '../tables/documents/stored-row.ts';
import { clippedDocument } from './clipped-document.ts';
import {
  type Candidate,
  candidatesByDeadline,
  candidatesById,
  candidatesByReason,
  candidatesByUpdate,
  candidatesInQuarantine,
  candidatesWithoutDeadline,
  decodeCursor,
  encodeCursor,
} from './document-order.ts';
import type { ReadConnection } from './read-connection.ts';
import { waitingReason } from './waiting-reason.ts';

/** A page that must examine many documents ends after this time, with a cursor for the rest. */
const PAGE_LIMIT_MS = 200;
/** A page of large documents ends at this size, to fit a message. It holds at least one. */
const PAGE_BYTES = 4 * 1024 * 1024;
const SOON_MS = 3_600_000;

export function rowStatement(
  reader: ReadConnection,
  collection: CatalogCollection,
): Statement<[number], StoredRow> {
  return reader.db.prepare<[number], StoredRow>(
    `SELECT ${ROW} FROM documents_${collection.id} WHERE row = ?`,
  );
}

/** Returns the document stored under an `_id`, unless it is dead. Throws DOCUMENT_NOT_FOUND. */
export function findDocument(reader: ReadConnection, collection: CatalogCollection, id: string): StoredRow {
  const stored = storedUnder(reader, collection, id);
  if (stored === null) throw noSuchDocument(collection.name, id);
  return stored;
}

/** Returns null if there is none, or a dead one. */
export function storedUnder(
  reader: ReadConnection,
  collection: CatalogCollection,
  id: string,
): StoredRow | null {
  const stored = reader.db
    .prepare<[string], StoredRow>(
      `SELECT ${ROW} FROM documents_${collection.id} WHERE row = (SELECT row FROM keys_${collection.id} WHERE id = ?)`,
    )
    .get(id);
  return stored === undefined || reader.tombstones.isDead(collection.id, stored) ? null : stored;
}

/** Throws DOCUMENT_NOT_FOUND, also if the document is due and hidden, unless `includeExpired` [V1]. */
export function getDocument(
  reader: ReadConnection,
  { collection: name, id, includeExpired }: { collection: string; id: string; includeExpired: boolean },
  now: number,
): DocumentRecord {
  const collection = reader.collection(name);
  const record = toRecord(reader, findDocument(reader, collection, id), collection, now);
  if (!includeExpired && record.hidden) throw noSuchDocument(name, id);
  return record;
}

/** Returns those of `ids` under which no document is stored. A document that is due and not removed yet is stored. */
export function missingIds(reader: ReadConnection, name: string, ids: readonly string[]): string[] {
  const collection = reader.collection(name);
  if (reader.tombstones.intervals.has(collection.id))
    return ids.filter(one => storedUnder(reader, collection, one) === null);
  const { id } = collection;
  const rowOf = reader.db.prepare<[string], number>(`SELECT row FROM keys_${id} WHERE id = ?`).pluck();
  const dead = reader.tombstones.of(id);
  return ids.filter(one => {
    const row = rowOf.get(one);
    return row === undefined || dead.has(row);
  });
}

/** Longest that a page read in one piece may block other reads, ms. */
const AT_ONCE_MS = 25;

/** Reads a page in one piece. Returns null if that takes too long: large documents, or a costly index expression. */
export function listDocuments(...given: Parameters<typeof scanDocuments>): DocumentPage | null {
  const [, , , elapsed] = given;
  const stopAt = elapsed() + AT_ONCE_MS;
  const scan: Iterator<void, DocumentPage> = scanDocuments(...given);
  try {
    for (;;) {
      const step = scan.next();
      if (step.done === true) return step.value;
      if (elapsed() > stopAt) return null;
    }
  } finally {
    // Closes the open statement.
    scan.return?.();
  }
}

/** Reads a page, and yields after each examined document. */
export function* scanDocuments(
  reader: ReadConnection,
  query: DocumentQuery,
  now: number,
  elapsed: () => number,
): Generator<void, DocumentPage> {
  const collection = reader.collection(query.collection);
  checkOrder(collection, query);
  const stopAt = elapsed() + PAGE_LIMIT_MS;
  const documents: DocumentRecord[] = [];
  let bytes = 0;
  let last: Candidate | null = null;
  let partial = false;
  let next: string | null = null;
  for (const { candidate, readIfMatching } of scanCandidates(reader, collection, query, now)) {
    // Examines at least one, so that every page makes progress.
    partial = last !== null && (elapsed() > stopAt || bytes > PAGE_BYTES);
    if (documents.length === query.limit || partial) {
      next = last === null ? null : encodeCursor(last);
      break;
    }
    last = candidate;
    const record = readIfMatching();
    yield;
    if (record === null) continue;
    const isClipped = query.clip !== undefined && record.bytes > query.clip;
    documents.push(
      isClipped ? { ...record, document: clippedDocument(record.document), clipped: true } : record,
    );
    bytes += isClipped ? (query.clip ?? 0) : record.bytes;
  }
  return { documents, next, partial, now, revision: reader.revision };
}

/** Filter and order of documents. */
export type DocumentChoice = Omit<DocumentQuery, 'collection' | 'limit' | 'clip'>;

export interface ScannedCandidate {
  candidate: Candidate;
  /** Reads the document. Returns its record, or null if it does not match. */
  readIfMatching(): DocumentRecord | null;
}

/** Returns every row that may match `choice`, in its order. Throws INVALID_FILTER, BAD_REQUEST before the first. */
export function* scanCandidates(
  reader: ReadConnection,
  collection: CatalogCollection,
  choice: DocumentChoice,
  now: number,
): Generator<ScannedCandidate> {
  const matches = matcher(choice);
  const read = rowStatement(reader, collection);
  const dead = reader.tombstones.of(collection.id);
  for (const candidate of inOrder(reader, collection, choice, now)) {
    yield {
      candidate,
      readIfMatching: () => {
        const stored = dead.has(candidate.row) ? undefined : read.get(candidate.row);
        if (stored === undefined || reader.tombstones.isDead(collection.id, stored)) return null;
        const record = toRecord(reader, stored, collection, now);
        return isListedHere(candidate, record) && matches(record, stored) ? record : null;
      },
    };
  }
}

/** With several indexes a document occurs once in each: it is listed only at its place in its governing index. */
function isListedHere(candidate: Candidate, record: DocumentRecord): boolean {
  if (candidate.kind === 'deadline') return record.deadlineFrom === candidate.from;
  return candidate.kind !== 'never' || record.deadlineAt === null;
}

/** Throws BAD_REQUEST for an order that no index serves. */
function checkOrder({ name, indexes }: CatalogCollection, query: DocumentQuery): void {
  const { sort, startAt, state, index, reason, dueFrom, dueTo } = query;
  const isById = sort === '_id' && (state ?? index ?? reason ?? dueFrom ?? dueTo) === undefined;
  if (startAt !== undefined && !isById) {
    throw new SandglassError(
      'BAD_REQUEST',
      '`startAt` is an `_id`: it goes with `sort: _id`, and not with state, index, reason, dueFrom or dueTo.',
      { startAt, sort },
    );
  }
  if (sort === 'updatedAt' && !indexes.some(isOfLastWrite)) {
    throw new SandglassError(
      'BAD_REQUEST',
      `${name} cannot be sorted by updatedAt: only a lastModified index keeps that order. Sort by _id or deadline, or create one.`,
      { collection: name, sort },
    );
  }
}

/** Returns whether the index keeps its entries in order of the last write [D7]. */
function isOfLastWrite({ isReady, definition }: CatalogIndex): boolean {
  return isReady && definition.source.kind === 'lastModified';
}

function inOrder(
  reader: ReadConnection,
  collection: CatalogCollection,
  query: DocumentChoice,
  now: number,
): Iterable<Candidate> {
  const after = query.after === undefined ? null : decodeCursor(query.after);
  if (query.reason === 'quarantined' && query.index === undefined)
    return candidatesInQuarantine(reader, collection, after);
  if (query.reason !== undefined) {
    const index = collection.indexes.find(candidate => candidate.name === query.index);
    return candidatesByReason(reader, collection, index ?? null, query.reason, after);
  }
  if (query.state === 'never' && query.index === undefined) {
    return candidatesWithoutDeadline(reader, collection, after);
  }
  if (query.state === 'quarantined' && query.index === undefined) {
    return candidatesInQuarantine(reader, collection, after);
  }
  if (query.state === 'pinned') return candidatesByReason(reader, collection, null, 'pinned', after);
  const span = deadlineSpan(query, now);
  const lastWrites = query.sort === 'updatedAt' ? collection.indexes.find(isOfLastWrite) : undefined;
  if (lastWrites !== undefined) return candidatesByUpdate(reader, collection, lastWrites, query.order, after);
  if (span !== null || query.sort === 'deadline' || query.index !== undefined) {
    return candidatesByDeadline(reader, collection, {
      from: span?.from ?? 0,
      to: span?.to ?? Number.MAX_SAFE_INTEGER,
      order: query.order,
      after,
      // Documents without a deadline come last, unless a span of deadlines is given.
      includeNever: span === null && query.index === undefined,
    });
  }
  return candidatesById(reader, collection, query, after);
}

/** Returns the span of deadlines, [from, to), of a state or a window; null if any deadline, or none, matches. */
function deadlineSpan(query: DocumentChoice, now: number): { from: number; to: number } | null {
  let { dueFrom: from = 0, dueTo: to = Number.MAX_SAFE_INTEGER } = query;
  const byState = {
    overdue: [0, now + 1],
    paused: [0, now + 1],
    soon: [now + 1, now + SOON_MS],
    live: [now + SOON_MS, to],
  };
  const state = query.state;
  if (state === 'overdue' || state === 'paused' || state === 'soon' || state === 'live') {
    const [least = 0, most = to] = byState[state];
    from = Math.max(from, least);
    to = Math.min(to, most);
  } else if (query.dueFrom === undefined && query.dueTo === undefined) return null;
  return { from, to };
}

function matcher(query: DocumentChoice): (record: DocumentRecord, stored: StoredRow) => boolean {
  const text = query.filter?.trim().toLowerCase();
  const test = query.cel === undefined || query.cel.trim() === '' ? null : compileFilter(query.cel);
  return (record, stored) =>
    (query.includeExpired || query.state === 'overdue' || query.state === 'paused' || !record.hidden) &&
    (query.state === undefined || record.state === query.state) &&
    isWithin(query, record.deadlineAt) &&
    (query.index === undefined || query.reason !== undefined || record.deadlineFrom === query.index) &&
    (text === undefined || text === '' || bodyText(stored.body).toLowerCase().includes(text)) &&
    (test === null || test(record.document, stored.updatedAt));
}

function isWithin({ dueFrom, dueTo }: DocumentChoice, at: number | null): boolean {
  if (dueFrom === undefined && dueTo === undefined) return true;
  return at !== null && at >= (dueFrom ?? 0) && at < (dueTo ?? Number.MAX_SAFE_INTEGER);
}

function toRecord(
  reader: ReadConnection,
  stored: StoredRow,
  collection: CatalogCollection,
  now: number,
): DocumentRecord {
  const document = readBody(stored.body);
  if (!isJsonObject(document))
    throw new SandglassError('STORE_UNREADABLE', `${stored.id} is not stored as a JSON object.`);
  const out = reader.quarantine.sourcesOf(collection.id, stored.row);
  const deadline = storedDeadline(stored, document, collection.indexes, out);
  return {
    _id: stored.id,
    document,
    updatedAt: stored.updatedAt,
    deadlineAt: deadlineAt(deadline),
    deadlineFrom: sourceNameOf(deadline),
    state: stateOf(deadline, collection, reader.catalog, now, out.size),
    hidden: isHidden(deadline, now),
    bytes: bodyBytes(stored.body),
    ...waitsForOf(deadline, collection, reader, now),
  };
}

function waitsForOf(
  deadline: Deadline<CatalogIndex>,
  collection: CatalogCollection,
  reader: ReadConnection,
  now: number,
): Pick<DocumentRecord, 'waitsFor'> {
  const at = deadlineAt(deadline);
  return at === null || now < at ? {} : { waitsFor: waitingReason(deadline, collection, reader) };
}

export function sourceNameOf(deadline: Deadline<CatalogIndex>): string | null {
  if (deadline.kind === 'index') return deadline.rule.name;
  return deadline.kind === 'none' ? null : EXPLICIT;
}

/** Returns the state of a document; see `documentState` of the contract. */
export function stateOf(
  deadline: Deadline<CatalogIndex>,
  collection: CatalogCollection,
  catalog: Catalog,
  now: number,
  /** Number of rules that quarantined it [A5]. */
  quarantineCount: number,
): DocumentState {
  if (deadline.kind === 'pinned') return 'pinned';
  if (deadline.kind === 'none') return quarantineCount > 0 ? 'quarantined' : 'never';
  if (now < deadline.at) return deadline.at - now < SOON_MS ? 'soon' : 'live';
  const paused =
    catalog.paused !== null ||
    collection.paused !== null ||
    (deadline.kind === 'index' && deadline.rule.isPaused);
  return paused ? 'paused' : 'overdue';
}

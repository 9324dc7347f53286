import type { DocumentRecord, DocumentState } from '../../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { compileFilter } from '../../../../../shared/model/expressions/document-filter.ts';
import { isJsonObject } from '../../../../../shared/model/json/json.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import { type Deadline, deadlineAt, isHidden } from '../../../expiry/deadline.ts';
import type { DocumentPage, DocumentQuery } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import type { Catalog, CatalogCollection, CatalogIndex } from '../tables/catalog.ts';
import { noSuchDocument } from '../tables/not-found.ts';
import { bodyBytes, bodyText, readBody } from '../tables/stored-json.ts';
import { ROW, type StoredRow, storedDeadline } from '../tables/stored-row.ts';
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
import type { Reader } from './reader.ts';
import { whatItWaitsFor } from './waiting-reason.ts';

/** A page that must look at many documents to fill itself stops here and says where to go on. */
const SCAN_LIMIT_MS = 200;
/** So does one whose documents are large: it has to fit a message. At least one is on it. */
const PAGE_BYTES = 4 * 1024 * 1024;
export const SOON_MS = 3_600_000;

export function rowStatement(reader: Reader, collection: CatalogCollection): Statement<[number], StoredRow> {
  return reader.db.prepare<[number], StoredRow>(
    `SELECT ${ROW} FROM documents_${collection.id} WHERE row = ?`,
  );
}

/** The stored document under an `_id`, unless it is dead. Throws DOCUMENT_NOT_FOUND. */
export function findDocument(reader: Reader, collection: CatalogCollection, id: string): StoredRow {
  const stored = storedUnder(reader, collection, id);
  if (stored === null) throw noSuchDocument(collection.name, id);
  return stored;
}

/** Null where there is none, or a dead one. */
export function storedUnder(reader: Reader, collection: CatalogCollection, id: string): StoredRow | null {
  const stored = reader.db
    .prepare<[string], StoredRow>(
      `SELECT ${ROW} FROM documents_${collection.id} WHERE row = (SELECT row FROM keys_${collection.id} WHERE id = ?)`,
    )
    .get(id);
  return stored === undefined || reader.dead.of(collection.id).has(stored.row) ? null : stored;
}

/** Throws DOCUMENT_NOT_FOUND, also for one that is due and hidden unless `includeExpired` [V1]. */
export function getDocument(
  reader: Reader,
  name: string,
  id: string,
  includeExpired: boolean,
  now: number,
): DocumentRecord {
  const collection = reader.collection(name);
  const record = toRecord(reader, findDocument(reader, collection, id), collection, now);
  if (!includeExpired && record.hidden) throw noSuchDocument(name, id);
  return record;
}

/** Others wait no longer for a page that is read in one piece, ms. */
const AT_ONCE_MS = 25;

/** Reads a page in one piece; null where that takes too long: its documents are large, or an index's expression is costly. */
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
    // Closes what it reads from.
    scan.return?.();
  }
}

/** Reads a page, and yields after each document that was looked at. */
export function* scanDocuments(
  reader: Reader,
  query: DocumentQuery,
  now: number,
  elapsed: () => number,
): Generator<void, DocumentPage> {
  const collection = reader.collection(query.collection);
  checkOrder(collection, query);
  const stopAt = elapsed() + SCAN_LIMIT_MS;
  const documents: DocumentRecord[] = [];
  let bytes = 0;
  let last: Candidate | null = null;
  let partial = false;
  let next: string | null = null;
  for (const { candidate, found } of lookThrough(reader, collection, query, now)) {
    // At least one is looked at, so that a page always leads on.
    partial = last !== null && (elapsed() > stopAt || bytes > PAGE_BYTES);
    if (documents.length === query.limit || partial) {
      next = last === null ? null : encodeCursor(last);
      break;
    }
    last = candidate;
    const record = found();
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

/** What chooses documents, and in which order they are looked at. */
export type DocumentChoice = Omit<DocumentQuery, 'collection' | 'limit' | 'clip'>;

export interface LookedAt {
  candidate: Candidate;
  /** Reads it: its record, or null where it is none of those chosen. */
  found(): DocumentRecord | null;
}

/** Every row that may be meant by `choice`, in its order. Throws INVALID_FILTER, BAD_REQUEST before the first. */
export function* lookThrough(
  reader: Reader,
  collection: CatalogCollection,
  choice: DocumentChoice,
  now: number,
): Generator<LookedAt> {
  const wanted = matcher(choice);
  const read = rowStatement(reader, collection);
  const dead = reader.dead.of(collection.id);
  for (const candidate of inOrder(reader, collection, choice, now)) {
    yield {
      candidate,
      found: () => {
        const stored = dead.has(candidate.row) ? undefined : read.get(candidate.row);
        if (stored === undefined) return null;
        const record = toRecord(reader, stored, collection, now);
        return isMetHere(candidate, record) && wanted(record, stored) ? record : null;
      },
    };
  }
}

/** With several indexes a document is met once for each: it counts where it is governed. */
function isMetHere(candidate: Candidate, record: DocumentRecord): boolean {
  if (candidate.kind === 'deadline') return record.deadlineFrom === candidate.from;
  return candidate.kind !== 'never' || record.deadlineAt === null;
}

/** Throws BAD_REQUEST for an order that nothing serves. */
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

/** Its entries are in the order of the last write [D7]. */
function isOfLastWrite({ isReady, definition }: CatalogIndex): boolean {
  return isReady && definition.source.kind === 'lastModified';
}

function inOrder(
  reader: Reader,
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
      // Those without a deadline come last, unless a span of deadlines was asked for.
      withNever: span === null && query.index === undefined,
    });
  }
  return candidatesById(reader, collection, query, after);
}

/** The span of deadlines that a state or a window asks for, [from, to); null: any, and none. */
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

export function toRecord(
  reader: Reader,
  stored: StoredRow,
  collection: CatalogCollection,
  now: number,
): DocumentRecord {
  const document = readBody(stored.body);
  if (!isJsonObject(document))
    throw new SandglassError('STORE_UNREADABLE', `${stored.id} is stored as no document.`);
  const out = reader.quarantine.sourcesOf(collection.id, stored.row);
  const deadline = storedDeadline(stored, document, collection.indexes, out);
  return {
    _id: stored.id,
    document,
    updatedAt: stored.updatedAt,
    deadlineAt: deadlineAt(deadline),
    deadlineFrom: nameOf(deadline),
    state: stateOf(deadline, collection, reader.catalog, now, out.size > 0),
    hidden: isHidden(deadline, now),
    bytes: bodyBytes(stored.body),
    ...waits(deadline, collection, reader, now),
  };
}

function waits(
  deadline: Deadline<CatalogIndex>,
  collection: CatalogCollection,
  reader: Reader,
  now: number,
): Pick<DocumentRecord, 'waitsFor'> {
  const at = deadlineAt(deadline);
  return at === null || now < at ? {} : { waitsFor: whatItWaitsFor(deadline, collection, reader) };
}

export function nameOf(deadline: Deadline<CatalogIndex>): string | null {
  if (deadline.kind === 'index') return deadline.rule.name;
  return deadline.kind === 'none' ? null : EXPLICIT;
}

/** What a document is waiting for; see `documentState` of the contract. */
export function stateOf(
  deadline: Deadline<CatalogIndex>,
  collection: CatalogCollection,
  catalog: Catalog,
  now: number,
  /** Some rule has given up on it [A5]. */
  isQuarantined: boolean,
): DocumentState {
  if (deadline.kind === 'pinned') return 'pinned';
  if (deadline.kind === 'none') return isQuarantined ? 'quarantined' : 'never';
  if (now < deadline.at) return deadline.at - now < SOON_MS ? 'soon' : 'live';
  const paused =
    catalog.paused !== null ||
    collection.paused !== null ||
    (deadline.kind === 'index' && deadline.rule.isPaused);
  return paused ? 'paused' : 'overdue';
}

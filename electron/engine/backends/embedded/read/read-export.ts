import { EXPIRATION_MEMBER, type ExportedExpiration } from '../../../../../shared/contract/exports.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { type Deadline, deadlineAt, isHidden, NEVER } from '../../../expiry/deadline.ts';
import type { ExportPage, ExportQuery } from '../../backend.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import { bodyText, readAction, readBody } from '../tables/documents/stored-json.ts';
import { ROW, type StoredRow } from '../tables/documents/stored-row.ts';
import { encodeCursor } from './document-order.ts';
import type { ReadConnection } from './read-connection.ts';
import {
  type DocumentChoice,
  rowStatement,
  scanCandidates,
  sourceNameOf,
  storedUnder,
} from './read-documents.ts';

/** Bounds of a page, so that it fits a message and does not block other reads. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;
const PAGE_MS = 50;

/**
 * Returns a page of a collection as NDJSON, each document's text as written: all documents in file order, matches of a
 * filter in list order, or `ids` in theirs. A page is true of one revision; a document written between two pages is in
 * one of them or in none, never in both. Throws BAD_REQUEST, INVALID_FILTER.
 */
export function exportPage(
  reader: ReadConnection,
  query: ExportQuery,
  now: number,
  elapsed: () => number,
): ExportPage {
  const collection = reader.collection(query.collection);
  const stopAt = elapsed() + PAGE_MS;
  const lines: string[] = [];
  let characters = 0;
  let last: string | null = null;
  let next: string | null = null;
  for (const { stored, cursor } of rowsOf(reader, collection, query, now)) {
    const isFull = lines.length >= query.limit || characters >= PAGE_CHARACTERS || elapsed() > stopAt;
    if (last !== null && isFull) {
      next = last;
      break;
    }
    last = cursor();
    const line = stored === null ? null : lineOf(reader, collection, stored, query, now);
    if (line === null) continue;
    lines.push(line);
    characters += line.length;
  }
  return {
    text: lines.map(line => `${line}\n`).join(''),
    documents: lines.length,
    next,
    revision: reader.revision,
  };
}

/** Returns null if the document is hidden and hidden ones are excluded [V1]. */
function lineOf(
  reader: ReadConnection,
  collection: CatalogCollection,
  stored: StoredRow,
  { deadlines, includeExpired }: ExportQuery,
  now: number,
): string | null {
  const needsDeadline = deadlines || stored.explicitAt !== null || collection.indexes.length > 0;
  const deadline: Deadline<CatalogIndex> = needsDeadline
    ? storedDeadline(
        stored,
        readBody(stored.body),
        collection.indexes,
        reader.quarantine.sourcesOf(collection.id, stored.row),
      )
    : { kind: 'none' };
  if (!includeExpired && isHidden(deadline, now)) return null;
  return onOneLine(bodyText(stored.body), deadlines ? expirationOf(stored, deadline, now) : null);
}

interface ExportedRow {
  /** Null if the row does not match. */
  stored: StoredRow | null;
  /** Cursor after this row. */
  cursor(): string;
}

function rowsOf(
  reader: ReadConnection,
  collection: CatalogCollection,
  { ids, filter, after, includeExpired }: ExportQuery,
  now: number,
): Iterable<ExportedRow> {
  if (ids !== undefined && filter !== undefined)
    throw new SandglassError('BAD_REQUEST', 'Give `ids` or a `filter`, not both.');
  if (ids !== undefined) return rowsOfIds(reader, collection, ids, rowOf(after));
  if (filter === undefined) return allRows(reader, collection, rowOf(after));
  const order = { sort: '_id', order: 'asc', includeExpired } as const;
  return matchingRows(reader, collection, { ...filter, ...order, after }, now);
}

function* allRows(
  reader: ReadConnection,
  collection: CatalogCollection,
  after: number,
): Generator<ExportedRow> {
  const rows = reader.db.prepare<[number], StoredRow>(
    `SELECT ${ROW} FROM documents_${collection.id} WHERE row > ? ORDER BY row`,
  );
  for (const stored of rows.iterate(after))
    yield {
      stored: reader.tombstones.isDead(collection.id, stored) ? null : stored,
      cursor: () => String(stored.row),
    };
}

/** `after` is the number of ids already exported. */
function* rowsOfIds(
  reader: ReadConnection,
  collection: CatalogCollection,
  ids: readonly string[],
  after: number,
): Generator<ExportedRow> {
  for (let i = after; i < ids.length; i++) {
    const stored = storedUnder(reader, collection, ids[i] ?? '');
    yield { stored, cursor: () => String(i + 1) };
  }
}

function* matchingRows(
  reader: ReadConnection,
  collection: CatalogCollection,
  choice: DocumentChoice,
  now: number,
): Generator<ExportedRow> {
  const read = rowStatement(reader, collection);
  for (const { candidate, readIfMatching } of scanCandidates(reader, collection, choice, now)) {
    const stored = readIfMatching() === null ? undefined : read.get(candidate.row);
    yield { stored: stored ?? null, cursor: () => encodeCursor(candidate) };
  }
}

function rowOf(after: string | undefined): number {
  if (after === undefined) return 0;
  if (!/^[0-9]{1,15}$/.test(after))
    throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', { after });
  return Number(after);
}

function expirationOf(
  { explicitAt, explicitAfterMs, explicitAction }: StoredRow,
  deadline: Deadline<CatalogIndex>,
  now: number,
): ExportedExpiration {
  const kept: ExportedExpiration = {
    deadlineAt: deadlineAt(deadline),
    deadlineFrom: sourceNameOf(deadline),
    exportedAt: now,
  };
  if (explicitAt === NEVER) kept.explicit = { never: true };
  else if (explicitAt !== null) {
    const action = explicitAction === null ? {} : { onExpire: readAction(explicitAction) };
    kept.explicit = { at: explicitAt, ...action };
  }
  if (explicitAfterMs !== null) kept.after = explicitAfterMs / 1000;
  return kept;
}

/** A line break in JSON is white space between tokens; strings cannot contain one. */
function onOneLine(body: string, expiration: ExportedExpiration | null): string {
  const line = body.replaceAll(/[\r\n]+/g, ' ').trim();
  if (expiration === null) return line;
  const rest = line.slice(0, -1).trimEnd();
  const comma = rest.endsWith('{') ? '' : ',';
  return `${rest}${comma}${JSON.stringify(EXPIRATION_MEMBER)}:${stringifyJson(expiration)}}`;
}

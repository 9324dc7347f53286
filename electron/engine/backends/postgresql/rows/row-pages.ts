import type { DocumentRecord, DocumentState } from '../../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { isJsonObject, parseJson } from '../../../../../shared/model/json/json.ts';
import type { Column } from '../catalog/columns.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { choiceSql, encodeCursor, Parameters, type RowChoice } from './row-choice.ts';
import type { RowDeadlines } from './row-deadlines.ts';
import { byName, bytesSql, documentSql, isClippedSql } from './row-document.ts';
import { hasKeySql, idOfKey, noSuchRow, type RowKey, rowKeySql } from './row-id.ts';

/** Rows that one page with a search for text reads at most. */
const SEARCHED_ROWS = 20_000;
/** Stored bytes of the rows of one page, of which the first may be larger. */
const PAGE_BYTES = 8 * 1024 * 1024;
const SOON_MS = 3_600_000;

/** A table as its rows are read. */
export interface ReadTable {
  readonly entry: TableEntry;
  readonly columns: readonly Column[];
  readonly deadlines: RowDeadlines;
}

interface RowOfPage {
  key: RowKey;
  document: string;
  /** As the server writes it; null: none. */
  deadline: string | null;
  deadlineMs: number | null;
  from: string | null;
  bytes: number;
  clipped: boolean;
  now: number;
}

interface RowsPage {
  readonly documents: DocumentRecord[];
  readonly next: string | null;
  readonly partial: boolean;
}

/** Returns a page of rows. Throws BAD_REQUEST, NOT_SUPPORTED; see `choiceSql`. */
export async function readRowPage(
  session: Session,
  table: ReadTable,
  choice: RowChoice,
  { limit, isClipped }: { limit: number; isClipped: boolean },
): Promise<RowsPage> {
  const { entry, columns, deadlines } = table;
  const parameters = new Parameters();
  const { where, orderBy, isByDeadline } = choiceSql(entry, choice, deadlines, parameters);
  const none = { documents: [], next: null, partial: false };
  if (where === null) return none;
  const text = choice.filter?.trim() ?? '';
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  // Values keep their names in the table out of the names of this statement.
  const values = columns.map((column, place) => `${byName('t')(column, place)} AS c${place}`);
  const source = `SELECT ${[
    ...values,
    `${rowKeySql(entry, 't')} AS key`,
    `${deadlines.deadline} AS deadline`,
    `${deadlines.from} AS "from"`,
  ].join(', ')} FROM ${quoteTable(entry.name)} t ${condition} ${orderBy}`;
  const ofRow = (_: Column, place: number) => `p.c${place}`;
  const found =
    text === ''
      ? `${source} LIMIT ${limit + 1}`
      : `SELECT * FROM (${source} LIMIT ${SEARCHED_ROWS}) p
          WHERE strpos(lower(${documentSql(columns, ofRow, false)}), lower(${parameters.add(text)})) > 0
            OR strpos(lower(array_to_string(p.key, ',')), lower(${parameters.add(text)})) > 0 LIMIT ${limit + 1}`;
  const { rows } = await session.query<RowOfPage>(
    `SELECT to_json(p.key) AS key, ${documentSql(columns, ofRow, isClipped)} AS document, p.deadline::text AS deadline,
        (extract(epoch FROM p.deadline) * 1000)::float8 AS "deadlineMs", p."from", p.bytes,
        ${isClipped ? isClippedSql(columns, ofRow) : 'false'} AS clipped,
        (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS now
      FROM (SELECT p.*, sum(p.bytes) OVER (ROWS UNBOUNDED PRECEDING) - p.bytes AS before
        FROM (SELECT p.*, ${bytesSql(columns, ofRow)} AS bytes FROM (${found}) p) p) p
      ${isClipped ? '' : `WHERE p.before < ${PAGE_BYTES}`}`,
    parameters.values,
  );
  const shown = rows.slice(0, limit);
  const documents = shown.map(row => recordOf(row, deadlines));
  const last = shown.at(-1);
  const cursorOf = ({ key, deadline }: RowOfPage) => encodeCursor(isByDeadline ? { key, deadline } : { key });
  if (rows.length > limit && last !== undefined) return { documents, next: cursorOf(last), partial: false };
  if (text !== '') {
    const place = await lastSearched(session, source, parameters.values.slice(0, -2), isByDeadline);
    if (place !== null) return { documents, next: place, partial: true };
    return { documents, next: null, partial: false };
  }
  if (isClipped || last === undefined) return { documents, next: null, partial: false };
  const bytes = shown.reduce((sum, row) => sum + row.bytes, 0);
  // The page may have ended by its bytes; the next one is then empty at worst.
  return bytes < PAGE_BYTES
    ? { documents, next: null, partial: false }
    : { documents, next: cursorOf(last), partial: true };
}

/** Returns the cursor of the last row that a search has read; null: it has read all. */
async function lastSearched(
  session: Session,
  source: string,
  values: readonly unknown[],
  isByDeadline: boolean,
): Promise<string | null> {
  const { rows } = await session.query<{ key: RowKey; deadline: string | null }>(
    `SELECT to_json(p.key) AS key, p.deadline::text AS deadline FROM (${source} OFFSET ${SEARCHED_ROWS - 1} LIMIT 1) p`,
    values,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return encodeCursor(isByDeadline ? row : { key: row.key });
}

/** Returns one row, complete. Throws DOCUMENT_NOT_FOUND. */
export async function readRow(session: Session, table: ReadTable, key: RowKey): Promise<DocumentRecord> {
  const { entry, columns, deadlines } = table;
  const named = byName('t');
  const { rows } = await session.query<RowOfPage>(
    `SELECT to_json(${rowKeySql(entry, 't')}) AS key, ${documentSql(columns, named, false)} AS document,
        NULL AS deadline, (extract(epoch FROM ${deadlines.deadline}) * 1000)::float8 AS "deadlineMs",
        ${deadlines.from} AS "from", ${bytesSql(columns, named)} AS bytes, false AS clipped,
        (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS now
      FROM ${quoteTable(entry.name)} t WHERE ${hasKeySql(entry, 't', 1)}`,
    [...key],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchRow(entry.collection, idOfKey(key));
  return recordOf(row, deadlines);
}

/** Rows past their deadline are not hidden: the applications of the database read them until they are removed. */
function recordOf(row: RowOfPage, { isPaused }: RowDeadlines): DocumentRecord {
  const { key, document, deadlineMs, from, bytes, clipped, now } = row;
  const parsed = parseJson(document);
  if (!isJsonObject(parsed)) throw new SandglassError('INTERNAL_SERVER_ERROR', 'A row is no JSON object.');
  const _id = idOfKey(key);
  const state = stateAt(deadlineMs, now, isPaused);
  return {
    _id,
    // First, as in documents; a column of that name gives way.
    document: Object.assign({ _id }, parsed, { _id }),
    updatedAt: 0,
    deadlineAt: deadlineMs,
    deadlineFrom: from,
    state,
    hidden: false,
    bytes,
    ...(state === 'overdue' && { waitsFor: 'reaper' as const }),
    ...(state === 'paused' && { waitsFor: 'paused index' as const }),
    ...(clipped && { clipped: true as const }),
  };
}

function stateAt(deadlineMs: number | null, now: number, isPaused: boolean): DocumentState {
  if (deadlineMs === null) return 'never';
  if (deadlineMs <= now) return isPaused ? 'paused' : 'overdue';
  return deadlineMs - now < SOON_MS ? 'soon' : 'live';
}

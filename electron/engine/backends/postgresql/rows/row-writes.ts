import { SandglassError } from '../../../../../shared/model/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../../../shared/model/json/json.ts';
import type { PartResult } from '../../backend.ts';
import { type Column, readColumns } from '../catalog/columns.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { quoteName, quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { byName, documentSql } from './row-document.ts';
import { hasKeySql, idOfKey, keyOfId, noSuchRow, type RowKey } from './row-id.ts';
import { isRowOfKeySql, keysSql, namesNoRow, withKeyOf } from './row-keys.ts';

/**
 * Replaces the values of a row that differ; the columns that the document omits stay. Values are cast by the server to the
 * types of their columns. Call it in a transaction. Throws DOCUMENT_NOT_FOUND, INVALID_DOCUMENT.
 */
export async function putRow(
  session: Session,
  entry: TableEntry,
  id: string,
  document: JsonObject,
): Promise<void> {
  const columns = await readColumns(session, entry);
  const { key, present } = await withKeyOf(entry, id, async rowKey => ({
    key: rowKey,
    present: await lockedRow(session, entry, columns, rowKey),
  }));
  const changed = changedValues(entry, columns, document, present);
  const names = Object.keys(changed);
  if (names.length === 0) return;
  const values = `json_populate_record(NULL::${quoteTable(entry.name)}, $${key.length + 1}::json)`;
  const sets = names.map(name => `${quoteName(name)} = v.${quoteName(name)}`);
  await session.query(
    `UPDATE ${quoteTable(entry.name)} t SET ${sets.join(', ')} FROM ${values} v WHERE ${hasKeySql(entry, 't', 1)}`,
    [...key, stringifyJson(changed)],
  );
}

async function lockedRow(
  session: Session,
  entry: TableEntry,
  columns: readonly Column[],
  key: RowKey,
): Promise<JsonObject> {
  const { rows } = await session.query<{ document: string }>(
    `SELECT ${documentSql(columns, byName('t'), false)} AS document FROM ${quoteTable(entry.name)} t
      WHERE ${hasKeySql(entry, 't', 1)} FOR UPDATE OF t`,
    [...key],
  );
  const [row] = rows;
  const document = row === undefined ? undefined : parseJson(row.document);
  if (!isJsonObject(document)) throw noSuchRow(entry.collection, idOfKey(key));
  return document;
}

/** Returns the members that differ from the row. Throws INVALID_DOCUMENT for one that is no column, or cannot be written. */
function changedValues(
  { collection, key }: TableEntry,
  columns: readonly Column[],
  document: JsonObject,
  present: JsonObject,
): JsonObject {
  const changed: JsonObject = Object.create(null);
  const refuse = (column: string, problem: string) =>
    new SandglassError('INVALID_DOCUMENT', `${collection}: ${problem}`, { column });
  for (const [name, value] of Object.entries(document)) {
    const column = columns.find(found => found.name === name);
    if (column === undefined) {
      if (name === '_id') continue;
      throw refuse(name, `there is no column ${name}. Columns are added by ALTER TABLE.`);
    }
    if (stringifyJson(value) === stringifyJson(present[name] ?? null)) continue;
    if (key.some(part => part.name === name))
      throw refuse(
        name,
        `${name} is part of the primary key, which stays. Write another row, and delete this one.`,
      );
    if (column.isGenerated) throw refuse(name, `the server computes ${name}.`);
    changed[name] = value;
  }
  return changed;
}

interface Failure {
  _id: string;
  code: string;
  message: string;
}

/** Rows that one statement deletes at most. */
const ROWS_A_STATEMENT = 500;

/**
 * Deletes rows, each of which succeeds or fails alone; one that another transaction holds fails after the lock timeout. Call
 * it outside of a transaction.
 */
export async function deleteRows(
  session: Session,
  entry: TableEntry,
  ids: readonly string[],
  isOver: (() => boolean) | undefined,
): Promise<Omit<PartResult, 'revision'>> {
  const failed: Failure[] = [];
  let done = 0;
  while (done < ids.length && !(done > 0 && isOver?.() === true)) {
    const part = ids.slice(done, done + ROWS_A_STATEMENT);
    failed.push(...(await deletePart(session, entry, part)));
    done += part.length;
  }
  const left = ids.length - done;
  return { succeeded: done - failed.length, failed, ...(left > 0 && { left }) };
}

/** Deletes rows by one statement and, if that fails, in halves. */
async function deletePart(session: Session, entry: TableEntry, ids: readonly string[]): Promise<Failure[]> {
  try {
    const keys = JSON.stringify(ids.map(id => keyOfId(entry, id)));
    const { rows } = await session.query<{ place: number }>(
      `DELETE FROM ${quoteTable(entry.name)} t USING ${keysSql} k WHERE ${isRowOfKeySql(entry)} RETURNING k.place`,
      [keys],
    );
    const deleted = new Set(rows.map(({ place }) => place - 1));
    return ids.flatMap((id, i) =>
      deleted.has(i) ? [] : failureOf(noSuchRow(entry.collection, id), entry, id),
    );
  } catch (error) {
    if (ids.length === 1) return ids.map(id => failureOf(error, entry, id));
    const middle = Math.floor(ids.length / 2);
    const first = await deletePart(session, entry, ids.slice(0, middle));
    return [...first, ...(await deletePart(session, entry, ids.slice(middle)))];
  }
}

/** Throws what is no refusal of this one row, such as a lost connection. */
function failureOf(error: unknown, { collection }: TableEntry, _id: string): Failure {
  const known = namesNoRow(error) ? noSuchRow(collection, _id) : error;
  if (!(known instanceof SandglassError) || known.code === 'SERVER_UNREACHABLE') throw error;
  return { _id, code: known.code, message: known.message };
}

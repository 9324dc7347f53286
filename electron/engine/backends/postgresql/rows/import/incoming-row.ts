import { SandglassError } from '../../../../../../shared/model/errors.ts';
import type { JsonObject, JsonValue } from '../../../../../../shared/model/json/json.ts';
import { stringifyJson } from '../../../../../../shared/model/json/json.ts';
import type { ImportedDocument } from '../../../port/import.ts';
import type { Column } from '../../catalog/columns.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import { idOfKey, keyOfId } from '../row-id.ts';

/** A row to insert. */
export interface IncomingRow {
  readonly document: ImportedDocument;
  /** Values by column. */
  readonly values: JsonObject;
  /** Null: the server generates a part of the key. */
  readonly id: string | null;
}

/**
 * Returns the row of a document. Its `_id` gives the columns of the key that the document omits; columns that the server
 * computes are left out. Throws INVALID_DOCUMENT for members that are no columns, with their names, and for an `_id` that
 * is no key of the table.
 */
export function incomingRow(
  entry: TableEntry,
  columns: readonly Column[],
  document: ImportedDocument,
): IncomingRow {
  const names = new Set(columns.map(({ name }) => name));
  const given: JsonObject = { ...document.document };
  if (names.has('_id') && document.id !== null) given._id ??= document.id;
  const unknown = Object.keys(given).filter(name => !names.has(name));
  if (unknown.length > 0) {
    throw invalid(
      `${entry.collection} has no column ${unknown.join(', ')}. Columns are added by ALTER TABLE.`,
      { columns: unknown },
    );
  }
  const isKey = (name: string) => entry.key.some(part => part.name === name);
  for (const { name, isGenerated } of columns) if (isGenerated && !isKey(name)) delete given[name];
  const omitted = entry.key.some(({ name }) => given[name] === undefined);
  if (omitted && document.id !== null) {
    const key = rowKey(entry, document.id);
    entry.key.forEach(({ name }, i) => {
      given[name] ??= key[i] ?? null;
    });
  }
  const parts = entry.key.map(({ name }) => given[name]);
  const id = parts.every(part => part !== undefined && part !== null) ? idOfKey(parts.map(textOf)) : null;
  return { document, values: given, id };
}

function rowKey(entry: TableEntry, id: string): readonly string[] {
  try {
    return keyOfId(entry, id);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    const key = entry.key.map(({ name }) => name).join(', ');
    throw invalid(`The _id ${id} is no key of ${entry.collection}, which is (${key}).`, { _id: id });
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

function invalid(message: string, data: Record<string, unknown>): SandglassError {
  return new SandglassError('INVALID_DOCUMENT', message, data);
}

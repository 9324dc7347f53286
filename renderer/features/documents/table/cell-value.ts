import { t } from '@lingui/core/macro';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';
import { type Column, fieldValue } from './columns.ts';

/** `text`: a string as it stands, without quotes. `json`: any other JSON value. */
export type CellMode = 'text' | 'json';

export type ReadCell = { value: JsonValue } | { problem: string };

/** A string keeps its type by default, also if it looks like a number. */
export function cellModeOf(value: JsonValue | undefined, column: Pick<Column, 'isNumeric'>): CellMode {
  return typeof value === 'string' || (value === undefined && !column.isNumeric) ? 'text' : 'json';
}

/** Returns the text in which a value is edited. */
export function cellText(value: JsonValue | undefined, mode: CellMode): string {
  if (value === undefined) return '';
  return mode === 'text' && typeof value === 'string' ? value : stringifyJson(value);
}

/** Reads an edited value; integers beyond 2^53 are kept [C1]. */
export function readCell(text: string, mode: CellMode): ReadCell {
  if (mode === 'text') return { value: text };
  if (text.trim() === '') return { problem: t`Empty. Write null for no value.` };
  try {
    const read = parseJson(`[${text}\n]`);
    if (Array.isArray(read) && read.length === 1) return { value: read[0] };
  } catch {
    // Shown as a problem, as several values are.
  }
  return { problem: t`Not JSON: a number, true, false, null, "text", […] or ${'{…}'}.` };
}

/** Returns `number`, `text`, `true or false`, `null`, `list` or `object`. */
export function formatType(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return t`list`;
  switch (typeof value) {
    case 'string':
      return t`text`;
    case 'boolean':
      return t`true or false`;
    case 'object':
      return t`object`;
    default:
      return t`number`;
  }
}

/** Returns whether two values are the same JSON; undefined: no such field. */
export function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return stringifyJson(one) === stringifyJson(other);
}

/** Returns the document with another value of one field; an absent parent becomes an object. */
export function withField(document: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return document;
  if (rest.length === 0) return { ...document, [name]: value };
  const inner = fieldValue(document, [name]);
  return { ...document, [name]: withField(isJsonObject(inner) ? inner : {}, rest, value) };
}

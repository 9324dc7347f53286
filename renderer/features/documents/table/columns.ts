import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/model/json/json.ts';

/** A column of the table. The first five exist for every document; `field:` columns come from the data. */
export interface Column {
  id: string;
  title: string;
  width: number;
  isNumeric: boolean;
  isCode: boolean;
  /** Path into the document, of `field:` columns. */
  path: readonly string[] | null;
}

const ID_COLUMN: Column = {
  id: '_id',
  title: '_id',
  width: 136,
  isNumeric: false,
  isCode: true,
  path: null,
};
const STATE_COLUMN: Column = {
  id: 'state',
  title: t`State`,
  width: 110,
  isNumeric: false,
  isCode: false,
  path: null,
};
const DEADLINE_COLUMN: Column = {
  id: 'deadline',
  title: t`Deadline`,
  width: 258,
  isNumeric: false,
  isCode: false,
  path: null,
};
const FROM_COLUMN: Column = {
  id: 'from',
  title: t({ message: 'From', context: 'column: the rule that gives the deadline' }),
  width: 108,
  isNumeric: false,
  isCode: false,
  path: null,
};
const WRITTEN_COLUMN: Column = {
  id: 'updatedAt',
  title: t`Last write`,
  width: 120,
  isNumeric: false,
  isCode: false,
  path: null,
};
const FIXED = [ID_COLUMN, STATE_COLUMN, DEADLINE_COLUMN, FROM_COLUMN, WRITTEN_COLUMN] as const;

/** Field columns shown by default. */
export const SHOWN_FIELDS = 8;
const MOST_FIELDS = 100;
const CHARACTER = 7.3;
const PADDING = 18;

/** Returns the fixed columns, then field columns, the most frequent fields first. */
export function columnsOf(rows: readonly DocumentRecord[]): Column[] {
  const fields = new Map<string, FieldSeen>();
  for (const { document } of rows) visit(document, [], fields);
  const found = [...fields.values()]
    .sort((a, b) => b.count - a.count || a.order - b.order)
    .slice(0, MOST_FIELDS)
    .map(toColumn);
  return [...FIXED, ...found];
}

interface FieldSeen {
  path: readonly string[];
  order: number;
  count: number;
  numbers: number;
  longest: number;
}

function visit(value: JsonObject, prefix: readonly string[], fields: Map<string, FieldSeen>): void {
  for (const [name, inner] of Object.entries(value)) {
    if (prefix.length === 0 && name === '_id') continue;
    const path = [...prefix, name];
    // Fields of nested objects become columns, one level deep; deeper objects are shown as JSON.
    if (isJsonObject(inner) && prefix.length === 0 && !name.includes('.') && Object.keys(inner).length > 0) {
      visit(inner, path, fields);
      continue;
    }
    const key = path.join('.');
    const seen = fields.get(key) ?? { path, order: fields.size, count: 0, numbers: 0, longest: key.length };
    seen.count += 1;
    if (typeof inner === 'number' || typeof inner === 'bigint') seen.numbers += 1;
    seen.longest = Math.max(seen.longest, lengthOf(inner));
    fields.set(key, seen);
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : typeof value === 'object' ? 18 : String(value).length;
}

function toColumn({ path, count, numbers, longest }: FieldSeen): Column {
  const title = path.join('.');
  const width = Math.round(Math.min(260, Math.max(72, longest * CHARACTER + PADDING)));
  return { id: `field:${title}`, title, width, isNumeric: numbers === count, isCode: true, path };
}

/** Returns undefined if the document has no such field. */
export function fieldValue(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

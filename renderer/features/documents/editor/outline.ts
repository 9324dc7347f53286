import { plural, t } from '@lingui/core/macro';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';

/** One line of a document shown as a tree or as a table. */
export interface OutlineRow {
  /** Unique within the document. */
  key: string;
  name: string;
  /** Depth; 0: a field of the document itself. */
  depth: number;
  /** The value in one line, cut off; for a branch, its number of members. */
  text: string;
  value: JsonValue;
  type: ValueType;
  /** Members; null: not a branch. */
  members: number | null;
  isOpen: boolean;
}

export type ValueType = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

export const TYPE_LABEL: Readonly<Record<ValueType, string>> = {
  text: t`text`,
  number: t`number`,
  boolean: t`boolean`,
  null: 'null',
  list: t`list`,
  object: t`object`,
};

const LONGEST = 400;

function typeOf(value: JsonValue): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

/** Returns the members of the document, and of the branches whose keys are in `open`. */
export function treeRows(document: JsonObject, open: ReadonlySet<string>): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const visit = (value: JsonValue, prefix: string, depth: number) => {
    for (const [name, inner] of membersOf(value)) {
      const key = `${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const isOpen = open.has(key);
      rows.push(rowOf(key, name, depth, inner, isOpen));
      if (isOpen) visit(inner, key, depth + 1);
    }
  };
  visit(document, '', 0);
  return rows;
}

/** Returns every value, by its path: `meta.ip`, `items[3].name`. */
export function tableRows(document: JsonObject): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const visit = (value: JsonValue, prefix: string) => {
    const isList = Array.isArray(value);
    for (const [name, inner] of membersOf(value)) {
      const path = isList ? `${prefix}[${name}]` : prefix === '' ? name : `${prefix}.${name}`;
      if (countOf(inner) === 0 || countOf(inner) === null)
        rows.push(rowOf(`${rows.length}`, path, 0, inner, false));
      else visit(inner, path);
    }
  };
  visit(document, '');
  return rows;
}

/** Returns the keys of all branches with at most `most` members, for a tree that begins open. */
export function smallBranches(document: JsonObject, most: number): Set<string> {
  return new Set(
    treeRows(document, new Set())
      .filter(({ members }) => members !== null && members <= most)
      .map(({ key }) => key),
  );
}

function membersOf(value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value)) return value.map((inner, index) => [String(index), inner]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function countOf(value: JsonValue): number | null {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
}

function rowOf(key: string, name: string, depth: number, value: JsonValue, isOpen: boolean): OutlineRow {
  const members = countOf(value);
  return { key, name, depth, value, type: typeOf(value), members, isOpen, text: textOf(value, members) };
}

function textOf(value: JsonValue, members: number | null): string {
  if (members !== null) {
    if (members === 0) return Array.isArray(value) ? '[]' : '{}';
    return Array.isArray(value)
      ? plural(members, { one: '# item', other: '# items' })
      : plural(members, { one: '# field', other: '# fields' });
  }
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

import { SandglassError } from '../errors.ts';
import type { CsvField } from './csv-rows.ts';

/**
 * Conversion of the fields of a row into one document: columns are leaves of a tree, given by the dots in their names.
 */
export interface CsvColumns {
  readonly names: readonly string[];
  /** Returns the JSON text of a row's document, or the problem of the row. */
  documentOf(fields: readonly CsvField[]): { text: string } | { problem: string };
}

type Branch = Map<string, Branch | number>;

/** A number in JSON; an exponent needs a sign, so that an `_id` such as 12e4 stays text. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-][0-9]+)?$/;
const BOOLEAN = /^(?:true|false|TRUE|FALSE)$/;

/**
 * Reads the first row as column names. `a.b` becomes the member `b` of an object `a`, unless there is also a column
 * `a`. Fields without quotes that are numbers, true or false become these, with digits unchanged; an empty one is
 * omitted; dates stay text. Fields in quotes are text, unless the names are in quotes too: then quotes are ignored.
 * `_id` is always text. The column `jsonColumn` contains JSON. Throws INVALID_FILE with the problem of the names.
 */
export function csvColumns(header: readonly CsvField[], jsonColumn: string): CsvColumns {
  const names = header.map(({ text }) => text.trim());
  const blank = names.indexOf('');
  if (blank >= 0) throw badNames(`Column ${blank + 1} has no name.`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw badNames(`Two columns are named “${twice}”.`);
  const quotesAreText = !header.every(({ isQuoted }) => isQuoted);
  const tree = treeOf(names);
  return {
    names,
    documentOf(fields) {
      if (fields.length !== names.length) {
        return { problem: `It has ${fields.length} fields; the first row names ${names.length}.` };
      }
      const text = objectText(tree, column => {
        const field = fields[column];
        if (field === undefined || names[column] === undefined) return null;
        const isJsonColumn = names[column] === jsonColumn && isJson(field.text);
        return isJsonColumn ? field.text : valueText(names[column], field, quotesAreText);
      });
      return text === null ? { problem: 'All its fields are empty.' } : { text };
    },
  };
}

function badNames(what: string): SandglassError {
  return new SandglassError('INVALID_FILE', `The first row of CSV names the columns. ${what}`);
}

function treeOf(names: readonly string[]): Branch {
  const tree: Branch = new Map();
  const known = new Set(names);
  names.forEach((name, column) => {
    const path = pathOf(name, known);
    let branch = tree;
    for (const step of path.slice(0, -1)) {
      const next = branch.get(step);
      const inner: Branch = next instanceof Map ? next : new Map();
      branch.set(step, inner);
      branch = inner;
    }
    branch.set(path.at(-1) ?? name, column);
  });
  return tree;
}

/** Whether a name is split at its dots: not if a part of it would be a value and an object at once. */
function pathOf(name: string, known: ReadonlySet<string>): string[] {
  const path = name.split('.');
  const isWhole = path.includes('') || path.some((_, i) => i > 0 && known.has(path.slice(0, i).join('.')));
  return isWhole ? [name] : path;
}

/** Returns null if all fields below are empty. */
function objectText(branch: Branch, value: (column: number) => string | null): string | null {
  const members: string[] = [];
  for (const [name, inner] of branch) {
    const text = typeof inner === 'number' ? value(inner) : objectText(inner, value);
    if (text !== null) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return members.length === 0 ? null : `{${members.join(',')}}`;
}

function valueText(name: string, { text, isQuoted }: CsvField, quotesAreText: boolean): string | null {
  if (text === '') return isQuoted && quotesAreText ? '""' : null;
  if (name === '_id' || (isQuoted && quotesAreText)) return JSON.stringify(text);
  if (isNumber(text)) return text;
  return BOOLEAN.test(text) ? text.toLowerCase() : JSON.stringify(text);
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

/** Returns whether text without quotes is read as a number or a boolean. */
export function isBareValue(text: string): boolean {
  return BOOLEAN.test(text) || isNumber(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

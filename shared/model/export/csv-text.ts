import { isBareValue } from '../import/csv-documents.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';

/** The columns of the CSV of these documents, in the order they were first seen; `_id` is the first. */
export class CsvColumnNames {
  readonly #last: string;
  readonly #names = new Set<string>(['_id']);
  #hasLast = false;

  /** Returns the columns; `last` is put after all others, if a document has it. */
  constructor(last: string) {
    this.#last = last;
  }

  add(document: JsonObject): void {
    for (const [name] of leavesOf(document, this.#last)) {
      if (name === this.#last) this.#hasLast = true;
      else this.#names.add(name);
    }
  }

  get names(): readonly string[] {
    return this.#hasLast ? [...this.#names, this.#last] : [...this.#names];
  }
}

export interface CsvOptions {
  /**
   * Whether text that a spreadsheet would run as a formula gets an apostrophe in front, which an import does not
   * remove.
   */
  formulasAsText?: boolean;
}

/** First characters of a formula in common spreadsheets, also after white space. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;

export interface CsvWriter {
  header(): string;
  row(document: JsonObject): string;
  /** Number of documents with a field that is not a column; the field is omitted. */
  readonly incomplete: number;
}

/**
 * Writes documents as rows of CSV, so that an import reads flat documents back unchanged: objects become columns with
 * dots in their names; arrays and empty objects become JSON; null becomes an empty field; text that resembles a number
 * is quoted. The member `json` is always written as JSON.
 */
export function csvWriter(
  columns: readonly string[],
  json: string,
  { formulasAsText = false }: CsvOptions = {},
): CsvWriter {
  let incomplete = 0;
  const known = new Set(columns);
  const textOf = (value: JsonValue | undefined) =>
    formulasAsText && typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;
  const headerOf = (name: string) => (formulasAsText && FORMULA.test(name) ? `'${name}` : name);
  return {
    header: () => rowOf(columns.map(headerOf).map(name => quotedWhere(name, NEEDS_QUOTES.test(name)))),
    row(document) {
      const leaves = new Map(leavesOf(document, json));
      for (const name of leaves.keys()) {
        if (known.has(name)) continue;
        incomplete += 1;
        break;
      }
      const row = columns.map(name => fieldText(name, textOf(leaves.get(name)), json));
      return rowOf(row);
    },
    get incomplete() {
      return incomplete;
    },
  };
}

const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$|^\uFEFF/;

function* leavesOf(document: JsonObject, json: string, prefix = ''): Generator<[string, JsonValue]> {
  for (const [name, value] of Object.entries(document)) {
    const path = prefix + name;
    const isBranch = isJsonObject(value) && path !== json && Object.keys(value).length > 0;
    if (isBranch) yield* leavesOf(value, json, `${path}.`);
    else yield [path, value];
  }
}

function fieldText(name: string, value: JsonValue | undefined, json: string): string {
  if (value === undefined || (value === null && name !== json)) return '';
  if (typeof value === 'string' && name !== json) {
    const looksElse = value === '' || (name !== '_id' && isBareValue(value));
    return quotedWhere(value, looksElse || NEEDS_QUOTES.test(value));
  }
  const text = stringifyJson(value);
  return quotedWhere(text, NEEDS_QUOTES.test(text));
}

function quotedWhere(text: string, isNeeded: boolean): string {
  return isNeeded ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowOf(fields: readonly string[]): string {
  return `${fields.join(',')}\n`;
}

import type { Database, Statement } from 'better-sqlite3';
import { ttlSource } from '../../../../../../shared/contract/ttl-indexes.ts';
import { referenceTimeReader } from '../../../../../../shared/model/expressions/reference-time-reader.ts';
import { parseJson } from '../../../../../../shared/model/json/json.ts';
import { READING_RULES_VERSION } from '../../../../../../shared/model/reading-rules.ts';
import type { TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import { RowSet } from '../documents/row-set.ts';
import { readBody } from '../documents/stored-json.ts';
import type { StoredRow } from '../documents/stored-row.ts';
import { EXPLICIT_SOURCE } from '../explicit-source.ts';
import type { ExpiredInterval } from './expired-interval.ts';
import { damagedText } from './packed-removals.ts';

export type Dated = Pick<StoredRow, 'row' | 'updatedAt' | 'explicitAt' | 'body'>;

/** How the entry of a document in an index table is found. */
interface MarkRule {
  /** Returns the reference time of the document's entry in the table, epoch ms; null if it has none. */
  readonly referenceOf: (stored: Dated) => number | null;
  /** True if that evaluates an expression. */
  readonly evaluates: boolean;
}

/** Decides which documents of a collection are expired in intervals whose rows are not freed. */
export interface IntervalMark {
  readonly collection: number;
  /** Whether `isExpired` evaluates an expression. */
  evaluates(): boolean;
  isExpired(stored: Dated): boolean;
}

/**
 * The intervals of one index table whose entries the present reading rules made: the reference time is read from the
 * document, and its entry looked up.
 */
export class TableMark implements IntervalMark {
  readonly collection: number;
  #through = -1;
  /** The highest row that may be expired. */
  #lastRow = 0;
  /** Made at its first use: most documents are hidden by their deadline, and the commit of an interval asks for none. */
  readonly #rule: () => MarkRule;
  readonly #entry: () => Statement<[at: number, row: number], unknown>;

  constructor(db: Database, interval: ExpiredInterval) {
    this.collection = interval.collection;
    this.#rule = preparedOnUse(() => ruleOf(interval));
    this.#entry = preparedOnUse(() => prepareEntry(db, interval.table));
  }

  /** Covers these intervals of the table, and no others. */
  cover(intervals: readonly ExpiredInterval[]): void {
    this.#through = Math.max(...intervals.map(({ through }) => through));
    this.#lastRow = Math.max(...intervals.map(({ lastRow }) => lastRow));
  }

  evaluates(): boolean {
    return this.#rule().evaluates;
  }

  isExpired(stored: Dated): boolean {
    if (stored.row > this.#lastRow) return false;
    const reference = this.#rule().referenceOf(stored);
    if (reference === null || reference < 0 || reference > this.#through) return false;
    return this.#entry().get(reference, stored.row) !== undefined;
  }
}

/**
 * One interval whose entries other reading rules made. By the present ones a document may have another reference time, at
 * which there is no entry. So the rows of the entries are read, all of them at the first question. They stay the same
 * until the rows are freed: nothing is written to the index table of other rules, and no row number is used again.
 */
export class RowsMark implements IntervalMark {
  readonly collection: number;
  readonly #lastRow: number;
  readonly #rows: () => RowSet;

  constructor(db: Database, interval: ExpiredInterval) {
    this.collection = interval.collection;
    this.#lastRow = interval.lastRow;
    this.#rows = preparedOnUse(() => readRows(db, interval));
  }

  evaluates(): boolean {
    return false;
  }

  isExpired({ row, explicitAt }: Dated): boolean {
    // An explicit expiration outranks the index [E1].
    return explicitAt === null && row <= this.#lastRow && this.#rows().has(row);
  }
}

/** Whether the present reading rules made the entries of an interval. Explicit expirations are not read by any. */
export function isOfPresentRules({ source, rules }: ExpiredInterval): boolean {
  return source === EXPLICIT_SOURCE || rules === READING_RULES_VERSION;
}

/**
 * Whether documents tell if they are expired in an interval: not if other reading rules made its entries, or if the text
 * of its index is damaged.
 */
export function isRuleReadable(interval: ExpiredInterval): boolean {
  if (!isOfPresentRules(interval)) return false;
  try {
    ruleOf(interval);
    return true;
  } catch {
    return false;
  }
}

function ruleOf({ source, definition }: ExpiredInterval): MarkRule {
  if (source === EXPLICIT_SOURCE) return { evaluates: false, referenceOf: ({ explicitAt }) => explicitAt };
  const rule = readSource(definition);
  const read = referenceTimeReader(rule);
  return {
    evaluates: rule.kind === 'expression',
    // An explicit expiration outranks the index [E1].
    referenceOf: ({ explicitAt, updatedAt, body }) => {
      const reference = explicitAt === null ? read(readBody(body), updatedAt) : null;
      return reference !== null && 'at' in reference ? reference.at : null;
    },
  };
}

function readSource(definition: string): TtlSource {
  try {
    return ttlSource.parse(parseJson(definition));
  } catch {
    throw damagedText();
  }
}

function prepareEntry(db: Database, table: number): Statement<[number, number], unknown> {
  return db.prepare(
    `SELECT 1 FROM entries_${table} AS e WHERE reference = ? AND row = ? AND ${isNotLate(table)}`,
  );
}

function readRows(db: Database, { table, after, through }: ExpiredInterval): RowSet {
  const entries = db
    .prepare<[number, number], number>(
      `SELECT row FROM entries_${table} AS e WHERE reference > ? AND reference <= ? AND ${isNotLate(table)}`,
    )
    .pluck();
  const rows = new RowSet();
  for (const row of entries.iterate(Math.max(-1, after), through)) rows.add(row);
  return rows;
}

/** SQL for whether no living document has the entry `e`. */
function isNotLate(table: number): string {
  return `NOT EXISTS
       (SELECT 1 FROM late_entries AS l WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)`;
}

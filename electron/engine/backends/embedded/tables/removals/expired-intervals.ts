import type { Database, Statement } from 'better-sqlite3';
import { ttlSource } from '../../../../../../shared/contract/ttl-indexes.ts';
import { referenceTimeReader } from '../../../../../../shared/model/expressions/reference-time-reader.ts';
import { parseJson } from '../../../../../../shared/model/json/json.ts';
import type { TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import type { ExpiredMarks } from '../../../../deadline-index/index-table-reader.ts';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import { readBody } from '../documents/stored-json.ts';
import type { StoredRow } from '../documents/stored-row.ts';
import { EXPLICIT_SOURCE } from '../explicit-source.ts';
import { Meta } from '../meta.ts';
import { damagedText } from './packed-removals.ts';

/**
 * Documents that expired in one commit, however many: an interval of an index table. Its entries are the history until
 * the sweep has listed them in `removals`, where a number is reserved for each, in the order of the table. Its row stays
 * until their rows are freed and their entries deleted.
 */
export interface ExpiredInterval {
  /** `removals.seq` of the first, and how many. */
  readonly first: number;
  readonly documents: number;
  readonly revision: number;
  readonly collection: number;
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  readonly source: number;
  /** The index table; its entries with a reference time after `after` and up to `through` are the interval. */
  readonly table: number;
  readonly after: number;
  readonly through: number;
  /** JSON of the index's source as it was; of null for explicit expirations. */
  readonly definition: string;
  /** Deadline minus reference time, ms. */
  readonly addMs: number;
  /** The highest row number of the collection when it expired. */
  readonly lastRow: number;
  /** Epoch ms. */
  readonly removedAt: number;
  readonly pass: number;
  /** Epoch ms; 0: not restorable. */
  readonly keepUntilAt: number;
  /** So many of them are listed, up to the entry with this reference time and row. */
  readonly listed: number;
  readonly listedReference: number;
  readonly listedRow: number;
  /** 1: their rows and keys are freed. */
  readonly freed: 0 | 1;
  /** 1: no index has the table any more. */
  readonly retired: 0 | 1;
}

/** SQL for the columns of an `ExpiredInterval`. */
export const INTERVAL_COLUMNS = `first, documents, revision, collection, source, index_table AS "table",
  after_reference AS after, through_reference AS through, definition, add_ms AS addMs, last_row AS lastRow,
  removed_at AS removedAt, pass, keep_until_at AS keepUntilAt, listed, listed_reference AS listedReference,
  listed_row AS listedRow, freed, retired`;

type Dated = Pick<StoredRow, 'row' | 'updatedAt' | 'explicitAt' | 'body'>;

/** How the entry of a document in an index table is found. */
interface MarkRule {
  /** Returns the reference time of the document's entry in the table, epoch ms; null if it has none. */
  readonly referenceOf: (stored: Dated) => number | null;
  /** True if that evaluates an expression. */
  readonly evaluates: boolean;
}

/** The expired intervals of one index table. */
interface TableMark {
  readonly collection: number;
  readonly through: number;
  /** The highest row that may be expired. */
  readonly lastRow: number;
  /** Made at its first use: most documents are hidden by their deadline, and the commit of an interval asks for none. */
  readonly rule: () => MarkRule;
  readonly isExpired: () => Statement<[at: number, row: number], unknown>;
}

const NONE: readonly ExpiredInterval[] = [];

/**
 * The expired intervals that a connection sees. Whether a document is expired is asked of the index as it was: it is if
 * the interval has its entry. A living one at or below the mark has a late entry instead (late-entries.ts).
 *
 * An expression is evaluated for that, with the allowance of any evaluation [D8]; one that fails gives no deadline, as
 * it did when the entry was made. So scans that ask must bound their time as those that read deadlines do.
 */
export class ExpiredIntervals implements ExpiredMarks {
  readonly #db: Database;
  readonly #rows: () => Statement<[], ExpiredInterval>;
  readonly #meta: () => Meta;
  /** The version of the intervals that are known (`meta.intervals`). */
  #version: number | null = null;
  #all = NONE;
  #marks: ReadonlyMap<number, number> = new Map();
  #expired = new Map<number, TableMark>();

  constructor(db: Database) {
    this.#db = db;
    this.#meta = preparedOnUse(() => new Meta(db));
    this.#rows = preparedOnUse(() =>
      db.prepare<[], ExpiredInterval>(`SELECT ${INTERVAL_COLUMNS} FROM expired_intervals ORDER BY first`),
    );
  }

  /** Updates to the connection's snapshot: reads the intervals only if they have changed. */
  refresh(): void {
    const version = this.#meta().number('intervals');
    if (version !== null && version === this.#version) return;
    this.set(this.#rows().all(), version);
  }

  /** Sets what this connection has just written, in the order of the numbers, or read. */
  set(all: readonly ExpiredInterval[], version: number | null = null): void {
    this.#version = version;
    if (all.length === 0 && this.#all.length === 0) return;
    this.#all = all;
    const marks = new Map<number, number>();
    for (const { table, through } of all) marks.set(table, Math.max(marks.get(table) ?? -1, through));
    this.#marks = marks;
    this.#updateExpired();
  }

  /** In the order of their numbers. */
  get all(): readonly ExpiredInterval[] {
    return this.#all;
  }

  /** Those that are not listed completely. */
  get unlisted(): readonly ExpiredInterval[] {
    return this.#all.filter(isUnlisted);
  }

  /** Documents of all intervals: the space of their rows or of their entries is not free. */
  get documents(): number {
    return this.#all.reduce((sum, { documents }) => sum + documents, 0);
  }

  throughOf(table: number): number {
    return this.#marks.get(table) ?? -1;
  }

  hasInterval(table: number): boolean {
    return this.#marks.has(table);
  }

  /** Returns the interval that a removal belongs to; null if it belongs to none. */
  at(seq: number): ExpiredInterval | null {
    return this.#all.find(({ first, documents }) => seq >= first && seq < first + documents) ?? null;
  }

  /** Returns the first interval that begins after a removal; null if there is none. */
  nextAfter(seq: number): ExpiredInterval | null {
    return this.#all.find(({ first }) => first > seq) ?? null;
  }

  /** Returns the highest row number whose document may be in an interval; 0 if there is none. */
  lastRowOf(collection: number): number {
    return this.#all.reduce(
      (last, one) => (one.collection === collection ? Math.max(last, one.lastRow) : last),
      0,
    );
  }

  has(collection: number): boolean {
    return this.#all.some(one => one.collection === collection && one.freed === 0);
  }

  /** Whether `isExpired` evaluates expressions for documents of a collection, which may take long for each. */
  evaluates(collection: number): boolean {
    for (const mark of this.#expired.values())
      if (mark.collection === collection && mark.rule().evaluates) return true;
    return false;
  }

  /** Whether a document's row is expired in an interval. A row that is freed belongs to no document. */
  isExpired(collection: number, stored: Dated): boolean {
    for (const mark of this.#expired.values())
      if (mark.collection === collection && isExpiredBy(mark, stored)) return true;
    return false;
  }

  #updateExpired(): void {
    const expired = new Map<number, TableMark>();
    for (const interval of this.#all) {
      if (interval.freed === 1) continue;
      const { table, collection, through, lastRow } = interval;
      const others = expired.get(table);
      expired.set(table, {
        ...(others ?? this.#expired.get(table) ?? prepareMark(this.#db, interval)),
        collection,
        through: Math.max(through, others?.through ?? -1),
        lastRow: Math.max(lastRow, others?.lastRow ?? 0),
      });
    }
    this.#expired = expired;
  }
}

/** Whether some of an interval's documents are not in `removals` yet. */
function isUnlisted({ listed, documents }: ExpiredInterval): boolean {
  return listed < documents;
}

/** Whether an entry of an interval should not exist, and removes nothing: an explicit expiration outranks an index [E1]. */
export function isStaleIn(
  { source }: ExpiredInterval,
  { reference, explicitAt }: { reference: number; explicitAt: number | null },
): boolean {
  return explicitAt !== (source === EXPLICIT_SOURCE ? reference : null);
}

/** Whether the source of an interval's index can be read: not if its text is damaged. */
export function isRuleReadable(interval: ExpiredInterval): boolean {
  try {
    ruleOf(interval);
    return true;
  } catch {
    return false;
  }
}

function isExpiredBy({ through, lastRow, rule, isExpired }: TableMark, stored: Dated): boolean {
  if (stored.row > lastRow) return false;
  const reference = rule().referenceOf(stored);
  if (reference === null || reference < 0 || reference > through) return false;
  return isExpired().get(reference, stored.row) !== undefined;
}

function prepareMark(db: Database, interval: ExpiredInterval): Pick<TableMark, 'rule' | 'isExpired'> {
  return {
    rule: preparedOnUse(() => ruleOf(interval)),
    isExpired: preparedOnUse(() => prepareIsExpired(db, interval.table)),
  };
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

function prepareIsExpired(db: Database, table: number): Statement<[number, number], unknown> {
  return db.prepare(
    `SELECT 1 FROM entries_${table} AS e WHERE reference = ? AND row = ? AND NOT EXISTS
       (SELECT 1 FROM late_entries AS l WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)`,
  );
}

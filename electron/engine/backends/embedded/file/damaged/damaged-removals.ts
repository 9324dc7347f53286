import type { Database } from 'better-sqlite3';
import { parseJson } from '../../../../../../shared/model/json/json.ts';
import { RowSet } from '../../tables/documents/row-set.ts';
import { bodyText } from '../../tables/documents/stored-json.ts';
import { EXPLICIT_SOURCE } from '../../tables/explicit-source.ts';
import { Meta } from '../../tables/meta.ts';
import { type ExpiredInterval, INTERVAL_COLUMNS } from '../../tables/removals/expired-interval.ts';
import { ExpiredIntervals } from '../../tables/removals/expired-intervals.ts';
import { type Dated, isRuleReadable } from '../../tables/removals/interval-marks.ts';
import { salvagedRows } from '../../tables/removals/packed-removals.ts';
import { attempt, readable, rowsOf } from './readable-rows.ts';

/** A row of `removals` without what is packed: a part of that may be on a damaged page. */
interface Row {
  readonly seq: number;
  readonly documents: number;
  readonly collection: number;
  readonly row: number;
  readonly gone: 0 | 1;
}

/**
 * An interval whose index cannot be read, or of other reading rules: its documents are known by the entries of its table,
 * as far as these can be read.
 */
interface EntriesOnly extends Pick<ExpiredInterval, 'collection' | 'source' | 'removedAt' | 'lastRow'> {
  readonly rows: RowSet;
}

/**
 * Decides which documents of a damaged store are removed and not yet swept, row by row of `removals` and of
 * `expired_intervals`: one that cannot be read hides none of the others.
 */
export class DamagedRemovals {
  /** Removals that cannot be read, of rows that can. */
  readonly lost: number;
  readonly #db: Database;
  readonly #dead = new Map<number, RowSet>();
  readonly #intervals: ExpiredIntervals;
  readonly #entriesOnly: EntriesOnly[] = [];
  #hasLostRows = false;
  readonly #onDamage = () => {
    this.#hasLostRows = true;
  };

  constructor(db: Database) {
    this.#db = db;
    this.#intervals = new ExpiredIntervals(db);
    this.#readIntervals();
    this.lost = this.#readRows();
  }

  /** Whether rows cannot be read, so that nobody knows how many removals they had. */
  get hasLostRows(): boolean {
    return this.#hasLostRows;
  }

  isDead(collection: number, stored: Dated): boolean {
    if (this.#dead.get(collection)?.has(stored.row)) return true;
    if (this.#entriesOnly.some(interval => hasEntry(interval, collection, stored))) return true;
    if (!this.#intervals.has(collection) || !isJson(bodyText(stored.body))) return false;
    // If the entries of an expired interval cannot be read, a document up to its mark is taken for expired.
    return attempt(() => this.#intervals.isExpired(collection, stored)) ?? true;
  }

  #readIntervals(): void {
    const intervals = rowsOf<ExpiredInterval>(this.#db, {
      table: 'expired_intervals',
      key: 'first',
      columns: INTERVAL_COLUMNS,
      keyOf: ({ first }) => first,
      onDamage: this.#onDamage,
    });
    const unfreed = [...intervals].filter(({ freed }) => freed === 0).sort((a, b) => a.first - b.first);
    this.#intervals.set(unfreed.filter(isRuleReadable));
    for (const interval of unfreed)
      if (!isRuleReadable(interval))
        this.#entriesOnly.push({ ...interval, rows: rowsOfEntries(this.#db, interval) });
  }

  /**
   * Returns the number of removals that cannot be read, of rows that can. Without the sweep's mark none is known to be dead:
   * living documents have the row numbers of swept ones.
   */
  #readRows(): number {
    const swept = attempt(() => new Meta(this.#db).number('swept'));
    const packed = attempt(() =>
      this.#db.prepare<[number], string>('SELECT packed FROM removals WHERE seq = ?').pluck(),
    );
    if (swept === null || packed === null) {
      this.#hasLostRows = true;
      return 0;
    }
    const removals = rowsOf<Row>(this.#db, {
      table: 'removals',
      key: 'seq',
      columns: 'seq, documents, collection, row, gone',
      keyOf: ({ seq }) => seq,
      after: swept,
      onDamage: this.#onDamage,
    });
    let lost = 0;
    for (const { seq, documents, collection, row, gone } of removals) {
      if (gone === 0) continue;
      const dead = this.#dead.get(collection) ?? new RowSet();
      this.#dead.set(collection, dead);
      // No document has the row number 0: the row has several removals.
      if (row > 0) {
        dead.add(row);
        continue;
      }
      const rows = salvagedRows(attempt(() => packed.get(seq)) ?? '', documents);
      for (const one of rows) dead.add(one);
      lost += Math.max(0, documents - rows.length);
    }
    return lost;
  }
}

/** Rows with an entry up to the interval's mark, without those of late entries, which are living. */
function rowsOfEntries(db: Database, { table, through }: ExpiredInterval): RowSet {
  const rows = new RowSet();
  const entries = readable<{ row: number }>(
    db,
    `SELECT row FROM entries_${table} AS e WHERE reference BETWEEN 0 AND ${through} AND NOT EXISTS
       (SELECT 1 FROM late_entries AS l WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)`,
  );
  for (const { row } of entries) rows.add(row);
  return rows;
}

/** What was written after the interval has the number of a row that was freed since. */
function hasEntry(interval: EntriesOnly, collection: number, { row, updatedAt, explicitAt }: Dated): boolean {
  return (
    interval.collection === collection &&
    interval.source !== EXPLICIT_SOURCE &&
    // An explicit expiration outranks the index [E1].
    explicitAt === null &&
    row <= interval.lastRow &&
    updatedAt <= interval.removedAt &&
    interval.rows.has(row)
  );
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

import type { Database, Statement } from 'better-sqlite3';
import type { Entry } from '../deadline-index/index-entry.ts';
import { IndexTableReader } from '../deadline-index/index-table-reader.ts';
import { IndexTableStatements } from '../deadline-index/index-table-statements.ts';
import { ManyRows } from '../deadline-index/multi-row-insert.ts';
import { PendingCounts } from '../deadline-index/pending-counts.ts';

/**
 * The `deadline_entries` and `deadline_counts` tables: one index table per collection, all of them in these two, since
 * thousands of collections of a remote store can appear and disappear at a time.
 */
export class DeadlineEntries {
  readonly #db: Database;
  readonly #statements: IndexTableStatements;
  readonly #insert: ManyRows;
  readonly #delete: Statement<[collection: number, reference: number, row: number]>;
  readonly #count: ManyRows;
  readonly #dropEmpty: Statement<[collection: number, level: number, bucket: number]>;
  readonly #clearEntries: Statement<[]>;
  readonly #clearCounts: Statement<[]>;
  /** Entries and changes of counts that are not written yet, by collection. */
  readonly #entries = new Map<number, Entry[]>();
  readonly #counts = new Map<number, PendingCounts>();

  constructor(db: Database) {
    this.#db = db;
    this.#statements = new IndexTableStatements(db, {
      entries: 'deadline_entries',
      counts: 'deadline_counts',
      numberColumn: 'collection',
    });
    this.#insert = new ManyRows(db, 'deadline_entries', 4);
    this.#delete = db.prepare(
      'DELETE FROM deadline_entries WHERE collection = ? AND reference = ? AND row = ?',
    );
    this.#count = new ManyRows(
      db,
      'deadline_counts',
      5,
      'ON CONFLICT DO UPDATE SET documents = documents + excluded.documents, bytes = bytes + excluded.bytes',
    );
    this.#dropEmpty = db.prepare(
      'DELETE FROM deadline_counts WHERE collection = ? AND level = ? AND bucket = ? AND documents = 0',
    );
    this.#clearEntries = db.prepare('DELETE FROM deadline_entries');
    this.#clearCounts = db.prepare('DELETE FROM deadline_counts');
  }

  of(collection: number): IndexTableReader {
    return new IndexTableReader(this.#db, collection, null, this.#statements);
  }

  /** Adds an entry, which is written by `flush`. */
  add(collection: number, entry: Entry): void {
    this.#countsOf(collection).change(entry.reference, 1, entry.bytes);
    const entries = this.#entries.get(collection);
    if (entries === undefined) this.#entries.set(collection, [entry]);
    else entries.push(entry);
  }

  /** Removes an entry that is written. */
  remove(collection: number, { reference, row, bytes }: Entry): void {
    this.#delete.run(collection, reference, row);
    this.#countsOf(collection).change(reference, -1, -bytes);
  }

  /** Writes entries and counts in the order of their keys. Call before the transaction commits. */
  flush(): void {
    const inserted: number[] = [];
    for (const [collection, entries] of inOrder(this.#entries)) {
      entries.sort((a, b) => a.reference - b.reference || a.row - b.row);
      for (const { reference, row, bytes } of entries) inserted.push(collection, reference, row, bytes);
    }
    const counted: number[] = [];
    const emptied: [number, number, number][] = [];
    for (const [collection, counts] of inOrder(this.#counts))
      for (const { level, bucket, documents, bytes } of counts.take()) {
        if (documents === 0 && bytes === 0) continue;
        counted.push(collection, level, bucket, documents, bytes);
        if (documents < 0) emptied.push([collection, level, bucket]);
      }
    this.discard();
    this.#insert.insert(inserted);
    this.#count.insert(counted);
    for (const key of emptied) this.#dropEmpty.run(...key);
  }

  /** Discards changes that are not written, after a transaction was rolled back. */
  discard(): void {
    this.#entries.clear();
    this.#counts.clear();
  }

  clear(): void {
    this.discard();
    this.#clearEntries.run();
    this.#clearCounts.run();
  }

  #countsOf(collection: number): PendingCounts {
    let counts = this.#counts.get(collection);
    if (counts === undefined) {
      counts = new PendingCounts();
      this.#counts.set(collection, counts);
    }
    return counts;
  }
}

function inOrder<Value>(byNumber: ReadonlyMap<number, Value>): [number, Value][] {
  return [...byNumber].sort(([a], [b]) => a - b);
}

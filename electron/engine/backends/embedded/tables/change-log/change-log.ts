import type { Database, Statement } from 'better-sqlite3';
import type { RemovalsTable } from '../removals/removals.ts';
import type { Transaction } from '../transaction.ts';
import { packChanges } from './packed-changes.ts';

/** Bytes of a row besides its text, and of an expiry besides its `_id`. */
const ROW_BYTES = 40;
const REMOVAL_BYTES = 64;

/** A row of the log, for compaction. */
interface LogSize {
  revision: number;
  /** Epoch ms. */
  at: number;
  /** Total bytes ever written to the log, through this revision. */
  endOffset: number;
}

/**
 * The `log` table, the change log: one row per revision, written in the revision's own transaction, so that neither
 * exists without the other [V2]. It has keys and causes. An expiry is not stored twice: the row refers to its rows of
 * `removals`, which are kept as long as the row is.
 *
 * Dropping a collection deletes nothing here: its events stay until compaction reaches them.
 */
export class ChangeLog {
  /** Removals of later revisions have this number or a higher one. */
  #nextRemoval: number;
  /** Total bytes ever written to the log, including rows that compaction deleted. */
  #endOffset: number;
  readonly #sql;

  constructor(db: Database, removals: RemovalsTable) {
    this.#sql = prepare(db);
    this.#nextRemoval = removals.nextSeq();
    this.#endOffset = this.lastEndOffset();
  }

  /** Returns the argument of `committed`, which must be called once the transaction is durable. */
  append({ revision, at, changes, removals }: Transaction): { nextRemoval: number; endOffset: number } {
    const text = packChanges(changes);
    const from = removals?.from ?? this.#nextRemoval;
    const count = removals?.count ?? 0;
    let bytes = ROW_BYTES + Buffer.byteLength(text);
    for (const { kind, id, documents = 1 } of changes)
      if (kind === 'expire') bytes += documents * REMOVAL_BYTES + id.length;
    const endOffset = this.#endOffset + bytes;
    this.#sql.insert.run(revision, at, from, count, endOffset, text);
    return { nextRemoval: from + count, endOffset };
  }

  committed({ nextRemoval, endOffset }: { nextRemoval: number; endOffset: number }): void {
    this.#nextRemoval = nextRemoval;
    this.#endOffset = endOffset;
  }

  /** Total bytes ever written to the log. */
  lastEndOffset(): number {
    return this.#sql.lastEndOffset.get() ?? 0;
  }

  /** When the last revision was committed, epoch ms; 0 if there is none. */
  lastAt(): number {
    return this.#sql.lastAt.get() ?? 0;
  }

  /** Up to `most` of the oldest revisions. */
  oldest(most: number): IterableIterator<LogSize> {
    return this.#sql.oldest.iterate(most);
  }

  /** Changes of up to `most` revisions after `revision`, in the format of packed-changes.ts. */
  after(revision: number, most: number): { revision: number; changes: string }[] {
    return this.#sql.after.all(revision, most);
  }

  /** Replaces the changes of a revision by the same ones with erased `_id`s [X4]. */
  setChanges(revision: number, changes: string): void {
    this.#sql.setChanges.run(changes, revision);
  }

  deleteThrough(revision: number): void {
    this.#sql.deleteThrough.run(revision);
  }

  /** Deletes up to `most` rows. Returns how many. */
  deleteSomeThrough(revision: number, most: number): number {
    return this.#sql.deleteSomeThrough.run(revision, most).changes;
  }

  deleteAll(): void {
    this.#sql.deleteAll.run();
  }
}

function prepare(db: Database) {
  const lastEndOffset: Statement<[], number> = db
    .prepare<[], number>('SELECT end_offset FROM log ORDER BY revision DESC LIMIT 1')
    .pluck();
  const lastAt: Statement<[], number> = db
    .prepare<[], number>('SELECT at FROM log ORDER BY revision DESC LIMIT 1')
    .pluck();
  return {
    lastEndOffset,
    lastAt,
    insert: db.prepare<[number, number, number, number, number, string]>(
      'INSERT INTO log (revision, at, removals_from, removals, end_offset, changes) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    oldest: db.prepare<[number], LogSize>(
      'SELECT revision, at, end_offset AS endOffset FROM log ORDER BY revision LIMIT ?',
    ),
    after: db.prepare<[number, number], { revision: number; changes: string }>(
      'SELECT revision, changes FROM log WHERE revision > ? ORDER BY revision LIMIT ?',
    ),
    setChanges: db.prepare<[string, number]>('UPDATE log SET changes = ? WHERE revision = ?'),
    deleteThrough: db.prepare<[number]>('DELETE FROM log WHERE revision <= ?'),
    deleteSomeThrough: db.prepare<[number, number]>(
      'DELETE FROM log WHERE revision IN (SELECT revision FROM log WHERE revision <= ? ORDER BY revision LIMIT ?)',
    ),
    deleteAll: db.prepare<[]>('DELETE FROM log'),
  };
}

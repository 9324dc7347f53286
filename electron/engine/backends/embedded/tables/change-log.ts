import type { Database, Statement } from '../file/database.ts';
import { packChanges } from './packed-changes.ts';
import { nextSequence } from './removals.ts';
import type { Transaction } from './transaction.ts';

/** What a row takes beside its text, and what one of an expiry takes beside its `_id`. */
const ROW_BYTES = 40;
const REMOVAL_BYTES = 64;

/**
 * The change log: one row per revision, written in the revision's own transaction, so that neither is there without
 * the other [V2]. It holds keys and causes. An expiry is not stored twice: the row says which of `removals` are
 * its own, and those are kept as long as the row is.
 *
 * Dropping a collection drops nothing here: its events go on being told until compaction reaches them.
 */
export class ChangeLog {
  /** No later revision's removals are numbered lower. */
  #nextRemoval: number;
  /** Bytes written to the log since it began; what compaction took is still in it. */
  #ends: number;
  readonly #append: Statement<[number, number, number, number, number, string]>;

  constructor(db: Database) {
    this.#append = db.prepare(
      'INSERT INTO log (revision, at, removals_from, removals, ends, changes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#nextRemoval = nextSequence(db);
    this.#ends =
      db.prepare<[], number>('SELECT ends FROM log ORDER BY revision DESC LIMIT 1').pluck().get() ?? 0;
  }

  /** Answers what `committed` is to be told once the transaction is durable. */
  append({ revision, at, changes, removals }: Transaction): { nextRemoval: number; ends: number } {
    const text = packChanges(changes);
    const from = removals?.from ?? this.#nextRemoval;
    const count = removals?.count ?? 0;
    let bytes = ROW_BYTES + Buffer.byteLength(text);
    for (const { kind, id } of changes) if (kind === 'expire') bytes += REMOVAL_BYTES + id.length;
    const ends = this.#ends + bytes;
    this.#append.run(revision, at, from, count, ends, text);
    return { nextRemoval: from + count, ends };
  }

  committed({ nextRemoval, ends }: { nextRemoval: number; ends: number }): void {
    this.#nextRemoval = nextRemoval;
    this.#ends = ends;
  }
}

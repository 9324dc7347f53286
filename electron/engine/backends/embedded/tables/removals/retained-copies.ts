import type { Database, Statement } from 'better-sqlite3';
import type { Settings } from '../../../../../../shared/contract/settings.ts';
import { bodyBytes, type StoredBody } from '../documents/stored-json.ts';
import { Meta } from '../meta.ts';
import type { RemovalsTable } from './removals.ts';

/** Settings of retention: its duration in seconds and its maximum size in bytes. */
export type RetentionSettings = Pick<Settings, 'retention' | 'retentionBytes'>;

/** A TTL index, with its own retention in seconds; null: the store's. */
type RetainingIndex = { readonly definition: { readonly retention: number | null } };

type CopySize = [seq: number, bytes: number];

/**
 * SQL for the minute in which a copy is released. With whole minutes, inserts append to the index on it; with
 * milliseconds the index cost more than the copies themselves.
 */
function keepUntilMinuteOf(keepUntilAt: string): string {
  return `(${keepUntilAt} + 59999) / 60000`;
}

/** Copies released at once: each may have 16 MiB. */
const COPIES_AT_ONCE = 16;

/**
 * The `retained` table: restorable copies of expired documents [X4]. The end of retention is fixed when a document
 * expires (`removals.keep_until_at`, 0: not restorable). The sweep copies a deleted document when it frees its row:
 * until then the dead row serves as the copy, so that the reaper reads no body. A document that stays, changed, is
 * copied by the action itself.
 *
 * Every change updates the bytes of all copies (`retainedBytes` of `meta`), so that the store's limit needs no scan.
 * Written inside transactions of the caller.
 */
export class RetainedCopies {
  readonly #db: Database;
  readonly #removals: RemovalsTable;
  readonly #meta: Meta;
  readonly #settings: () => RetentionSettings;
  readonly #keepRemoved = new Map<number, Statement<[number, number, number]>>();
  readonly #sql;

  constructor(db: Database, removals: RemovalsTable, settings: () => RetentionSettings) {
    this.#db = db;
    this.#removals = removals;
    this.#meta = new Meta(db);
    this.#settings = settings;
    this.#sql = prepare(db);
  }

  /**
   * Returns until when a document that an index (null: its explicit expiration) removes at `at` is restorable; 0: it is
   * not.
   */
  keepUntilAt(index: RetainingIndex | null, at: number): number {
    const { retention, retentionBytes } = this.#settings();
    const seconds = index?.definition.retention ?? retention;
    return seconds === 0 || retentionBytes === 0 ? 0 : at + Math.round(seconds * 1000);
  }

  /** Keeps a document as it was before an action changed it in place [A2, A3]. */
  keepBefore(seq: number, keepUntilAt: number, body: StoredBody): void {
    if (keepUntilAt === 0) return;
    this.#sql.insert.run(seq, keepUntilAt, body);
    this.#addBytes(bodyBytes(body));
  }

  /**
   * Copies documents of one collection that are about to be freed, of removals after one and up to another. The present
   * state of `removals` decides: a document may have been restored or purged since, or copied by an interrupted step of
   * the sweep. Documents whose retention ended before get no copy, and their removals are marked as not restorable.
   */
  keepRemoved(collection: number, after: number, through: number, now: number): void {
    this.#removals.endOverdueRetention(collection, after, through, now);
    let keep = this.#keepRemoved.get(collection);
    if (keep === undefined) {
      keep = prepareKeepRemoved(this.#db, collection);
      this.#keepRemoved.set(collection, keep);
    }
    const before = this.#sql.bytesBetween.get(after, through) ?? 0;
    if (keep.run(after, through, now).changes === 0) return;
    this.#addBytes((this.#sql.bytesBetween.get(after, through) ?? 0) - before);
  }

  /** Releases the statements of collections that are gone. */
  releaseStatements(isGone: (collection: number) => boolean): void {
    for (const id of this.#keepRemoved.keys()) if (isGone(id)) this.#keepRemoved.delete(id);
  }

  /** Returns the text of a copy; null if there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    return this.#sql.body.get(seq) ?? null;
  }

  /** Marks a removal as no longer restorable and deletes its copy, if there is one. */
  release(seq: number): void {
    this.#removals.endRetention(seq);
    this.#delete(seq);
  }

  /** Like `release`, for a document that was restored; its removal is marked as restored. */
  releaseRestored(seq: number): void {
    this.#removals.markRestored(seq);
    this.#delete(seq);
  }

  get bytes(): number {
    return this.#meta.number('retainedBytes') ?? 0;
  }

  hasOverdue(now: number): boolean {
    return this.#sql.overdue.get(now / 60_000, 1) !== undefined;
  }

  /** When the document of the oldest copy expired, epoch ms; null if there is no copy. */
  oldestRemovedAt(): number | null {
    return this.#sql.oldestRemovedAt.get() ?? null;
  }

  /** Releases a few copies whose retention has ended. Returns whether there may be more. */
  releaseOverdue(now: number): boolean {
    return this.#releaseAll(this.#sql.overdue.all(now / 60_000, COPIES_AT_ONCE));
  }

  /** Releases a few of the oldest copies, until `bytes` are freed. Returns whether there may be more. */
  releaseOldest(bytes: number): boolean {
    let beyond = bytes;
    const oldest: CopySize[] = [];
    for (const copy of this.#sql.oldest.all(COPIES_AT_ONCE)) {
      if (beyond <= 0) break;
      oldest.push(copy);
      beyond -= copy[1];
    }
    return this.#releaseAll(oldest);
  }

  /** Releases the oldest copies while all together exceed their limit: many deletions by hand may do so in one step. */
  releaseBeyondLimit(): void {
    const { retentionBytes } = this.#settings();
    while (this.bytes > retentionBytes && this.releaseOldest(this.bytes - retentionBytes));
  }

  #releaseAll(copies: readonly CopySize[]): boolean {
    for (const [seq] of copies) {
      this.#delete(seq);
      // A removal that the log no longer refers to was kept only for its copy. Any other removal records that the copy
      // is deleted: after its row number is used again, this is the only record.
      if (!this.#removals.deletePruned(seq)) this.#removals.endRetention(seq);
    }
    return copies.length > 0;
  }

  #delete(seq: number): void {
    const bytes = this.#sql.delete.get(seq);
    if (bytes !== undefined) this.#addBytes(-bytes);
  }

  #addBytes(bytes: number): void {
    this.#meta.add('retainedBytes', bytes);
  }
}

function prepareKeepRemoved(db: Database, collection: number): Statement<[number, number, number]> {
  return db.prepare(
    `INSERT OR IGNORE INTO retained (seq, keep_until_minute, body)
     SELECT r.seq, ${keepUntilMinuteOf('r.keep_until_at')}, d.body
     FROM removals AS r CROSS JOIN documents_${collection} AS d ON d.row = r.row
     WHERE r.seq > ? AND r.seq <= ? AND r.keep_until_at > ? AND r.gone = 1 AND r.collection = ${collection}`,
  );
}

function prepare(db: Database) {
  const remove: Statement<[number], number> = db
    .prepare<[number], number>('DELETE FROM retained WHERE seq = ? RETURNING octet_length(body)')
    .pluck();
  const bytesBetween: Statement<[number, number], number | null> = db
    .prepare<[number, number], number | null>(
      'SELECT sum(octet_length(body)) FROM retained WHERE seq > ? AND seq <= ?',
    )
    .pluck();
  const body: Statement<[number], StoredBody> = db
    .prepare<[number], StoredBody>('SELECT body FROM retained WHERE seq = ?')
    .pluck();
  const overdue: Statement<[number, number], CopySize> = db
    .prepare<[number, number], CopySize>(
      'SELECT seq, octet_length(body) FROM retained WHERE keep_until_minute <= ? ORDER BY keep_until_minute, seq LIMIT ?',
    )
    .raw();
  const oldest: Statement<[number], CopySize> = db
    .prepare<[number], CopySize>('SELECT seq, octet_length(body) FROM retained ORDER BY seq LIMIT ?')
    .raw();
  const oldestRemovedAt: Statement<[], number> = db
    .prepare<[], number>(
      'SELECT removed_at FROM removals WHERE seq = (SELECT seq FROM retained ORDER BY seq LIMIT 1)',
    )
    .pluck();
  return {
    oldestRemovedAt,
    delete: remove,
    bytesBetween,
    body,
    overdue,
    oldest,
    insert: db.prepare<[number, number, StoredBody]>(
      `INSERT INTO retained (seq, keep_until_minute, body) VALUES (?, ${keepUntilMinuteOf('CAST(? AS INTEGER)')}, ?)`,
    ),
  };
}

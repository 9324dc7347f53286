import type { Database, Statement } from 'better-sqlite3';
import type { Settings } from '../../../../../../shared/contract/settings.ts';
import { bodyBytes, bodyText, type StoredBody, storedBody } from '../documents/stored-json.ts';
import { Meta } from '../meta.ts';
import { COPY_COLUMNS, CopyReader, type CopyRow, lengthsOf, type StoredCopyRow } from './copy-reader.ts';
import { PACKED_ENDS, PACKED_ROWS, unpackEndedPlaces } from './packed-removals.ts';
import type { RemovalsTable } from './removals.ts';

/** Settings of retention: its duration in seconds and its maximum size in bytes. */
export type RetentionSettings = Pick<Settings, 'retention' | 'retentionBytes'>;

/** A TTL index, with its own retention in seconds; null: the store's. */
type RetainingIndex = { readonly definition: { readonly retention: number | null } };

/**
 * SQL for the minute in which a copy is released. With whole minutes, inserts append to the index on it; with
 * milliseconds the index cost more than the copies themselves.
 */
function keepUntilMinuteOf(keepUntilAt: string): string {
  return `(${keepUntilAt} + 59999) / 60000`;
}

/** Rows released at once: each may have 16 MiB. */
const ROWS_AT_ONCE = 8;

/** At the limit of bytes, so many more are released from a row of several copies, since it is written again each time. */
const MOST_BEYOND_LIMIT = 64 * 1024;
const SHARE_BEYOND_LIMIT = 1 / 64;

/** A row of `removals` whose documents are copied into one row. */
interface PackedRow {
  readonly seq: number;
  readonly keepUntilAt: number;
  /** JSON of row numbers, and of ends of retention. */
  readonly rows: string;
  readonly ends: string | null;
}

/** Statements of one collection, whose documents are copied. */
interface CollectionStatements {
  readonly copySingle: Statement<[number, number, number]>;
  readonly packed: Statement<[number, number, number], PackedRow>;
  /** Texts of the documents of rows, in the order of a JSON array; null for one without a row. */
  readonly bodies: Statement<[string], StoredBody | null>;
}

/**
 * The `retained` table: restorable copies of expired documents [X4]. The end of retention is fixed when a document
 * expires (`removals.keep_until_at`, 0: not restorable). The sweep copies a deleted document when it frees its row:
 * until then the dead row serves as the copy, so that the reaper reads no body. A document that stays, changed, is
 * copied by the action itself.
 *
 * Documents of one row of `removals` have their copies in one row here, one after the other.
 *
 * Every change updates the bytes of all copies (`retainedBytes` of `meta`), so that the store's limit needs no scan.
 * Written inside transactions of the caller.
 */
export class RetainedCopies {
  readonly #db: Database;
  readonly #removals: RemovalsTable;
  readonly #copies: CopyReader;
  readonly #meta: Meta;
  readonly #settings: () => RetentionSettings;
  readonly #byCollection = new Map<number, CollectionStatements>();
  readonly #sql;

  constructor(db: Database, removals: RemovalsTable, settings: () => RetentionSettings) {
    this.#db = db;
    this.#removals = removals;
    this.#copies = new CopyReader(db);
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
    this.#sql.insert.run(seq, keepUntilAt, body, null);
    this.#addBytes(bodyBytes(body));
  }

  /** Keeps the documents of one row of `removals`, in its order; null: one that is not restorable. */
  keepAll(seq: number, keepUntilAt: number, bodies: readonly (StoredBody | null)[]): void {
    const lengths = bodies.map(body => (body === null ? 0 : bodyBytes(body)));
    const bytes = lengths.reduce((sum, one) => sum + one, 0);
    if (bytes === 0) {
      this.#removals.endRetentionOfRow(seq);
      return;
    }
    const all = bodies.map(body => (body === null ? '' : bodyText(body))).join('');
    this.#sql.insert.run(
      seq,
      keepUntilAt,
      storedBody(all),
      bodies.length === 1 ? null : JSON.stringify(lengths),
    );
    this.#addBytes(bytes);
  }

  /**
   * Copies documents of one collection that are about to be freed, of rows of `removals` after one and up to another. The
   * present state of `removals` decides: a document may have been restored or purged since, or copied by an interrupted
   * step of the sweep. Documents whose retention ended before get no copy, and their removals are marked as not restorable.
   */
  keepRemoved(collection: number, after: number, through: number, now: number): void {
    this.#removals.endOverdueRetention(collection, after, through, now);
    let sql = this.#byCollection.get(collection);
    if (sql === undefined) {
      sql = prepareCollection(this.#db, collection);
      this.#byCollection.set(collection, sql);
    }
    const before = this.#sql.bytesBetween.get(after, through) ?? 0;
    if (sql.copySingle.run(after, through, now).changes > 0)
      this.#addBytes((this.#sql.bytesBetween.get(after, through) ?? 0) - before);
    for (const { seq, keepUntilAt, rows, ends } of sql.packed.all(after, through, now)) {
      const ended = unpackEndedPlaces(ends);
      const bodies = sql.bodies.all(rows).map((body, place) => (ended.has(place) ? null : body));
      this.keepAll(seq, keepUntilAt, bodies);
    }
  }

  /** Releases the statements of collections that are gone. */
  releaseStatements(isGone: (collection: number) => boolean): void {
    for (const id of this.#byCollection.keys()) if (isGone(id)) this.#byCollection.delete(id);
  }

  /** Returns the text of a copy; null if there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    return this.#copies.body(seq);
  }

  /** Returns the bytes of the copies of some removals: those that have one. */
  bytesOf(seqs: readonly number[]): ReadonlyMap<number, number> {
    return this.#copies.bytesOf(seqs);
  }

  /** Marks removals as no longer restorable and deletes their copies, if there are any. */
  release(seqs: readonly number[]): void {
    this.#removals.endRetention(seqs);
    this.#deleteAll(seqs, seq => this.#removals.endRetentionOfRow(seq));
  }

  /** Like `release`, for documents that were restored; their removals are marked as restored. */
  releaseRestored(seqs: readonly number[]): void {
    this.#removals.markRestored(seqs);
    this.#deleteAll(seqs, seq => this.#endRow(seq));
  }

  /** Deletes the copies of removals that are about to be erased, if there are any. */
  erase(seqs: readonly number[]): void {
    this.#deleteAll(seqs, () => {});
  }

  /** Marks all removals of a row as no longer restorable, and deletes their copies. */
  releaseRow(seq: number): void {
    this.#removals.endRetentionOfRow(seq);
    this.#deleteRow(seq);
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

  /** Releases a few rows of copies whose retention has ended. Returns whether there may be more. */
  releaseOverdue(now: number): boolean {
    const overdue = this.#sql.overdue.all(now / 60_000, ROWS_AT_ONCE);
    for (const seq of overdue) {
      this.#deleteRow(seq);
      this.#endRow(seq);
    }
    return overdue.length > 0;
  }

  /** Releases a few of the oldest copies, until at least `bytes` are freed. Returns whether there may be more. */
  releaseOldest(bytes: number): boolean {
    const least = Math.min(MOST_BEYOND_LIMIT, this.#settings().retentionBytes * SHARE_BEYOND_LIMIT);
    let beyond = bytes;
    const oldest = this.#sql.oldest.all(ROWS_AT_ONCE);
    for (const row of oldest) {
      if (beyond <= 0) break;
      const { seq } = row;
      const lengths = lengthsOf(row);
      if (!this.#deleteSome({ seq, lengths }, firstOf(lengths, Math.max(beyond, least)))) this.#endRow(seq);
      beyond -= row.bytes;
    }
    return oldest.length > 0;
  }

  /**
   * Releases the oldest copies while all together exceed their limit, after `added` bytes were added: about twice as many
   * at most, so that the call takes no longer after the limit was lowered. The sweep releases the rest in its steps.
   */
  releaseBeyondLimit(added: number): void {
    const most = 2 * added + MOST_BEYOND_LIMIT;
    const limit = Math.max(this.#settings().retentionBytes, this.bytes - most);
    while (this.bytes > limit && this.releaseOldest(this.bytes - limit));
  }

  /**
   * Records that a row of `removals` has no copies any more: it is deleted if it was kept only for them, and otherwise
   * marked. Without the mark, documents that use its row numbers again would be taken for its copies.
   */
  #endRow(seq: number): void {
    if (!this.#removals.deletePruned(seq)) this.#removals.endRetentionOfRow(seq);
  }

  #deleteRow(seq: number): void {
    const bytes = this.#sql.delete.get(seq);
    if (bytes !== undefined) this.#addBytes(-bytes);
  }

  /** Deletes single copies. Each row that has some of them is written once; `endRow` is called for one without others. */
  #deleteAll(seqs: readonly number[], endRow: (seq: number) => void): void {
    for (const { row, places } of this.#copies.rowsOf(seqs))
      if (!this.#deleteSome(row, places)) endRow(row.seq);
  }

  /** Returns whether the row has other copies. */
  #deleteSome({ seq, lengths }: CopyRow, places: readonly number[]): boolean {
    const left = [...lengths];
    for (const place of places) left[place] = 0;
    if (left.every(bytes => bytes === 0)) {
      this.#deleteRow(seq);
      return false;
    }
    const body = this.#sql.blob.get(seq) ?? Buffer.alloc(0);
    const parts: Buffer[] = [];
    let start = 0;
    for (const [i, bytes] of lengths.entries()) {
      if (left[i] !== 0) parts.push(body.subarray(start, start + bytes));
      start += bytes;
    }
    const all = Buffer.concat(parts);
    this.#sql.replace.run(storedBody(all.toString('utf8')), JSON.stringify(left), seq);
    this.#addBytes(all.length - body.length);
    return true;
  }

  #addBytes(bytes: number): void {
    this.#meta.add('retainedBytes', bytes);
  }
}

/** Returns the places of the first copies which together have at least so many bytes. */
function firstOf(lengths: readonly number[], bytes: number): number[] {
  const places: number[] = [];
  let freed = 0;
  for (const [place, length] of lengths.entries()) {
    if (freed >= bytes) break;
    places.push(place);
    freed += length;
  }
  return places;
}

function prepareCollection(db: Database, collection: number): CollectionStatements {
  const removed = `seq > ? AND seq <= ? AND keep_until_at > ? AND gone = 1 AND collection = ${collection}`;
  const bodies: Statement<[string], StoredBody | null> = db
    .prepare<[string], StoredBody | null>(
      `SELECT d.body FROM json_each(?) AS j LEFT JOIN documents_${collection} AS d ON d.row = j.value`,
    )
    .pluck();
  return {
    bodies,
    copySingle: db.prepare(
      `INSERT OR IGNORE INTO retained (seq, keep_until_minute, body)
       SELECT r.seq, ${keepUntilMinuteOf('r.keep_until_at')}, d.body
       FROM (SELECT seq, row, keep_until_at FROM removals WHERE ${removed} AND documents = 1) AS r
            CROSS JOIN documents_${collection} AS d ON d.row = r.row`,
    ),
    packed: db.prepare(
      `SELECT seq, keep_until_at AS keepUntilAt, ${PACKED_ROWS} AS rows, ${PACKED_ENDS} AS ends
       FROM removals
       WHERE ${removed} AND documents > 1
         AND NOT EXISTS (SELECT 1 FROM retained AS k WHERE k.seq = removals.seq)`,
    ),
  };
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
  const blob: Statement<[number], Buffer> = db
    .prepare<[number], Buffer>('SELECT CAST(body AS BLOB) FROM retained WHERE seq = ?')
    .pluck();
  const oldestRemovedAt: Statement<[], number> = db
    .prepare<[], number>(
      'SELECT removed_at FROM removals WHERE seq = (SELECT seq FROM retained ORDER BY seq LIMIT 1)',
    )
    .pluck();
  const overdue: Statement<[number, number], number> = db
    .prepare<[number, number], number>(
      'SELECT seq FROM retained WHERE keep_until_minute <= ? ORDER BY keep_until_minute, seq LIMIT ?',
    )
    .pluck();
  return {
    oldestRemovedAt,
    delete: remove,
    bytesBetween,
    blob,
    overdue,
    oldest: db.prepare<[number], StoredCopyRow>(`SELECT ${COPY_COLUMNS} FROM retained ORDER BY seq LIMIT ?`),
    replace: db.prepare<[StoredBody, string, number]>(
      'UPDATE retained SET body = ?, lengths = ? WHERE seq = ?',
    ),
    insert: db.prepare<[number, number, StoredBody, string | null]>(
      `INSERT INTO retained (seq, keep_until_minute, body, lengths)
       VALUES (?, ${keepUntilMinuteOf('CAST(? AS INTEGER)')}, ?, ?)`,
    ),
  };
}

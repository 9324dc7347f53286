import type { Settings } from '../../../../../shared/contract/settings.ts';
import type { Database, Statement } from '../file/database.ts';
import type { CatalogIndex } from './catalog.ts';
import { bodyBytes, type StoredBody } from './stored-json.ts';

/** How long what expired can be brought back, in seconds, and the most bytes kept for it. */
export type RetentionSettings = Pick<Settings, 'retention' | 'retentionBytes'>;

type LetGo = [seq: number, bytes: number];

/**
 * SQL for the minute in which a copy is let go of. Whole minutes keep its index in the order in which copies are
 * made, so that it is appended to: to the millisecond it cost more than the copies themselves.
 */
function endsOf(keepUntil: string): string {
  return `(${keepUntil} + 59999) / 60000`;
}

/** Copies let go of at once: each may be 16 MiB. */
const COPIES_AT_ONCE = 16;

/**
 * Restorable copies of what expired [X4]. Until when one is kept is fixed as its document expires
 * (`removals.keep_until`, 0: not at all, or not any more). A document that is gone is copied by the sweep, as its row is freed: until
 * then its dead row is the copy, and no body is read on the way out. One that stays, changed, is copied by the
 * action itself.
 *
 * Their bytes are counted with every change (meta's `retainedBytes`), so that the store's limit costs no scan.
 * Every call is made inside a transaction of the writer.
 */
export class Retained {
  readonly #db: Database;
  readonly #settings: () => RetentionSettings;
  readonly #keepRemoved = new Map<number, Statement<[number, number, number]>>();
  readonly #sql;

  constructor(db: Database, settings: () => RetentionSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#sql = prepare(db);
  }

  /** Until when a document that an index (null: its own expiration) removes at `at` is restorable; 0: it is not. */
  keepUntil(index: CatalogIndex | null, at: number): number {
    const { retention, retentionBytes } = this.#settings();
    const seconds = index?.definition.retention ?? retention;
    return seconds === 0 || retentionBytes === 0 ? 0 : at + Math.round(seconds * 1000);
  }

  /** Keeps a document as it was before an action changed it in place [A2, A3]. */
  keepBefore(seq: number, keepUntil: number, body: StoredBody): void {
    if (keepUntil === 0) return;
    this.#sql.keep.run(seq, keepUntil, body);
    this.#sql.count.run(bodyBytes(body));
  }

  /**
   * Copies what is to be freed of one collection, by removals after one and through another. What the log says now decides:
   * a document may have been restored or purged since, or copied by a round of the sweep that was cut short. Those whose time
   * was up before they were copied get no copy, and their entries say so.
   */
  keepRemoved(collection: number, after: number, through: number, now: number): void {
    this.#sql.forbidOverdue.run(collection, after, through, now);
    let keep = this.#keepRemoved.get(collection);
    if (keep === undefined) {
      keep = prepareKeepRemoved(this.#db, collection);
      this.#keepRemoved.set(collection, keep);
    }
    const before = this.#sql.bytesBetween.get(after, through) ?? 0;
    if (keep.run(after, through, now).changes === 0) return;
    this.#sql.count.run((this.#sql.bytesBetween.get(after, through) ?? 0) - before);
  }

  /** The text of a copy; null: there is none, or its row has not been swept yet. */
  body(seq: number): StoredBody | null {
    return this.#sql.body.get(seq) ?? null;
  }

  /** Lets go of a copy, wherever it is: it can be restored no more. */
  release(seq: number): void {
    this.#sql.forbid.run(seq);
    const bytes = this.#sql.release.get(seq);
    if (bytes !== undefined) this.#sql.count.run(-bytes);
  }

  get bytes(): number {
    return this.#sql.bytes.get() ?? 0;
  }

  hasOverdue(now: number): boolean {
    return this.#sql.overdue.get(now / 60_000, 1) !== undefined;
  }

  /** A few of those whose time is up; true: there may be more. */
  letGoOfOverdue(now: number): boolean {
    return this.#letGo(this.#sql.overdue.all(now / 60_000, COPIES_AT_ONCE));
  }

  /** A few of the oldest, until `bytes` are gone; true: there may be more. */
  letGoOfOldest(bytes: number): boolean {
    let beyond = bytes;
    const oldest: LetGo[] = [];
    for (const copy of this.#sql.oldest.all(COPIES_AT_ONCE)) {
      if (beyond <= 0) break;
      oldest.push(copy);
      beyond -= copy[1];
    }
    return this.#letGo(oldest);
  }

  #letGo(copies: readonly LetGo[]): boolean {
    let bytes = 0;
    for (const [seq, size] of copies) {
      this.#sql.release.run(seq);
      // Its entry says that it is gone: nothing else does once its row's number is used again.
      if (this.#sql.forget.run(seq).changes === 0) this.#sql.forbid.run(seq);
      bytes += size;
    }
    if (bytes > 0) this.#sql.count.run(-bytes);
    return copies.length > 0;
  }
}

function prepareKeepRemoved(db: Database, collection: number): Statement<[number, number, number]> {
  return db.prepare(
    `INSERT OR IGNORE INTO retained (seq, ends, body)
     SELECT r.seq, ${endsOf('r.keep_until')}, d.body
     FROM removals AS r CROSS JOIN documents_${collection} AS d ON d.row = r.row
     WHERE r.seq > ? AND r.seq <= ? AND r.keep_until > ? AND r.gone = 1 AND r.collection = ${collection}`,
  );
}

function prepare(db: Database) {
  const release: Statement<[number], number> = db
    .prepare<[number], number>('DELETE FROM retained WHERE seq = ? RETURNING octet_length(body)')
    .pluck();
  const bytes: Statement<[], number> = db
    .prepare<[], number>(`SELECT value FROM meta WHERE key = 'retainedBytes'`)
    .pluck();
  const bytesBetween: Statement<[number, number], number | null> = db
    .prepare<[number, number], number | null>(
      'SELECT sum(octet_length(body)) FROM retained WHERE seq > ? AND seq <= ?',
    )
    .pluck();
  const body: Statement<[number], StoredBody> = db
    .prepare<[number], StoredBody>('SELECT body FROM retained WHERE seq = ?')
    .pluck();
  const overdue: Statement<[number, number], LetGo> = db
    .prepare<[number, number], LetGo>(
      'SELECT seq, octet_length(body) FROM retained WHERE ends <= ? ORDER BY ends, seq LIMIT ?',
    )
    .raw();
  const oldest: Statement<[number], LetGo> = db
    .prepare<[number], LetGo>('SELECT seq, octet_length(body) FROM retained ORDER BY seq LIMIT ?')
    .raw();
  return {
    release,
    bytes,
    bytesBetween,
    body,
    overdue,
    oldest,
    keep: db.prepare<[number, number, StoredBody]>(
      `INSERT INTO retained (seq, ends, body) VALUES (?, ${endsOf('CAST(? AS INTEGER)')}, ?)`,
    ),
    count: db.prepare<[number]>(`UPDATE meta SET value = value + ? WHERE key = 'retainedBytes'`),
    forbid: db.prepare<[number]>('UPDATE removals SET keep_until = 0 WHERE seq = ?'),
    forbidOverdue: db.prepare<[number, number, number, number]>(
      `UPDATE removals SET keep_until = 0
       WHERE collection = ? AND seq > ? AND seq <= ? AND keep_until > 0 AND keep_until <= ? AND gone = 1
         AND NOT EXISTS (SELECT 1 FROM retained WHERE retained.seq = removals.seq)`,
    ),
    // Below the mark the log tells of nothing any more: such a row stayed for its copy alone.
    forget: db.prepare<[number]>(
      `DELETE FROM removals WHERE seq = ? AND seq <= (SELECT value FROM meta WHERE key = 'pruned')`,
    ),
  };
}

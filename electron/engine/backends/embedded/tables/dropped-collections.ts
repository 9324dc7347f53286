import type { Database, Statement } from 'better-sqlite3';
import type { DroppedCollection } from '../../../../../shared/contract/collections.ts';

/** A dropped collection; `definition` is JSON of its row in `collections`. */
export type DroppedRow = DroppedCollection & { definition: string };

/**
 * The `dropped_collections` table [X4]. If `keepUntilAt` is 0, the collection is not restorable and its tables are
 * being freed.
 */
export class DroppedCollectionsTable {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  insert(row: DroppedRow): void {
    this.#sql.insert.run(row);
  }

  delete(id: number): void {
    this.#sql.delete.run(id);
  }

  find(id: number): DroppedRow | undefined {
    return this.#sql.find.get(id);
  }

  /** Collections that are restorable at `now`, latest first. */
  restorable(now: number): DroppedRow[] {
    return this.#sql.restorable.all(now);
  }

  isKept(id: number): boolean {
    return this.#sql.isKept.get(id) !== undefined;
  }

  /** Bytes of all kept collections. */
  bytes(): number {
    return this.#sql.bytes.get() ?? 0;
  }

  /** When the oldest kept collection was dropped, epoch ms; null if none is kept. */
  oldestDroppedAt(): number | null {
    return this.#sql.oldest.get() ?? null;
  }

  /** The next collection whose tables must be freed. */
  nextToFree(): { id: number; definition: string } | undefined {
    return this.#sql.nextToFree.get();
  }

  hasOverdue(now: number): boolean {
    return this.#sql.overdue.get(now) !== undefined;
  }

  release(id: number): void {
    this.#sql.release.run(id);
  }

  releaseOldest(): void {
    this.#sql.releaseOldest.run();
  }

  /** Releases collections whose retention has ended. */
  releaseOverdue(now: number): void {
    this.#sql.releaseOverdue.run(now);
  }
}

const COLUMNS =
  'id, name, documents, bytes, dropped_at AS droppedAt, dropped_by AS droppedBy, keep_until_at AS keepUntil, definition';

function prepare(db: Database) {
  const isKept: Statement<[number], number> = db
    .prepare<[number], number>('SELECT 1 FROM dropped_collections WHERE id = ? AND keep_until_at > 0')
    .pluck();
  const bytes: Statement<[], number> = db
    .prepare<[], number>('SELECT sum(bytes) FROM dropped_collections WHERE keep_until_at > 0')
    .pluck();
  const oldest: Statement<[], number> = db
    .prepare<[], number>('SELECT min(dropped_at) FROM dropped_collections WHERE keep_until_at > 0')
    .pluck();
  return {
    isKept,
    bytes,
    oldest,
    insert: db.prepare<[DroppedRow]>(
      `INSERT INTO dropped_collections (id, name, documents, bytes, dropped_at, dropped_by, keep_until_at, definition)
       VALUES (@id, @name, @documents, @bytes, @droppedAt, @droppedBy, @keepUntil, @definition)`,
    ),
    delete: db.prepare<[number]>('DELETE FROM dropped_collections WHERE id = ?'),
    find: db.prepare<[number], DroppedRow>(`SELECT ${COLUMNS} FROM dropped_collections WHERE id = ?`),
    restorable: db.prepare<[number], DroppedRow>(
      `SELECT ${COLUMNS} FROM dropped_collections WHERE keep_until_at > ? ORDER BY dropped_at DESC, id DESC`,
    ),
    nextToFree: db.prepare<[], { id: number; definition: string }>(
      'SELECT id, definition FROM dropped_collections WHERE keep_until_at = 0 ORDER BY id LIMIT 1',
    ),
    overdue: db.prepare<[number], unknown>(
      'SELECT 1 FROM dropped_collections WHERE keep_until_at > 0 AND keep_until_at <= ? LIMIT 1',
    ),
    release: db.prepare<[number]>('UPDATE dropped_collections SET keep_until_at = 0 WHERE id = ?'),
    releaseOldest: db.prepare<[]>(
      `UPDATE dropped_collections SET keep_until_at = 0
       WHERE id = (SELECT id FROM dropped_collections WHERE keep_until_at > 0 ORDER BY dropped_at, id LIMIT 1)`,
    ),
    releaseOverdue: db.prepare<[number]>(
      'UPDATE dropped_collections SET keep_until_at = 0 WHERE keep_until_at > 0 AND keep_until_at <= ?',
    ),
  };
}

import { z } from 'zod';
import type { DroppedCollection } from '../../../../../shared/contract/collections.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Statement } from '../file/database.ts';
import type { CatalogCollection } from '../tables/catalog.ts';
import { dropDocumentTables, dropSideTable } from '../tables/dynamic-tables.ts';
import type { RetentionSettings } from '../tables/retained-copies.ts';
import type { Writer } from '../write/writer.ts';

/** Rows freed between two looks at the time: each may be 16 MiB. */
const ROWS_AT_ONCE = 16;
const SMALL_ROWS_AT_ONCE = 200;

/** A row of `collections`, whichever columns it has. */
const collectionRow = z.looseObject({ id: z.number(), explicit: z.number() });

/**
 * Dropped collections [X4]. One leaves the catalog at once, and with it everything that reads the catalog; its
 * tables stay until its time is up, or the oldest is let go of for the store's limit. Then they are freed a few
 * rows at a time, so that nobody waits for a large one.
 */
export class DroppedCollections {
  readonly #writer: Writer;
  readonly #settings: () => RetentionSettings;
  readonly #sql;
  #freeing: Generator<void, void> | null = null;

  constructor(writer: Writer, settings: () => RetentionSettings) {
    this.#writer = writer;
    this.#settings = settings;
    this.#sql = prepare(writer);
  }

  /** Inside the transaction that drops it. Answers how many documents went with it. */
  keep({ id, name }: CatalogCollection, at: number, by: string): number {
    const { retention } = this.#settings();
    const row = z.looseObject({ documents: z.number(), bytes: z.number() }).parse(this.#sql.row.get(id));
    this.#sql.keep.run({
      id,
      name,
      documents: row.documents,
      bytes: row.bytes,
      at,
      by,
      keepUntil: retention === 0 ? 0 : at + Math.round(retention * 1000),
      definition: JSON.stringify(row),
    });
    this.#sql.forget.run(id);
    return row.documents;
  }

  /** Inside the transaction that brings it back. Throws COLLECTION_NOT_FOUND. */
  putBack(id: number, name: string, now: number): void {
    const { definition } = this.#find(id, now);
    const row = { ...collectionRow.parse(JSON.parse(definition)), name };
    const columns = Object.keys(row);
    this.#writer.db
      .prepare(
        `INSERT INTO collections (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      .run(Object.values(row));
    this.#sql.remove.run(id);
  }

  /** Inside a transaction: it can come back no more, and is freed by and by. */
  letGo(id: number): void {
    this.#sql.letGo.run(id);
  }

  /** Throws COLLECTION_NOT_FOUND. */
  get(id: number, now: number): DroppedCollection {
    const { definition: _, ...found } = this.#find(id, now);
    return found;
  }

  /** Those that can be brought back, latest first. */
  list(now: number): DroppedCollection[] {
    return this.#sql.list.all(now).map(({ definition: _, ...dropped }) => dropped);
  }

  isKept(id: number): boolean {
    return this.#sql.isKept.get(id) !== undefined;
  }
  get bytes(): number {
    return this.#sql.bytes.get() ?? 0;
  }
  /** When the oldest was dropped; null: there is none. */
  oldest(): number | null {
    return this.#sql.oldest.get() ?? null;
  }
  letGoOfOldest(): void {
    this.#sql.letGoOfOldest.run();
  }
  hasOverdue(now: number): boolean {
    return this.#sql.overdue.get(now) !== undefined;
  }
  letGoOfOverdue(now: number): void {
    this.#sql.letGoOfOverdue.run(now);
  }
  /** Whether some are still to be freed. */
  get isFreeing(): boolean {
    return this.#sql.next.get() !== undefined;
  }

  /** Frees tables of what was let go of until `elapsed` says `until`; true: there is more. */
  free(until: number): boolean {
    if (this.#freeing === null) {
      const next = this.#sql.next.get();
      if (next === undefined) return false;
      this.#freeing = this.#freeOne(next);
    }
    const { clock } = this.#writer;
    const freeing = this.#freeing;
    // Whatever cuts it short, it begins again with what is left.
    this.#freeing = null;
    const ended = this.#writer.maintain(() => {
      let done: boolean;
      do done = freeing.next().done === true;
      while (!done && clock.elapsed() < until);
      return done;
    });
    if (!ended) this.#freeing = freeing;
    return true;
  }

  *#freeOne({ id, definition }: { id: number; definition: string }): Generator<void, void> {
    const { db } = this.#writer;
    const { explicit } = collectionRow.parse(JSON.parse(definition));
    const sides = [explicit, ...this.#sql.sides.all(id).flat()].filter(side => side !== null);
    yield* this.#copies(id);
    if (exists(db, `documents_${id}`)) {
      yield* this.#empty(`documents_${id}`, ROWS_AT_ONCE);
      yield* this.#empty(`keys_${id}`, SMALL_ROWS_AT_ONCE);
      for (const side of sides) {
        yield* this.#empty(`entries_${side}`, SMALL_ROWS_AT_ONCE);
        yield* this.#empty(`counts_${side}`, SMALL_ROWS_AT_ONCE);
      }
      for (const side of sides) dropSideTable(db, side);
      dropDocumentTables(db, id);
      yield;
    }
    for (const table of ['passes', 'actuals', 'quarantine', 'holds', 'policy_history', 'metric_series'])
      yield* this.#empty(table, SMALL_ROWS_AT_ONCE, `WHERE collection = ${id}`);
    // What expired stays as long as the change log tells of it, and so do the names of the indexes that acted [V3].
    this.#sql.dropIndexes.run(this.#writer.clock.now(), id);
    this.#sql.remove.run(id);
  }

  /** What of it had expired and was still restorable. */
  *#copies(id: number): Generator<void, void> {
    let after = 0;
    for (;;) {
      const window = this.#sql.window.all(after, SMALL_ROWS_AT_ONCE);
      const last = window.at(-1);
      if (last === undefined) return;
      for (const { seq, collection } of window) {
        if (collection !== id) continue;
        const bytes = this.#sql.release.get(seq);
        if (bytes !== undefined) this.#sql.count.run(-bytes);
        this.#sql.forbid.run(seq);
      }
      after = last.seq;
      yield;
    }
  }

  *#empty(table: string, atOnce: number, where = ''): Generator<void, void> {
    const remove = this.#writer.db.prepare(`DELETE FROM ${table} ${where} LIMIT ${atOnce}`);
    while (remove.run().changes > 0) yield;
  }

  #find(id: number, now: number): DroppedCollection & { definition: string } {
    const found = this.#sql.find.get(id);
    if (found === undefined || found.keepUntil <= now) {
      throw new SandglassError(
        'COLLECTION_NOT_FOUND',
        `There is no dropped collection ${id} that could be brought back: its time is up, or it was restored or purged.`,
        { id },
      );
    }
    return found;
  }
}

function exists(db: Writer['db'], table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
}

const DROPPED =
  'id, name, documents, bytes, dropped_at AS droppedAt, dropped_by AS droppedBy, keep_until AS keepUntil, definition';

function prepare({ db }: Writer) {
  type Kept = DroppedCollection & { definition: string };
  const isKept: Statement<[number], number> = db
    .prepare<[number], number>('SELECT 1 FROM dropped_collections WHERE id = ? AND keep_until > 0')
    .pluck();
  const bytes: Statement<[], number> = db
    .prepare<[], number>('SELECT sum(bytes) FROM dropped_collections WHERE keep_until > 0')
    .pluck();
  const oldest: Statement<[], number> = db
    .prepare<[], number>('SELECT min(dropped_at) FROM dropped_collections WHERE keep_until > 0')
    .pluck();
  const release: Statement<[number], number> = db
    .prepare<[number], number>('DELETE FROM retained WHERE seq = ? RETURNING octet_length(body)')
    .pluck();
  const sides: Statement<[number], [number, number | null]> = db
    .prepare<[number], [number, number | null]>(
      'SELECT side, governed FROM ttl_indexes WHERE collection = ? AND dropped_at IS NULL',
    )
    .raw();
  return {
    isKept,
    bytes,
    oldest,
    release,
    sides,
    row: db.prepare<[number], unknown>('SELECT * FROM collections WHERE id = ?'),
    keep: db.prepare<
      [
        {
          id: number;
          name: string;
          documents: number;
          bytes: number;
          at: number;
          by: string;
          keepUntil: number;
          definition: string;
        },
      ]
    >(
      'INSERT INTO dropped_collections VALUES (@id, @name, @documents, @bytes, @at, @by, @keepUntil, @definition)',
    ),
    forget: db.prepare<[number]>('DELETE FROM collections WHERE id = ?'),
    remove: db.prepare<[number]>('DELETE FROM dropped_collections WHERE id = ?'),
    find: db.prepare<[number], Kept>(`SELECT ${DROPPED} FROM dropped_collections WHERE id = ?`),
    list: db.prepare<[number], Kept>(
      `SELECT ${DROPPED} FROM dropped_collections WHERE keep_until > ? ORDER BY dropped_at DESC, id DESC`,
    ),
    next: db.prepare<[], { id: number; definition: string }>(
      'SELECT id, definition FROM dropped_collections WHERE keep_until = 0 ORDER BY id LIMIT 1',
    ),
    letGo: db.prepare<[number]>('UPDATE dropped_collections SET keep_until = 0 WHERE id = ?'),
    letGoOfOldest: db.prepare<[]>(
      `UPDATE dropped_collections SET keep_until = 0
       WHERE id = (SELECT id FROM dropped_collections WHERE keep_until > 0 ORDER BY dropped_at, id LIMIT 1)`,
    ),
    overdue: db.prepare<[number], unknown>(
      'SELECT 1 FROM dropped_collections WHERE keep_until > 0 AND keep_until <= ? LIMIT 1',
    ),
    letGoOfOverdue: db.prepare<[number]>(
      'UPDATE dropped_collections SET keep_until = 0 WHERE keep_until > 0 AND keep_until <= ?',
    ),
    window: db.prepare<[number, number], { seq: number; collection: number }>(
      'SELECT seq, collection FROM removals WHERE seq > ? ORDER BY seq LIMIT ?',
    ),
    count: db.prepare<[number]>(`UPDATE meta SET value = value + ? WHERE key = 'retainedBytes'`),
    forbid: db.prepare<[number]>('UPDATE removals SET keep_until = 0 WHERE seq = ? AND keep_until > 0'),
    dropIndexes: db.prepare<[number, number]>(
      'UPDATE ttl_indexes SET dropped_at = ?, governed = NULL WHERE collection = ? AND dropped_at IS NULL',
    ),
  };
}

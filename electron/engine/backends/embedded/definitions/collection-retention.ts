import { z } from 'zod';
import type { DroppedCollection } from '../../../../../shared/contract/collections.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { dropIndexTable, prepareDeleteSomeOfIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { Statement } from '../file/database.ts';
import { dropDocumentTables } from '../tables/documents/document-tables.ts';
import { prepareDeleteSomeDocuments } from '../tables/documents/documents.ts';
import { prepareDeleteSomeKeys } from '../tables/documents/keys.ts';
import type { DroppedCollectionsTable, DroppedRow } from '../tables/dropped-collections.ts';
import type { RetainedCopies, RetentionSettings } from '../tables/removals/retained-copies.ts';
import type { SqlRow } from '../tables/row-statements.ts';
import type { Writer } from '../write/writer.ts';

/** Rows freed between two checks of the elapsed time: each may be 16 MiB. */
const ROWS_AT_ONCE = 16;
const SMALL_ROWS_AT_ONCE = 200;

/** A row of `collections` with any columns: the format of the store may have changed since it was kept. */
const collectionRow = z
  .object({ id: z.number(), explicit: z.number(), documents: z.number(), bytes: z.number() })
  .catchall(z.union([z.string(), z.number(), z.null()]));

/**
 * Dropped collections [X4]. A dropped collection leaves the catalog at once, so no query reads it any more. Its tables
 * stay until its retention ends, or until all dropped collections together exceed the store's limit and it is the
 * oldest. Then they are freed a few rows at a time, so that a large collection delays no call.
 */
export class CollectionRetention {
  readonly #writer: Writer;
  readonly #table: DroppedCollectionsTable;
  readonly #retained: RetainedCopies;
  readonly #settings: () => RetentionSettings;
  readonly #indexTablesOf: Statement<[number], [table: number, governedTable: number | null]>;
  #freeing: Generator<void, void> | null = null;

  constructor(writer: Writer, retained: RetainedCopies, settings: () => RetentionSettings) {
    this.#writer = writer;
    this.#table = writer.tables.droppedCollections;
    this.#retained = retained;
    this.#settings = settings;
    this.#indexTablesOf = writer.db
      .prepare<[number], [table: number, governedTable: number | null]>(
        'SELECT side, governed_side FROM ttl_indexes WHERE collection = ? AND dropped_at IS NULL',
      )
      .raw();
  }

  /** Call inside the transaction that drops the collection. Returns its number of documents. */
  keep({ id, name }: CatalogCollection, at: number, by: string): number {
    const { retention } = this.#settings();
    const { collections } = this.#writer.tables;
    const row = collectionRow.parse(collections.row(id));
    this.#table.insert({
      id,
      name,
      documents: row.documents,
      bytes: row.bytes,
      droppedAt: at,
      droppedBy: by,
      keepUntil: retention === 0 ? 0 : at + Math.round(retention * 1000),
      definition: JSON.stringify(row),
    });
    collections.delete(id);
    return row.documents;
  }

  /** Call inside the transaction that restores the collection. Throws COLLECTION_NOT_FOUND. */
  putBack(id: number, name: string, now: number): void {
    const { definition } = this.#find(id, now);
    const row: SqlRow = { ...collectionRow.parse(JSON.parse(definition)), name };
    this.#writer.tables.collections.insertRow(row);
    this.#table.delete(id);
  }

  /** Makes a dropped collection not restorable; its tables are freed incrementally. Call inside a transaction. */
  release(id: number): void {
    this.#table.release(id);
  }

  /** Throws COLLECTION_NOT_FOUND. */
  get(id: number, now: number): DroppedCollection {
    const { definition: _, ...found } = this.#find(id, now);
    return found;
  }

  /** Restorable collections, latest first. */
  list(now: number): DroppedCollection[] {
    return this.#table.restorable(now).map(({ definition: _, ...dropped }) => dropped);
  }

  isKept(id: number): boolean {
    return this.#table.isKept(id);
  }
  get bytes(): number {
    return this.#table.bytes();
  }
  /** When the oldest kept collection was dropped, epoch ms; null if none is kept. */
  oldest(): number | null {
    return this.#table.oldestDroppedAt();
  }
  releaseOldest(): void {
    this.#table.releaseOldest();
  }
  hasOverdue(now: number): boolean {
    return this.#table.hasOverdue(now);
  }
  releaseOverdue(now: number): void {
    this.#table.releaseOverdue(now);
  }
  /** Whether released collections still have tables to free. */
  get isFreeing(): boolean {
    return this.#table.nextToFree() !== undefined;
  }

  /** Frees tables of released collections until `elapsed` reaches `until`, ms. Returns whether it can free more. */
  free(until: number): boolean {
    if (this.#freeing === null) {
      const next = this.#table.nextToFree();
      if (next === undefined || this.#isUnswept(next.id)) return false;
      this.#freeing = this.#freeOne(next);
    }
    const { clock } = this.#writer;
    const freeing = this.#freeing;
    // An interrupted pass restarts with the rows that are left.
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

  /** Whether the tables still tell which documents of its expired intervals are not listed yet: the sweep comes first. */
  #isUnswept(id: number): boolean {
    return this.#writer.tombstones.intervals.all.some(({ collection }) => collection === id);
  }

  *#freeOne({ id, definition }: { id: number; definition: string }): Generator<void, void> {
    const { db, tables } = this.#writer;
    const { explicit } = collectionRow.parse(JSON.parse(definition));
    const indexTables = [explicit, ...this.#indexTablesOf.all(id).flat()].filter(table => table !== null);
    yield* this.#copies(id);
    if (exists(db, `documents_${id}`)) {
      yield* repeated(prepareDeleteSomeDocuments(db, id), ROWS_AT_ONCE);
      yield* repeated(prepareDeleteSomeKeys(db, id), SMALL_ROWS_AT_ONCE);
      for (const table of indexTables)
        for (const remove of prepareDeleteSomeOfIndexTable(db, table))
          yield* repeated(remove, SMALL_ROWS_AT_ONCE);
      for (const table of indexTables) dropIndexTable(db, table);
      dropDocumentTables(db, id);
      yield;
    }
    const { passes, expiryCounts, quarantine, holds, policyHistory, metricSeries } = tables;
    for (const table of [passes, expiryCounts, quarantine, holds, policyHistory, metricSeries])
      while (table.deleteSomeOfCollection(id, SMALL_ROWS_AT_ONCE) > 0) yield;
    // Removals, and the names of the indexes that acted, stay as long as the change log refers to them [V3].
    tables.ttlIndexes.markDroppedOfCollection(id, this.#writer.clock.now());
    this.#table.delete(id);
  }

  /** Expired documents of the collection that were still restorable. */
  *#copies(id: number): Generator<void, void> {
    let after = 0;
    for (;;) {
      const window = this.#writer.tables.removals.collectionsAfter(after, SMALL_ROWS_AT_ONCE);
      const last = window.at(-1);
      if (last === undefined) return;
      for (const { seq, collection } of window) if (collection === id) this.#retained.releaseRow(seq);
      after = last.seq;
      yield;
    }
  }

  #find(id: number, now: number): DroppedRow {
    const found = this.#table.find(id);
    if (found === undefined || found.keepUntil <= now) {
      throw new SandglassError(
        'COLLECTION_NOT_FOUND',
        `There is no dropped collection ${id} to restore: its retention has ended, or it was restored or purged.`,
        { id },
      );
    }
    return found;
  }
}

function exists(db: Writer['db'], table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
}

/** Runs a statement that deletes up to `most` rows until none is left. */
function* repeated(remove: Statement<[number]>, most: number): Generator<void, void> {
  while (remove.run(most).changes > 0) yield;
}

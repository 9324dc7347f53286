import { dropIndexTable, emptyIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { Statement } from '../file/database.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';

/**
 * If a collection has several acting indexes, each has a second index table with only the documents that it governs, so
 * that counts add up to documents [D9]. The tables are emptied when a document's governing index may have changed, and
 * rebuilt by a backfill.
 */
export class GovernedTables {
  readonly #writer: Writer;
  readonly #sql;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#sql = prepare(writer);
  }

  /** Starts to rebuild a collection's tables: the governing index of any document may have changed. */
  recount(transaction: Transaction, name: string): void {
    this.empty(name);
    transaction.changesCatalog = true;
  }

  /** Like `recount`, inside a transaction that changes the catalog anyway. */
  empty(name: string): void {
    const { db, tables } = this.#writer;
    const { id } = this.#writer.collection(name).catalog;
    const acting = this.#sql.acting.all(id);
    for (const { id: index, governedTable } of this.#sql.idle.all(id)) {
      dropIndexTable(db, governedTable);
      tables.ttlIndexes.setGovernedTable(index, null);
    }
    for (const { id: index, governedTable } of acting) {
      if (acting.length > 1 && governedTable === null)
        tables.ttlIndexes.setGovernedTable(index, createNextIndexTable(db));
      else if (acting.length > 1 && governedTable !== null) emptyIndexTable(db, governedTable);
      else if (governedTable !== null) {
        dropIndexTable(db, governedTable);
        tables.ttlIndexes.setGovernedTable(index, null);
      }
    }
    tables.collections.setRecounted(id, acting.length > 1 ? 0 : null);
  }

  /** Completes a recount: from here on each document is counted once, at its earliest deadline. */
  finish(transaction: Transaction, collection: CatalogCollection): void {
    this.#writer.tables.collections.setRecounted(collection.id, null);
    transaction.note({ collection: collection.name, kind: 'definition', id: 'recount' });
  }

  /** Like `finish`, for a mirror: makes no event, since each store has its own counts [V5]. */
  end(collection: CatalogCollection): void {
    this.#writer.tables.collections.setRecounted(collection.id, null);
  }

  /** Stores the progress of a recount, inside the transaction that entered those rows. */
  noteThrough(collection: CatalogCollection, throughRow: number): void {
    this.#writer.tables.collections.setRecounted(collection.id, throughRow);
  }
}

function prepare({ db }: Writer) {
  const acting: Statement<[number], { id: number; governedTable: number | null }> = db.prepare(
    `SELECT id, governed_side AS governedTable FROM ttl_indexes
     WHERE collection = ? AND dropped_at IS NULL AND built_through_row IS NULL AND acting = 1 ORDER BY id`,
  );
  return {
    acting,
    idle: db.prepare<[number], { id: number; governedTable: number }>(
      'SELECT id, governed_side AS governedTable FROM ttl_indexes WHERE collection = ? AND acting = 0 AND governed_side IS NOT NULL',
    ),
  };
}

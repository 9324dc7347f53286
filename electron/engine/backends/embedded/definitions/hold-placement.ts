import type { HoldRecord } from '../../../../../shared/contract/reaper.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import { deadlineSources } from '../catalog/catalog.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';

export interface HoldRow {
  /** Null: the whole store. */
  collection: CatalogCollection | null;
  cause: HoldRecord['cause'];
  /** The index whose definition is held. */
  index: { id: number; name: string } | null;
  by: string;
  due: number;
  /** How long the store was closed, or how far the clock jumped; null: neither. */
  durationMs: number | null;
}

/**
 * Places and ends holds, inside transactions of the caller. There is one row for each cause of a collection: placing it
 * again updates the number of due documents and keeps the instant of the first.
 */
export class HoldPlacement {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  place(transaction: Transaction, { collection, cause, index, by, due, durationMs }: HoldRow): void {
    const documents = this.documents(collection);
    const place = { collection: collection?.id ?? 0, cause, source: index?.id ?? 0 };
    this.#writer.tables.holds.put({ ...place, since: transaction.at, by, due, documents, durationMs });
    this.#touch(transaction, collection);
  }

  /** Ends a hold. Lag of its collection is counted from this instant on [M1]. */
  end(transaction: Transaction, id: number, collection: CatalogCollection | null): void {
    this.#writer.tables.holds.delete(id);
    this.#writer.tables.resetLag(transaction.at, collection?.id ?? null);
    this.#touch(transaction, collection);
  }

  /** Ends the holds of an index whose definition is confirmed or changed. */
  endOfIndex(index: number): void {
    this.#writer.tables.holds.deleteOfIndex(index);
  }

  /** Counts documents of a collection that are due at `at` and were not at `since`, including uncommitted changes. */
  due(collection: CatalogCollection, at: number, since = Number.NEGATIVE_INFINITY): number {
    this.#writer.collection(collection.name).flush();
    // The reaper does not act on entries made by other reading rules, but their number is the best estimate [R9].
    const outdated = collection.indexes.filter(index => index.isActing && index.isOutdated);
    const tables = [
      ...deadlineSources(collection),
      ...outdated.map(({ table, addMs }) => ({ table, addMs })),
    ];
    const beingBuilt = collection.indexes.filter(index => !index.isOutdated).map(({ wasDue }) => wasDue ?? 0);
    return tables.reduce(
      (sum, { table, addMs }) => {
        const entries = this.#writer.indexTable(table);
        const before = since === Number.NEGATIVE_INFINITY ? 0 : entries.before(since - addMs + 1).documents;
        return sum + entries.before(at - addMs + 1).documents - before;
      },
      beingBuilt.reduce((sum, due) => sum + due, 0),
    );
  }

  /** Counts documents of one collection or, with null, of all, including uncommitted changes. */
  documents(collection: CatalogCollection | null): number {
    const { collections } = this.#writer.tables;
    if (collection === null) return collections.documentsOfAll();
    this.#writer.collection(collection.name).flush();
    return collections.documents(collection.id) ?? 0;
  }

  #touch(transaction: Transaction, collection: CatalogCollection | null): void {
    transaction.changesCatalog = true;
    const names = collection === null ? this.#writer.catalog.collections.keys() : [collection.name];
    for (const name of names) transaction.collections.add(name);
  }
}

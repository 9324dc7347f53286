import { SandglassError } from '../../../../../shared/model/errors.ts';
import { checkName } from '../../../../../shared/model/names.ts';
import { createDocumentTables } from '../tables/documents/document-tables.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { Tables } from '../write/writer-tables.ts';
import type { CollectionRetention } from './collection-retention.ts';
import { define, defineOnFullDisk } from './definition-transaction.ts';
import { Successors } from './index-successors.ts';

/** Creates, drops and restores collections, each in one transaction. */
export class CollectionDefinitions {
  readonly #writer: Writer;
  readonly #dropped: CollectionRetention;
  readonly #successors: Successors;
  readonly #tables: Tables;

  constructor(writer: Writer, dropped: CollectionRetention) {
    this.#writer = writer;
    this.#dropped = dropped;
    this.#successors = new Successors(writer);
    this.#tables = writer.tables;
  }

  /** Throws INVALID_NAME, COLLECTION_EXISTS. */
  create(name: string): void {
    this.#checkNew(name);
    define(this.#writer, name, transaction => {
      const explicit = createNextIndexTable(this.#writer.db);
      const id = this.#tables.collections.insert(name, transaction.at, explicit);
      createDocumentTables(this.#writer.db, id);
      this.#tables.collectionNames.begin(id, name, transaction.revision);
    });
  }

  /**
   * Drops a collection, which stays restorable for its retention [X4]. Throws COLLECTION_NOT_FOUND. Returns its number
   * of documents.
   */
  drop(name: string, by: string): number {
    const { catalog } = this.#writer.collection(name);
    let documents = 0;
    defineOnFullDisk(this.#writer, name, transaction => {
      for (const index of catalog.indexes) this.#successors.drop(index);
      documents = this.#dropped.keep(catalog, transaction.at, by);
      this.#tables.collectionNames.end(catalog.id, transaction.revision);
    });
    return documents;
  }

  /**
   * Restores a dropped collection, then calls `afterwards` in the same transaction. Throws INVALID_NAME,
   * COLLECTION_EXISTS, COLLECTION_NOT_FOUND.
   */
  restore(id: number, name: string, afterwards: (transaction: Transaction) => void): void {
    this.#checkNew(name, ' Give it another name.');
    define(this.#writer, name, transaction => {
      this.#dropped.putBack(id, name, transaction.at);
      this.#tables.collectionNames.begin(id, name, transaction.revision);
      transaction.isBeyondImages = true;
      this.#writer.reloadDefinitions();
      afterwards(transaction);
    });
  }

  #checkNew(name: string, hint = ''): void {
    checkName('collection', name);
    if (this.#writer.catalog.collections.has(name)) {
      throw new SandglassError('COLLECTION_EXISTS', `There is a collection named ${name} already.${hint}`, {
        collection: name,
      });
    }
  }
}

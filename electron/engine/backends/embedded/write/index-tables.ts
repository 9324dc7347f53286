import { IndexTable } from '../../../deadline-index/index-table.ts';
import type { ExpiredMarks } from '../../../deadline-index/index-table-reader.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Database } from '../file/database.ts';

/**
 * The index tables on the writer's connection. A change of any definition makes new `CollectionWriter`s of all
 * collections, but the statements of their index tables stay prepared: the reaper may need them a moment later.
 */
export class IndexTables {
  readonly #db: Database;
  readonly #marks: ExpiredMarks;
  readonly #tables = new Map<number, IndexTable>();

  constructor(db: Database, marks: ExpiredMarks) {
    this.#db = db;
    this.#marks = marks;
  }

  of(number: number): IndexTable {
    let table = this.#tables.get(number);
    if (table === undefined) {
      table = new IndexTable(this.#db, number, this.#marks);
      this.#tables.set(number, table);
    }
    return table;
  }

  /** Releases the tables that no definition of the catalog has. */
  keepOnly({ collections }: Catalog): void {
    const used = new Set<number>();
    for (const { explicit, indexes } of collections.values()) {
      used.add(explicit);
      for (const { table, governedTable, successor } of indexes)
        used
          .add(table)
          .add(governedTable ?? table)
          .add(successor?.table ?? table);
    }
    for (const number of this.#tables.keys()) if (!used.has(number)) this.#tables.delete(number);
  }

  /** Discards the counts that a rolled back transaction has collected. */
  discardCounts(): void {
    for (const table of this.#tables.values()) table.discardCounts();
  }
}

import type { TtlIndexDefinition } from '../../../../../shared/model/ttl-index.ts';
import { dropIndexTable, emptyIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import { retireIndexTable } from './retire-index-table.ts';

export interface NewSuccessor {
  /** In the format of `ttl_indexes.definition`. */
  definition: string;
  by: string;
  change: 'change' | 'revert';
  /** True if a person confirmed how many documents it makes due: the breaker does not trip [R8]. */
  expected: boolean;
}

/**
 * Successors of indexes: a new definition with another source, and its own index table, which is built beside the
 * present one [D8]. Until the swap the present definition is in effect, and every write maintains both tables. Call
 * every method inside a transaction.
 *
 * An index that is renewed for another version of the reading rules has no successor (index-renewal.ts): its present
 * entries can no longer be maintained, so the present definition could not stay in effect beside the build.
 */
export class Successors {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Starts to build a successor; replaces an earlier one of the index. */
  begin({ at }: Transaction, index: CatalogIndex, successor: NewSuccessor): void {
    this.drop(index);
    const { db, tables } = this.#writer;
    tables.successors.insert({ ...successor, source: index.id, side: createNextIndexTable(db), at });
  }

  /** Changes properties of a successor other than its source. */
  redefine(index: CatalogIndex, definition: string): void {
    this.#writer.tables.successors.setDefinition(index.id, definition);
  }

  noteBuilt({ source }: CatalogSuccessor, throughRow: number): void {
    this.#writer.tables.successors.setBuilt(source, throughRow);
  }

  finish({ source }: CatalogSuccessor): void {
    this.#writer.tables.successors.setBuilt(source, null);
  }

  /** Restarts the build of a successor whose entries were made by other reading rules. */
  restart({ source, table }: CatalogSuccessor): void {
    emptyIndexTable(this.#writer.db, table);
    this.#writer.tables.successors.restart(source);
  }

  /** Puts the successor in effect: drops the index's former table and clears its quarantine. */
  swap(transaction: Transaction, name: string, index: CatalogIndex, successor: CatalogSuccessor): void {
    const collection = this.#writer.collection(name);
    collection.flush();
    for (const row of collection.entries.clearQuarantine(index)) transaction.touch(name, row);
    retireIndexTable(this.#writer, index.table);
    if (index.governedTable !== null) dropIndexTable(this.#writer.db, index.governedTable);
    const { ttlIndexes, successors } = this.#writer.tables;
    ttlIndexes.setTable(index.id, successor.table);
    successors.delete(index.id);
  }

  /** Deletes the successor of an index, which stays unchanged or is itself dropped. */
  drop({ id, successor }: CatalogIndex): void {
    if (successor === null) return;
    dropIndexTable(this.#writer.db, successor.table);
    this.#writer.tables.successors.delete(id);
  }
}

/**
 * Returns `other` with the properties of `after` that differ from `before`: a change during a build applies to both.
 */
export function carriedOver(
  before: TtlIndexDefinition,
  after: TtlIndexDefinition,
  other: TtlIndexDefinition,
): TtlIndexDefinition {
  const isChanged = (name: keyof TtlIndexDefinition) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    ...other,
    ...(isChanged('onExpire') && { onExpire: after.onExpire }),
    ...(isChanged('schedule') && { schedule: after.schedule }),
    ...(isChanged('limits') && { limits: after.limits }),
    ...(isChanged('retention') && { retention: after.retention }),
  };
}

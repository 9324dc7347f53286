import type { TtlIndexDefinition } from '../../../../../shared/model/ttl-index.ts';
import type { Transaction } from '../rows/transaction.ts';
import type { CatalogIndex, CatalogSuccessor } from '../tables/catalog.ts';
import { createSideTable, dropSideTable, emptySideTable } from '../tables/side-table.ts';
import type { Writer } from '../write/writer.ts';

export interface NewSuccessor {
  /** As `ttl_indexes.definition` has it. */
  definition: string;
  by: string;
  change: 'change' | 'revert';
  /** Somebody saw what it makes due: the breaker lets it through [R8]. */
  expected: boolean;
}

/**
 * Successors of indexes: a definition of an index that reads documents otherwise, and its own side table, which is built
 * beside the present one [D8]. Until the swap the present definition is in effect and every write keeps both tables. Every call
 * is made inside a transaction of the caller.
 *
 * An index that is renewed for another version of the reading rules has no successor (index-renewal.ts): its present entries
 * cannot be kept true any more, so nothing could stay in effect beside the build.
 */
export class Successors {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Begins to build one, in place of the one that the index may have. */
  begin({ at }: Transaction, index: CatalogIndex, successor: NewSuccessor): void {
    this.drop(index);
    const { db, tables } = this.#writer;
    tables.successors.insert({ ...successor, source: index.id, side: createSideTable(db), at });
  }

  /** The same source with other properties. */
  redefine(index: CatalogIndex, definition: string): void {
    this.#writer.tables.successors.setDefinition(index.id, definition);
  }

  noteBuilt({ source }: CatalogSuccessor, throughRow: number): void {
    this.#writer.tables.successors.setBuilt(source, throughRow);
  }

  finish({ source }: CatalogSuccessor): void {
    this.#writer.tables.successors.setBuilt(source, null);
  }

  /** Its entries were made by other reading rules: it is built from the beginning. */
  restart({ source, side }: CatalogSuccessor): void {
    emptySideTable(this.#writer.db, side);
    this.#writer.tables.successors.restart(source);
  }

  /** The index reads by its successor from here on: its former table is dropped, and it has given up on no document. */
  swap(transaction: Transaction, name: string, index: CatalogIndex, successor: CatalogSuccessor): void {
    const collection = this.#writer.collection(name);
    collection.flush();
    for (const row of collection.clearQuarantine(index)) transaction.touch(name, row);
    dropSideTable(this.#writer.db, index.side);
    if (index.governed !== null) dropSideTable(this.#writer.db, index.governed);
    const { ttlIndexes, successors } = this.#writer.tables;
    ttlIndexes.setSide(index.id, successor.side);
    successors.delete(index.id);
  }

  /** The index stays as it is, or is dropped itself. */
  drop({ id, successor }: CatalogIndex): void {
    if (successor === null) return;
    dropSideTable(this.#writer.db, successor.side);
    this.#writer.tables.successors.delete(id);
  }
}

/** The properties of `after` that differ from `before`, on top of `other`: a change made while a successor is built is of both. */
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

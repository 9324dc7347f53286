import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import { define } from './definition-transaction.ts';
import type { GovernedTables } from './governed-tables.ts';
import type { IndexEffect } from './put-index-in-effect.ts';

/** Records the progress of index builds and completes them. */
export class IndexBuildProgress {
  readonly #writer: Writer;
  readonly #effect: IndexEffect;
  readonly #governedTables: GovernedTables;

  constructor(writer: Writer, effect: IndexEffect, governedTables: GovernedTables) {
    this.#writer = writer;
    this.#effect = effect;
    this.#governedTables = governedTables;
  }

  /** Stores the progress of a build, inside the transaction that entered those rows. */
  noteBuilt(index: CatalogIndex, throughRow: number): void {
    this.#writer.tables.ttlIndexes.setBuilt(index.id, throughRow);
  }

  /** Completes a build: from this transaction on the index has effect, unless the breaker trips [R8]. */
  finishBuild(transaction: Transaction, name: string, index: CatalogIndex): void {
    this.#writer.tables.ttlIndexes.finishBuild(index.id, transaction.at);
    // A rebuilt index keeps the tick of its last pass.
    if (index.wasDue === null) this.#writer.tables.scheduleTicks.begin(index.id, transaction.at);
    const due = index.isExpected
      ? null
      : this.#effect.breaker.tripped(transaction.at, name, index, index.definition);
    if (due !== null) this.#effect.breaker.holdBack(transaction, name, index, index.createdBy, due);
    this.#governedTables.recount(transaction, name);
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }

  /** Stores the progress of a successor's build, inside the transaction that entered those rows. */
  noteSuccessorBuilt(successor: CatalogSuccessor, throughRow: number): void {
    this.#effect.successors.noteBuilt(successor, throughRow);
  }

  /** Rebuilds a successor whose entries were made by other reading rules. */
  restartSuccessor(name: string, successor: CatalogSuccessor): void {
    define(this.#writer, name, () => this.#effect.successors.restart(successor));
  }

  /** Completes a successor's build and puts it in effect, unless that trips the breaker [R8]. */
  finishSuccessor(
    transaction: Transaction,
    name: string,
    index: CatalogIndex,
    successor: CatalogSuccessor,
  ): void {
    const { definition, by, isExpected } = successor;
    const due = isExpected
      ? null
      : this.#effect.breaker.trippedBySuccessor(transaction.at, name, index, successor);
    if (due === null) this.#effect.swap(transaction, name, index, successor);
    else {
      this.#effect.successors.finish(successor);
      this.#effect.breaker.postpone(transaction, name, index, { definition, by, due });
    }
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }
}

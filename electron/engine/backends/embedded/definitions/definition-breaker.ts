import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { actAlike, expireAfterMs, type TtlIndexDefinition } from '../../../../../shared/model/ttl-index.ts';
import { tripsBreaker } from '../../../expiry/breaker.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { HoldPlacement } from './hold-placement.ts';

/**
 * Definitions that would make too many documents due at once, and are held until a person confirms them [R8]. A new
 * index stays without effect; a changed one keeps its old definition. Each has a hold on its collection meanwhile. Call
 * every method inside a transaction.
 */
export class DefinitionBreaker {
  readonly #writer: Writer;
  readonly #holds: HoldPlacement;

  constructor(writer: Writer, holds: HoldPlacement) {
    this.#writer = writer;
    this.#holds = holds;
  }

  /** Returns the documents that `next` makes due in addition, if they exceed the breaker's bound; null otherwise. */
  tripped(at: number, name: string, index: CatalogIndex, next: TtlIndexDefinition): number | null {
    const collection = this.#writer.collection(name);
    collection.flush();
    const table = collection.entries.indexes.find(candidate => candidate.index.id === index.id)?.table;
    if (table === undefined || next.schedule.mode === 'observe') return null;
    const before = index.isServing ? table.before(at - index.addMs + 1).documents : (index.wasDue ?? 0);
    const addMs = expireAfterMs(next.source);
    // A changed definition acts on quarantined documents again [A5].
    const released = actAlike(index.definition, next)
      ? []
      : collection.entries.quarantinedReferences(index.id);
    const dueAnew = released.filter(reference => reference + addMs <= at).length;
    const due = table.before(at - addMs + 1).documents + dueAnew - before;
    const documents = this.#holds.documents(collection.catalog);
    return tripsBreaker({ due, documents }, this.#writer.catalog.settings) ? due : null;
  }

  /** Like `tripped`, for a definition with its own index table. */
  trippedBySuccessor(
    at: number,
    name: string,
    index: CatalogIndex,
    { table, definition }: CatalogSuccessor,
  ): number | null {
    const collection = this.#writer.collection(name);
    collection.flush();
    if (definition.schedule.mode === 'observe') return null;
    const dueIn = (table: number, { source }: TtlIndexDefinition) =>
      this.#writer.indexTable(table).before(at - expireAfterMs(source) + 1).documents;
    const before = index.isServing ? dueIn(index.table, index.definition) : 0;
    const due = dueIn(table, definition) - before;
    const documents = this.#holds.documents(collection.catalog);
    return tripsBreaker({ due, documents }, this.#writer.catalog.settings) ? due : null;
  }

  /** Withholds a new index: it has no effect until it is confirmed. */
  holdBack(transaction: Transaction, name: string, index: CatalogIndex, by: string, due: number): void {
    this.#writer.tables.ttlIndexes.withhold(index.id);
    this.#place(transaction, name, index, by, due);
  }

  /** Stores the new definition as pending; the index keeps its present one. */
  postpone(
    transaction: Transaction,
    name: string,
    index: CatalogIndex,
    { definition, by, due }: { definition: TtlIndexDefinition; by: string; due: number },
  ): void {
    const { name: _, ...stored } = definition;
    const pending = { source: stored.source, definition: stored, by, since: transaction.at, dueAtOnce: due };
    this.#writer.tables.ttlIndexes.setPending(index.id, stringifyJson(pending));
    this.#place(transaction, name, index, by, due);
  }

  /** Deletes the pending definition of an index and its holds. */
  deletePending(index: CatalogIndex): void {
    this.#writer.tables.ttlIndexes.setPending(index.id, null);
    this.#holds.endOfIndex(index.id);
  }

  /** Confirms an index: it has effect unless its definition only observes. */
  confirm(index: CatalogIndex): void {
    this.#writer.tables.ttlIndexes.confirm(index.id);
  }

  /** Records whether a person has seen how many documents an index under construction makes due. */
  noteExpected(index: CatalogIndex, expected: boolean): void {
    this.#writer.tables.ttlIndexes.setExpected(index.id, expected);
  }

  #place(transaction: Transaction, name: string, index: CatalogIndex, by: string, due: number): void {
    const collection = this.#writer.collection(name).catalog;
    this.#holds.place(transaction, { collection, cause: 'definition', index, by, due, durationMs: null });
  }
}

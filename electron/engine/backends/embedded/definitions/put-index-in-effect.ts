import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import {
  actAlike,
  expireAfterMs,
  sameSchedule,
  type TtlIndexDefinition,
} from '../../../../../shared/model/ttl-index.ts';
import { emptyIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { PolicyEntry } from '../tables/policy-history.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { Tables } from '../write/writer-tables.ts';
import { DefinitionBreaker } from './definition-breaker.ts';
import type { GovernedTables } from './governed-tables.ts';
import type { HoldPlacement } from './hold-placement.ts';
import { Successors } from './index-successors.ts';
import { retireIndexTable } from './retire-index-table.ts';

/** Puts definitions of TTL indexes in effect, inside transactions of the caller. */
export class IndexEffect {
  readonly breaker: DefinitionBreaker;
  readonly successors: Successors;
  readonly #writer: Writer;
  readonly #governedTables: GovernedTables;
  readonly #tables: Tables;

  constructor(writer: Writer, holds: HoldPlacement, governedTables: GovernedTables) {
    this.breaker = new DefinitionBreaker(writer, holds);
    this.successors = new Successors(writer);
    this.#writer = writer;
    this.#governedTables = governedTables;
    this.#tables = writer.tables;
  }

  /** Gives an index a definition with the same reference times. */
  apply(transaction: Transaction, name: string, index: CatalogIndex, definition: TtlIndexDefinition): void {
    const isReleased = !actAlike(index.definition, definition) && this.#release(transaction, name, index);
    // Documents become newly due by these changes, and lag counts from then on; a changed rate or batch size makes none
    // due [M1].
    const moves =
      isReleased ||
      !index.isConfirmed ||
      expireAfterMs(definition.source) !== index.addMs ||
      acts(definition) !== acts(index.definition);
    this.#tables.ttlIndexes.setDefinition(
      index.id,
      encodeDefinition(definition),
      moves ? transaction.at : index.effectiveAt,
      acts(definition),
    );
    if (!index.isConfirmed || !sameSchedule(index.definition, definition))
      this.#tables.scheduleTicks.begin(index.id, transaction.at);
    if (moves) this.#governedTables.recount(transaction, name);
  }

  /** Replaces the definition and index table of an index by those of its successor. */
  swap(transaction: Transaction, name: string, index: CatalogIndex, successor: CatalogSuccessor): void {
    const { definition, by, change } = successor;
    this.successors.swap(transaction, name, index, successor);
    this.#tables.ttlIndexes.setDefinition(
      index.id,
      encodeDefinition(definition),
      transaction.at,
      acts(definition),
    );
    if (!sameSchedule(index.definition, definition))
      this.#tables.scheduleTicks.begin(index.id, transaction.at);
    this.#governedTables.recount(transaction, name);
    this.record(transaction, name, index, { by, change, after: definition });
  }

  /** Restarts the build of an index without effect, in its own index table. */
  rebuild(index: CatalogIndex, definition: TtlIndexDefinition, at: number): void {
    if (!this.#writer.tombstones.intervals.hasInterval(index.table))
      emptyIndexTable(this.#writer.db, index.table);
    else {
      retireIndexTable(this.#writer, index.table);
      this.#tables.ttlIndexes.setTable(index.id, createNextIndexTable(this.#writer.db));
    }
    this.breaker.confirm(index);
    this.#tables.ttlIndexes.setDefinition(index.id, encodeDefinition(definition), at, acts(definition));
    this.#tables.ttlIndexes.setBuilt(index.id, 0);
  }

  /** Records the new definition of an existing index, in the transaction of its change [X5]. */
  record(
    { at }: Transaction,
    collection: string,
    { name, definition }: CatalogIndex,
    { by, change, after }: Pick<PolicyEntry, 'by' | 'change'> & { after: TtlIndexDefinition | null },
  ): void {
    this.#tables.policyHistory.record({
      collection: this.#writer.collection(collection).catalog.id,
      name,
      at,
      by,
      change,
      before: encodeDefinition(definition),
      after: after === null ? null : encodeDefinition(after),
    });
  }

  /** Releases an index's documents from quarantine. Returns whether there were any. */
  #release(transaction: Transaction, name: string, { id }: CatalogIndex): boolean {
    const collection = this.#writer.collection(name);
    const maintained = collection.entries.indexes.find(({ index }) => index.id === id);
    const rows = maintained === undefined ? [] : collection.releaseQuarantined(maintained);
    for (const row of rows) transaction.touch(name, row);
    return rows.length > 0;
  }
}

/** Returns the format of `ttl_indexes.definition`. */
export function encodeDefinition({ name: _, ...definition }: TtlIndexDefinition): string {
  return stringifyJson(definition);
}

/** Returns false for an index that only observes [R1]. */
export function acts({ schedule }: TtlIndexDefinition): boolean {
  return schedule.mode !== 'observe';
}

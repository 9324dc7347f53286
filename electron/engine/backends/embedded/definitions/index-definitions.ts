import { SandglassError } from '../../../../../shared/model/errors.ts';
import { checkName } from '../../../../../shared/model/names.ts';
import {
  EXPLICIT,
  noSuchIndex,
  type Pause,
  sameReferenceTimes,
  type TtlIndexDefinition,
} from '../../../../../shared/model/ttl-index.ts';
import { dropIndexTable } from '../../../deadline-index/index-table.ts';
import { checkAction } from '../../../expiry/action-check.ts';
import type { IndexChangeOptions } from '../../backend.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { Tables } from '../write/writer-tables.ts';
import { define, defineOnFullDisk } from './definition-transaction.ts';
import type { GovernedTables } from './governed-tables.ts';
import { carriedOver } from './index-successors.ts';
import { acts, encodeDefinition, type IndexEffect } from './put-index-in-effect.ts';
import { retireIndexTable } from './retire-index-table.ts';

/** Creates, changes, confirms, pauses and drops TTL indexes, each in one transaction. */
export class IndexDefinitions {
  readonly #writer: Writer;
  readonly #effect: IndexEffect;
  readonly #governedTables: GovernedTables;
  readonly #tables: Tables;

  constructor(writer: Writer, effect: IndexEffect, governedTables: GovernedTables) {
    this.#writer = writer;
    this.#effect = effect;
    this.#governedTables = governedTables;
    this.#tables = writer.tables;
  }

  /** Throws COLLECTION_NOT_FOUND. */
  all(name: string): TtlIndexDefinition[] {
    return this.#writer.collection(name).catalog.indexes.map(({ definition }) => definition);
  }

  /** Throws TTL_INDEX_NOT_FOUND, COLLECTION_NOT_FOUND. */
  get(name: string, indexName: string): TtlIndexDefinition {
    return this.#index(name, indexName).definition;
  }

  /**
   * Returns the definition that applies after the running build [D8]; without a build, the present one. Throws as `get`
   * does.
   */
  intended(name: string, indexName: string): TtlIndexDefinition {
    const { definition, successor } = this.#index(name, indexName);
    return successor?.definition ?? definition;
  }

  /**
   * Registers an index, which has no effect until a backfill has read every row.
   * Throws INVALID_NAME, TTL_INDEX_EXISTS, COLLECTION_NOT_FOUND.
   */
  create(
    name: string,
    definition: TtlIndexDefinition,
    { by, isRevert = false, isExpected = false }: IndexChangeOptions,
  ): void {
    checkName('index', definition.name);
    const { catalog } = this.#writer.collection(name);
    if (definition.name === EXPLICIT) {
      throw new SandglassError(
        'INVALID_NAME',
        `“${EXPLICIT}” names expirations set by hand; choose another name.`,
        {
          name: EXPLICIT,
        },
      );
    }
    if (catalog.indexes.some(index => index.name === definition.name)) {
      throw new SandglassError(
        'TTL_INDEX_EXISTS',
        `${name} has a TTL index named ${definition.name} already.`,
        {
          collection: name,
          index: definition.name,
        },
      );
    }
    this.#checkAction(name, definition);
    define(this.#writer, name, transaction => {
      const side = createNextIndexTable(this.#writer.db);
      this.#tables.ttlIndexes.insert({
        collection: catalog.id,
        name: definition.name,
        definition: encodeDefinition(definition),
        at: transaction.at,
        by,
        side,
        acting: acts(definition),
        expected: isExpected,
      });
      this.#tables.policyHistory.record({
        collection: catalog.id,
        name: definition.name,
        at: transaction.at,
        by,
        change: isRevert ? 'revert' : 'create',
        before: null,
        after: encodeDefinition(definition),
      });
    });
  }

  /**
   * Changes an index. If documents are read as before, none of them is touched [D1, R3]. Otherwise the new definition
   * is built beside the present one, which stays in effect until then [D8]. Quarantined documents are tried again [A5].
   * A hold of the former definition ends. A change that trips the breaker is held, and the index stays unchanged,
   * unless the change was `expected` [R8].
   */
  change(
    name: string,
    definition: TtlIndexDefinition,
    { by, isRevert = false, isExpected = false }: IndexChangeOptions,
  ): void {
    const change = isRevert ? 'revert' : 'change';
    const index = this.#index(name, definition.name);
    this.#checkAction(name, definition);
    if (!sameReferenceTimes(index.definition.source, definition.source)) {
      this.#changeSource(name, index, definition, { by, change, expected: isExpected });
      return;
    }
    define(this.#writer, name, transaction => {
      this.#effect.breaker.deletePending(index);
      this.#effect.successors.drop(index);
      if (!index.isReady) this.#effect.breaker.noteExpected(index, isExpected);
      const due =
        isExpected || !index.isReady
          ? null
          : this.#effect.breaker.tripped(transaction.at, name, index, definition);
      if (due !== null && index.isConfirmed) {
        this.#effect.breaker.postpone(transaction, name, index, { definition, by, due });
        return;
      }
      if (!index.isConfirmed) this.#effect.breaker.confirm(index);
      this.#effect.apply(transaction, name, index, definition);
      if (due !== null) {
        this.#effect.breaker.holdBack(transaction, name, index, by, due);
        this.#governedTables.recount(transaction, name);
      }
      this.#effect.record(transaction, name, index, { by, change, after: definition });
    });
  }

  /** Starts to build the index table of a new source, or changes the definition that is being built. */
  #changeSource(
    name: string,
    index: CatalogIndex,
    definition: TtlIndexDefinition,
    { by, change, expected }: { by: string; change: 'change' | 'revert'; expected: boolean },
  ): void {
    const { successor } = index;
    define(this.#writer, name, transaction => {
      this.#effect.breaker.deletePending(index);
      if (index.wasDue === null && !(index.isReady && index.isConfirmed)) {
        this.#effect.rebuild(index, definition, transaction.at);
        this.#effect.breaker.noteExpected(index, expected);
        this.#effect.record(transaction, name, index, { by, change, after: definition });
        return;
      }
      const isBuilt =
        successor !== null && sameReferenceTimes(successor.definition.source, definition.source);
      if (isBuilt && successor.builtThroughRow !== null) {
        const present = carriedOver(successor.definition, definition, index.definition);
        this.#effect.successors.redefine(index, encodeDefinition(definition));
        this.#effect.apply(transaction, name, index, present);
        this.#effect.record(transaction, name, index, { by, change, after: present });
      } else {
        this.#effect.successors.begin(transaction, index, {
          definition: encodeDefinition(definition),
          by,
          change,
          expected,
        });
      }
    });
  }

  /** Cancels the build of a successor: the index stays unchanged. */
  cancelSuccessor(name: string, indexName: string): void {
    const index = this.#index(name, indexName);
    if (index.successor !== null)
      defineOnFullDisk(this.#writer, name, () => this.#effect.successors.drop(index));
  }

  /** Confirms a held definition: it has effect from this transaction on [R8]. */
  confirm(transaction: Transaction, name: string, indexName: string, by: string): void {
    const index = this.#index(name, indexName);
    this.#effect.breaker.deletePending(index);
    this.#effect.breaker.confirm(index);
    if (index.successor !== null && index.successor.builtThroughRow === null && index.pending !== null) {
      this.#effect.swap(transaction, name, index, index.successor);
      transaction.note({ collection: name, kind: 'definition', id: name });
      return;
    }
    const after = { ...index.definition, ...index.pending?.definition };
    this.#effect.apply(transaction, name, index, after);
    this.#effect.record(transaction, name, index, { by, change: 'confirm', after });
    transaction.note({ collection: name, kind: 'definition', id: name });
  }

  /** Drops an index: it removes nothing after this transaction, and removed documents stay removed. */
  drop(name: string, indexName: string, by: string): void {
    const index = this.#index(name, indexName);
    defineOnFullDisk(this.#writer, name, transaction => {
      this.#effect.breaker.deletePending(index);
      this.#effect.successors.drop(index);
      this.#dropTablesOf(index);
      this.#tables.quarantine.releaseSource(this.#writer.collection(name).catalog.id, index.id);
      this.#tables.ttlIndexes.markDropped(index.id, transaction.at);
      this.#tables.scheduleTicks.drop(index.id);
      if (index.isActing) this.#governedTables.recount(transaction, name);
      this.#effect.record(transaction, name, index, { by, change: 'drop', after: null });
    });
  }

  /** Pauses an index or, with null, resumes it. Without effect, also on `since`, if that is the state already [R6]. */
  pause(name: string, indexName: string, pause: Pause | null, by: string): void {
    const index = this.#index(name, indexName);
    if (index.isPaused === (pause !== null)) return;
    defineOnFullDisk(this.#writer, name, transaction => {
      this.#tables.ttlIndexes.setPaused(
        index.id,
        pause === null ? null : JSON.stringify(pause),
        transaction.at,
      );
      if (pause !== null) {
        this.#effect.breaker.deletePending(index);
        // Ends the hold of the former definition.
        if (index.successor?.builtThroughRow === null) this.#effect.successors.drop(index);
      } else if (index.isReady && !index.isConfirmed) this.#judgeAgain(transaction, name, index);
      this.#governedTables.recount(transaction, name);
      const change = pause === null ? 'resume' : 'pause';
      this.#effect.record(transaction, name, index, { by, change, after: index.definition });
    });
  }

  /** Runs the breaker again for a new index that was paused while it was held [R8]. */
  #judgeAgain(transaction: Transaction, name: string, index: CatalogIndex): void {
    const due = this.#effect.breaker.tripped(transaction.at, name, index, index.definition);
    if (due !== null) {
      this.#effect.breaker.holdBack(transaction, name, index, index.createdBy, due);
      return;
    }
    this.#effect.breaker.confirm(index);
    this.#tables.scheduleTicks.begin(index.id, transaction.at);
    this.#tables.ttlIndexes.setDefinition(
      index.id,
      encodeDefinition(index.definition),
      transaction.at,
      acts(index.definition),
    );
  }

  /** Throws INVALID_TTL_INDEX for an invalid action, or if the target collection of a move does not exist [A4]. */
  #checkAction(name: string, { onExpire }: TtlIndexDefinition): void {
    checkAction(onExpire, name, other => this.#writer.catalog.collections.has(other));
  }

  /** Throws TTL_INDEX_NOT_FOUND, COLLECTION_NOT_FOUND. */
  #index(name: string, indexName: string): CatalogIndex {
    const found = this.#writer.collection(name).catalog.indexes.find(index => index.name === indexName);
    if (found === undefined) throw noSuchIndex(name, indexName);
    return found;
  }

  #dropTablesOf(index: CatalogIndex): void {
    retireIndexTable(this.#writer, index.table);
    if (index.governedTable !== null) dropIndexTable(this.#writer.db, index.governedTable);
  }
}

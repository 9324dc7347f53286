import { SandglassError } from '../../../../../shared/model/errors.ts';
import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { checkName } from '../../../../../shared/model/names.ts';
import {
  actAlike,
  EXPLICIT,
  expireAfterMs,
  noSuchIndex,
  type Pause,
  sameReferenceTimes,
  sameSchedule,
  type TtlIndexDefinition,
} from '../../../../../shared/model/ttl-index.ts';
import { checkAction } from '../../../expiry/action-check.ts';
import type { IndexChangeOptions } from '../../backend.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import type { Transaction } from '../rows/transaction.ts';
import { createDocumentTables } from '../tables/dynamic-tables.ts';
import type { PolicyEntry } from '../tables/policy-history.ts';
import { createSideTable, dropSideTable, emptySideTable } from '../tables/side-table.ts';
import type { Tables } from '../tables/tables.ts';
import type { Writer } from '../write/writer.ts';
import type { CollectionRetention } from './collection-retention.ts';
import { DefinitionBreaker } from './definition-breaker.ts';
import type { GovernedSideTables } from './governed-side-tables.ts';
import type { HoldPlacement } from './hold-placement.ts';
import { carriedOver, Successors } from './index-successors.ts';

/** Changes of collections and indexes, each in one transaction. */
export class Definitions {
  readonly #writer: Writer;
  readonly #dropped: CollectionRetention;
  readonly #governedSides: GovernedSideTables;
  readonly #breaker: DefinitionBreaker;
  readonly #successors: Successors;
  readonly #tables: Tables;

  constructor(
    writer: Writer,
    dropped: CollectionRetention,
    holds: HoldPlacement,
    governedSides: GovernedSideTables,
  ) {
    this.#writer = writer;
    this.#dropped = dropped;
    this.#governedSides = governedSides;
    this.#breaker = new DefinitionBreaker(writer, holds);
    this.#successors = new Successors(writer);
    this.#tables = writer.tables;
  }

  /** Throws INVALID_NAME, COLLECTION_EXISTS. */
  createCollection(name: string): void {
    this.#checkNew(name);
    this.#define(name, transaction => {
      const explicit = createSideTable(this.#writer.db);
      const id = this.#tables.collections.insert(name, transaction.at, explicit);
      createDocumentTables(this.#writer.db, id);
      this.#tables.collectionNames.begin(id, name, transaction.revision);
    });
  }

  /**
   * Drops a collection, which stays restorable for its retention [X4]. Throws COLLECTION_NOT_FOUND. Returns its number of
   * documents.
   */
  dropCollection(name: string, by: string): number {
    const { catalog } = this.#writer.collection(name);
    let documents = 0;
    this.#defineOnFullDisk(name, transaction => {
      for (const index of catalog.indexes) this.#successors.drop(index);
      documents = this.#dropped.keep(catalog, transaction.at, by);
      this.#tables.collectionNames.end(catalog.id, transaction.revision);
    });
    return documents;
  }

  /**
   * Restores a dropped collection, then calls `afterwards` in the same transaction. Throws INVALID_NAME, COLLECTION_EXISTS,
   * COLLECTION_NOT_FOUND.
   */
  restoreCollection(id: number, name: string, afterwards: (transaction: Transaction) => void): void {
    this.#checkNew(name, ' Give it another name.');
    this.#define(name, transaction => {
      this.#dropped.putBack(id, name, transaction.at);
      this.#tables.collectionNames.begin(id, name, transaction.revision);
      transaction.isBeyondImages = true;
      this.#writer.reloadDefinitions();
      afterwards(transaction);
    });
  }

  /**
   * Registers an index, which has no effect until a backfill has read every row.
   * Throws INVALID_NAME, TTL_INDEX_EXISTS, COLLECTION_NOT_FOUND.
   */
  createIndex(
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
    this.#define(name, transaction => {
      const side = createSideTable(this.#writer.db);
      this.#tables.ttlIndexes.insert({
        collection: catalog.id,
        name: definition.name,
        definition: encode(definition),
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
        after: encode(definition),
      });
    });
  }

  /** Stores the progress of a build, inside the transaction that entered those rows. */
  noteBuilt(index: CatalogIndex, throughRow: number): void {
    this.#tables.ttlIndexes.setBuilt(index.id, throughRow);
  }

  /** Completes a build: from this transaction on the index has effect, unless the breaker trips [R8]. */
  finishBuild(transaction: Transaction, name: string, index: CatalogIndex): void {
    this.#tables.ttlIndexes.finishBuild(index.id, transaction.at);
    // A rebuilt index keeps the tick of its last pass.
    if (index.wasDue === null) this.#tables.scheduleTicks.begin(index.id, transaction.at);
    const due = index.isExpected
      ? null
      : this.#breaker.tripped(transaction.at, name, index, index.definition);
    if (due !== null) this.#breaker.holdBack(transaction, name, index, index.createdBy, due);
    this.#governedSides.recount(transaction, name);
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }

  /**
   * Changes an index. If documents are read as before, none of them is touched [D1, R3]. Otherwise the new definition is built
   * beside the present one, which stays in effect until then [D8]. Quarantined documents are tried again [A5]. A hold of the
   * former definition ends. A change that trips the breaker is held, and the index stays unchanged, unless the change was
   * `expected` [R8].
   */
  changeIndex(
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
    this.#define(name, transaction => {
      this.#breaker.forget(index);
      this.#successors.drop(index);
      if (!index.isReady) this.#breaker.noteExpected(index, isExpected);
      const due =
        isExpected || !index.isReady ? null : this.#breaker.tripped(transaction.at, name, index, definition);
      if (due !== null && index.isConfirmed) {
        this.#breaker.postpone(transaction, name, index, { definition, by, due });
        return;
      }
      if (!index.isConfirmed) this.#breaker.confirm(index);
      this.#apply(transaction, name, index, definition);
      if (due !== null) {
        this.#breaker.holdBack(transaction, name, index, by, due);
        this.#governedSides.recount(transaction, name);
      }
      this.#remember(transaction, name, index, { by, change, after: definition });
    });
  }

  /** Starts to build the side table of a new source, or changes the definition that is being built. */
  #changeSource(
    name: string,
    index: CatalogIndex,
    definition: TtlIndexDefinition,
    { by, change, expected }: { by: string; change: 'change' | 'revert'; expected: boolean },
  ): void {
    const { successor } = index;
    this.#define(name, transaction => {
      this.#breaker.forget(index);
      if (index.wasDue === null && !(index.isReady && index.isConfirmed)) {
        this.#rebuild(index, definition, transaction.at);
        this.#breaker.noteExpected(index, expected);
        this.#remember(transaction, name, index, { by, change, after: definition });
        return;
      }
      const isBuilt =
        successor !== null && sameReferenceTimes(successor.definition.source, definition.source);
      if (isBuilt && successor.builtThroughRow !== null) {
        const present = carriedOver(successor.definition, definition, index.definition);
        this.#successors.redefine(index, encode(definition));
        this.#apply(transaction, name, index, present);
        this.#remember(transaction, name, index, { by, change, after: present });
      } else {
        this.#successors.begin(transaction, index, { definition: encode(definition), by, change, expected });
      }
    });
  }

  /** Restarts the build of an index without effect, in its own side table. */
  #rebuild(index: CatalogIndex, definition: TtlIndexDefinition, at: number): void {
    emptySideTable(this.#writer.db, index.side);
    this.#breaker.confirm(index);
    this.#tables.ttlIndexes.setDefinition(index.id, encode(definition), at, acts(definition));
    this.#tables.ttlIndexes.setBuilt(index.id, 0);
  }

  noteSuccessorBuilt(successor: CatalogSuccessor, throughRow: number): void {
    this.#successors.noteBuilt(successor, throughRow);
  }

  /** Rebuilds a successor whose entries were made by other reading rules. */
  restartSuccessor(name: string, successor: CatalogSuccessor): void {
    this.#define(name, () => this.#successors.restart(successor));
  }

  /** Completes a successor's build and puts it in effect, unless that trips the breaker [R8]. */
  finishSuccessor(
    transaction: Transaction,
    name: string,
    index: CatalogIndex,
    successor: CatalogSuccessor,
  ): void {
    const { definition, by, isExpected } = successor;
    const due = isExpected ? null : this.#breaker.trippedBySuccessor(transaction.at, name, index, successor);
    if (due === null) this.#swap(transaction, name, index, successor);
    else {
      this.#successors.finish(successor);
      this.#breaker.postpone(transaction, name, index, { definition, by, due });
    }
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }

  /** Cancels the build of a successor: the index stays unchanged. */
  cancelSuccessor(name: string, indexName: string): void {
    const index = this.#index(name, indexName);
    if (index.successor !== null) this.#defineOnFullDisk(name, () => this.#successors.drop(index));
  }

  #swap(transaction: Transaction, name: string, index: CatalogIndex, successor: CatalogSuccessor): void {
    const { definition, by, change } = successor;
    this.#successors.swap(transaction, name, index, successor);
    this.#tables.ttlIndexes.setDefinition(index.id, encode(definition), transaction.at, acts(definition));
    if (!sameSchedule(index.definition, definition))
      this.#tables.scheduleTicks.begin(index.id, transaction.at);
    this.#governedSides.recount(transaction, name);
    this.#remember(transaction, name, index, { by, change, after: definition });
  }

  /** Confirms a held definition: it has effect from this transaction on [R8]. */
  confirmIndex(transaction: Transaction, name: string, indexName: string, by: string): void {
    const index = this.#index(name, indexName);
    this.#breaker.forget(index);
    this.#breaker.confirm(index);
    if (index.successor !== null && index.successor.builtThroughRow === null && index.pending !== null) {
      this.#swap(transaction, name, index, index.successor);
      transaction.note({ collection: name, kind: 'definition', id: name });
      return;
    }
    const after = { ...index.definition, ...index.pending?.definition };
    this.#apply(transaction, name, index, after);
    this.#remember(transaction, name, index, { by, change: 'confirm', after });
    transaction.note({ collection: name, kind: 'definition', id: name });
  }

  #apply(transaction: Transaction, name: string, index: CatalogIndex, definition: TtlIndexDefinition): void {
    const isReleased = !actAlike(index.definition, definition) && this.#release(transaction, name, index);
    // These changes make documents newly due, and lag counts from then on; a changed rate or batch size does not [M1].
    const moves =
      isReleased ||
      !index.isConfirmed ||
      expireAfterMs(definition.source) !== index.addMs ||
      acts(definition) !== acts(index.definition);
    this.#tables.ttlIndexes.setDefinition(
      index.id,
      encode(definition),
      moves ? transaction.at : index.effectiveAt,
      acts(definition),
    );
    if (!index.isConfirmed || !sameSchedule(index.definition, definition))
      this.#tables.scheduleTicks.begin(index.id, transaction.at);
    if (moves) this.#governedSides.recount(transaction, name);
  }

  /** Drops an index: it removes nothing after this transaction, and removed documents stay removed. */
  dropIndex(name: string, indexName: string, by: string): void {
    const index = this.#index(name, indexName);
    this.#defineOnFullDisk(name, transaction => {
      this.#breaker.forget(index);
      this.#successors.drop(index);
      this.#dropTablesOf(index);
      this.#tables.quarantine.releaseSource(this.#writer.collection(name).catalog.id, index.id);
      this.#tables.ttlIndexes.markDropped(index.id, transaction.at);
      this.#tables.scheduleTicks.drop(index.id);
      if (index.isActing) this.#governedSides.recount(transaction, name);
      this.#remember(transaction, name, index, { by, change: 'drop', after: null });
    });
  }

  /** Pauses an index or, with null, resumes it. If it already is so, nothing changes, nor does `since` [R6]. */
  pauseIndex(name: string, indexName: string, pause: Pause | null, by: string): void {
    const index = this.#index(name, indexName);
    if (index.isPaused === (pause !== null)) return;
    this.#defineOnFullDisk(name, transaction => {
      this.#tables.ttlIndexes.setPaused(
        index.id,
        pause === null ? null : JSON.stringify(pause),
        transaction.at,
      );
      if (pause !== null) {
        this.#breaker.forget(index);
        // Ends the hold of the former definition.
        if (index.successor?.builtThroughRow === null) this.#successors.drop(index);
      } else if (index.isReady && !index.isConfirmed) this.#judgeAgain(transaction, name, index);
      this.#governedSides.recount(transaction, name);
      const change = pause === null ? 'resume' : 'pause';
      this.#remember(transaction, name, index, { by, change, after: index.definition });
    });
  }

  /** Runs the breaker again for a new index that was paused while it was held [R8]. */
  #judgeAgain(transaction: Transaction, name: string, index: CatalogIndex): void {
    const due = this.#breaker.tripped(transaction.at, name, index, index.definition);
    if (due !== null) {
      this.#breaker.holdBack(transaction, name, index, index.createdBy, due);
      return;
    }
    this.#breaker.confirm(index);
    this.#tables.scheduleTicks.begin(index.id, transaction.at);
    this.#tables.ttlIndexes.setDefinition(
      index.id,
      encode(index.definition),
      transaction.at,
      acts(index.definition),
    );
  }

  /** Records the new definition of an existing index, in the transaction of its change [X5]. */
  #remember(
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
      before: encode(definition),
      after: after === null ? null : encode(after),
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

  /** Releases an index's documents from quarantine. Returns whether there were any. */
  #release(transaction: Transaction, name: string, { id }: CatalogIndex): boolean {
    const collection = this.#writer.collection(name);
    const maintained = collection.indexes.find(({ index }) => index.id === id);
    const rows = maintained === undefined ? [] : collection.releaseQuarantined(maintained);
    for (const row of rows) transaction.touch(name, row);
    return rows.length > 0;
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

  #define(name: string, work: (transaction: Transaction) => void): void {
    this.#writer.transact(transaction => define(transaction, name, work));
  }

  /** Like `#define`, but allowed while the disk is full [S1]. */
  #defineOnFullDisk(name: string, work: (transaction: Transaction) => void): void {
    this.#writer.transactOnFullDisk(transaction => define(transaction, name, work));
  }

  #dropTablesOf(index: CatalogIndex): void {
    dropSideTable(this.#writer.db, index.side);
    if (index.governedSide !== null) dropSideTable(this.#writer.db, index.governedSide);
  }
}

function define(transaction: Transaction, name: string, work: (transaction: Transaction) => void): void {
  work(transaction);
  transaction.note({ collection: name, kind: 'definition', id: name });
}

function encode({ name: _, ...definition }: TtlIndexDefinition): string {
  return stringifyJson(definition);
}

/** Returns false for an index that only observes [R1]. */
function acts({ schedule }: TtlIndexDefinition): boolean {
  return schedule.mode !== 'observe';
}

import type { Entry } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { type Budget, budgetMs } from '../../../expiry/expiry-store.ts';
import type { BackfillTarget } from '../../backend.ts';
import type { CatalogSuccessor } from '../catalog/catalog-index.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Writer } from '../write/writer.ts';
import type { GovernedTables } from './governed-tables.ts';
import type { IndexBuildProgress } from './index-build-progress.ts';
import { renewIndexes } from './index-renewal.ts';

export interface BackfillProgress {
  /** Rows read in this step. */
  rows: number;
  finished: boolean;
}

/** A small number, since a document may have 16 MiB. */
const ROWS_A_READ = 8;
/** Share of a step's budget for reading; the rest is for sorting the entries and inserting them. */
const READING = 0.6;

interface Made {
  /** Rows up to `builtThroughRow` are entered; null: all. */
  readonly target: { builtThroughRow: number | null };
  /** Index table that receives the entries; null: `entryOf` enters them itself. */
  readonly table: IndexTable | null;
  entryOf(stored: StoredRow): Entry | null;
  note(cursor: number): void;
}

/**
 * Reads rows in row order and enters them into a new table, in steps. Each step is a transaction that also stores its
 * progress: a restart continues from there, and concurrent writes enter only rows that the build has passed.
 */
export class Backfill {
  readonly #writer: Writer;
  readonly #builds: IndexBuildProgress;
  readonly #governedTables: GovernedTables;

  constructor(writer: Writer, builds: IndexBuildProgress, governedTables: GovernedTables) {
    this.#writer = writer;
    this.#builds = builds;
    this.#governedTables = governedTables;
  }

  /** Unfinished builds of the catalog, which a restart continues. */
  pending(): BackfillTarget[] {
    return [...this.#writer.catalog.collections.values()].flatMap(collection => {
      const builds = collection.indexes
        .filter(index => !index.isReady)
        .map(index => ({ kind: 'index' as const, collection: collection.name, index: index.name }));
      const successors = collection.indexes
        .filter(
          ({ isReady, successor }) => isReady && successor !== null && successor.builtThroughRow !== null,
        )
        .map(index => ({ kind: 'successor' as const, collection: collection.name, index: index.name }));
      const recount = { kind: 'recount' as const, collection: collection.name };
      return collection.recountedThroughRow === null
        ? [...builds, ...successors]
        : [...builds, recount, ...successors];
    });
  }

  /**
   * Enters rows for about the budget's time. Returns null if the target no longer exists or is complete. The last step,
   * which finds no more rows, puts the target in effect. If other reading rules built the index, the first step
   * replaces their entries.
   */
  step(target: BackfillTarget, budget: Budget): BackfillProgress | null {
    if (this.#isOutdated(target)) {
      this.#writer.transact(transaction =>
        renewIndexes(this.#writer, this.#governedTables, transaction, target.collection),
      );
      return { rows: 0, finished: false };
    }
    const successor = this.#successorOf(target);
    if (successor?.isOutdated === true) {
      this.#builds.restartSuccessor(target.collection, successor);
      return { rows: 0, finished: false };
    }
    const progress = this.advance(target, budget);
    if (progress?.finished === true) this.#finish(target);
    return progress;
  }

  /** Like `step`, without putting the target in effect. */
  advance(target: BackfillTarget, budget: Budget): BackfillProgress | null {
    const collection = this.#writer.catalog.collections.get(target.collection);
    if (collection === undefined) return null;
    const { clock } = this.#writer;
    const began = clock.elapsed();
    const evaluates = collection.indexes.some(({ definition }) => definition.source.kind === 'expression');
    const isOver = () => clock.elapsed() - began >= READING * budgetMs(budget);
    const writer = this.#writer.collection(target.collection);
    const made = this.#madeBy(target, writer);
    const from = made?.target.builtThroughRow;
    if (made === null || from === null || from === undefined) return null;
    const dead = this.#writer.tombstones.of(collection.id);
    let cursor = from;
    let rows = 0;
    const entries: Entry[] = [];
    const enter = () => {
      const read = writer.rowsAfter(cursor, ROWS_A_READ);
      let taken = 0;
      for (const stored of read) {
        taken += 1;
        cursor = stored.row;
        if (dead.has(stored.row)) continue;
        const entry = made.entryOf(stored);
        if (entry !== null) entries.push(entry);
        // An expression may be slow for each document.
        if (evaluates && isOver()) break;
      }
      rows += taken;
      return taken < read.length || read.length === ROWS_A_READ;
    };
    this.#writer.refuseWhileDiskFull();
    const more = this.#writer.maintain(() => {
      let full = enter();
      while (full && !isOver()) full = enter();
      made.table?.addAll(entries);
      writer.flush();
      made.note(cursor);
      return full;
    });
    made.target.builtThroughRow = cursor;
    return { rows, finished: !more };
  }

  /** Returns the target's entries, its index table and its progress; null if the target no longer exists. */
  #madeBy(target: BackfillTarget, { catalog, entries }: CollectionWriter): Made | null {
    if (target.kind === 'recount') {
      return {
        target: entries.recount,
        table: null,
        entryOf: stored => {
          entries.addToGovernedTable(stored);
          return null;
        },
        note: cursor => this.#governedTables.noteThrough(catalog, cursor),
      };
    }
    if (target.kind === 'index') {
      const found = entries.indexes.find(({ index }) => index.name === target.index);
      if (found === undefined) return null;
      return {
        target: found,
        table: found.table,
        entryOf: stored => entries.inIndex(found, stored),
        note: cursor => this.#builds.noteBuilt(found.index, cursor),
      };
    }
    const found = entries.successors.find(({ successor }) => successor.definition.name === target.index);
    if (found === undefined) return null;
    return {
      target: found,
      table: found.table,
      entryOf: stored => entries.inSuccessor(found, stored),
      note: cursor => this.#builds.noteSuccessorBuilt(found.successor, cursor),
    };
  }

  #successorOf(target: BackfillTarget): CatalogSuccessor | null {
    if (target.kind !== 'successor') return null;
    const indexes = this.#writer.catalog.collections.get(target.collection)?.indexes;
    return indexes?.find(({ name }) => name === target.index)?.successor ?? null;
  }

  #isOutdated(target: BackfillTarget): boolean {
    const collection = this.#writer.catalog.collections.get(target.collection);
    return (
      target.kind === 'index' &&
      collection?.indexes.some(index => index.name === target.index && index.isOutdated) === true
    );
  }

  #finish(target: BackfillTarget): void {
    const { catalog, entries } = this.#writer.collection(target.collection);
    const { kind, collection } = target;
    this.#writer.transact(transaction => {
      if (kind === 'recount') {
        this.#governedTables.finish(transaction, catalog);
        return;
      }
      const index = entries.indexes.find(found => found.index.name === target.index)?.index;
      if (index === undefined) return;
      if (kind === 'index') this.#builds.finishBuild(transaction, collection, index);
      else if (index.successor !== null)
        this.#builds.finishSuccessor(transaction, collection, index, index.successor);
    });
  }
}

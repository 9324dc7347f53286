import type { Entry } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { type Budget, budgetMs } from '../../../expiry/expiry-store.ts';
import type { BackfillTarget } from '../../backend.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { CatalogSuccessor } from '../catalog/catalog-index.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import { GatheredEntries } from '../write/gathered-entries.ts';
import type { BuiltRows } from '../write/index-entries.ts';
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
/** Share of a step's budget for reading; the rest is for writing entries. */
const READING = 0.6;
/** Most rows whose entries are gathered before they are written: 12 MB. */
const MOST_GATHERED = 500_000;
/** Longest time of gathering, ms, since a restart reads these rows again. */
const GATHERED_FOR_MS = 5_000;
/** So few entries are written in one step. */
const FEW = 256;

interface Made {
  readonly rows: BuiltRows;
  /** Tables that receive the entries. */
  readonly tables: readonly IndexTable[];
  entryOf(stored: StoredRow): { table: IndexTable; entry: Entry } | null;
  note(cursor: number): void;
}

/**
 * Reads rows in row order and enters them into a new table, in steps. Rows are read in groups whose entries are
 * gathered, and then written in the order of the table. The progress is stored with the last entries of a group: a
 * restart continues with the first row of the interrupted group. Concurrent writes enter the rows that were read.
 *
 * A change of definitions and a failed write discard the gathered entries (see Writer): the next group is then
 * smaller, down to one that is written in the step that reads it, so that the build makes progress in any case.
 */
export class Backfill {
  readonly #writer: Writer;
  readonly #builds: IndexBuildProgress;
  readonly #governedTables: GovernedTables;
  /** Most rows of the next group, about. */
  #most = MOST_GATHERED;
  /** The latest group; null once it is written. */
  #gathered: GatheredEntries | null = null;

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
    const isOver = (share: number) => clock.elapsed() - began >= share * budgetMs(budget);
    const writer = this.#writer.collection(target.collection);
    const made = this.#madeBy(target, writer);
    const from = made?.rows.builtThroughRow;
    if (made === null || from === null || from === undefined) return null;
    const group = made.rows.gathered ?? this.#beginGroup(made, began);
    let read = { cursor: from, rows: 0, isEnd: false };
    this.#writer.guard.refuseWhileDiskFull();
    const isWritten = this.#writer.maintain(() => {
      if (!group.isRead) {
        read = this.#read(collection, made, this.#most - group.rows, () => isOver(READING));
        group.rows += read.rows;
        group.isRead =
          read.isEnd || group.rows >= this.#most || clock.elapsed() - group.beganAt >= GATHERED_FOR_MS;
      }
      if (!group.isRead) return false;
      // The least group is written whole: a group that is discarded again and again would never be complete.
      const isWhole = this.#most === 1 || group.size <= FEW;
      let more: boolean;
      do more = group.writeSome();
      while (more && (isWhole || !isOver(1)));
      writer.flush();
      if (!more) made.note(read.cursor);
      return !more;
    });
    made.rows.builtThroughRow = read.cursor;
    if (isWritten) this.#endGroup(made, group);
    return { rows: read.rows, finished: isWritten && read.isEnd };
  }

  /** Gathers the entries of about `most` rows, from the last row that the build has read, until it is over. */
  #read(
    { id, name, indexes }: CatalogCollection,
    { rows: { builtThroughRow, gathered }, entryOf }: Made,
    most: number,
    isOver: () => boolean,
  ): { cursor: number; rows: number; isEnd: boolean } {
    const writer = this.#writer.collection(name);
    const { tombstones } = this.#writer;
    const evaluates =
      tombstones.intervals.evaluates(id) ||
      indexes.some(({ definition }) => definition.source.kind === 'expression');
    let cursor = builtThroughRow ?? 0;
    let rows = 0;
    for (;;) {
      const some = writer.rowsAfter(cursor, ROWS_A_READ);
      for (const stored of some) {
        rows += 1;
        cursor = stored.row;
        const found = tombstones.isDead(id, stored) ? null : entryOf(stored);
        if (found !== null) gathered?.add(found.table, found.entry);
        // An expression may be slow for each document.
        if (evaluates && isOver()) return { cursor, rows, isEnd: false };
      }
      if (some.length < ROWS_A_READ) return { cursor, rows, isEnd: true };
      if (rows >= most || isOver()) return { cursor, rows, isEnd: false };
    }
  }

  #beginGroup({ rows, tables }: Made, beganAt: number): GatheredEntries {
    if (this.#gathered !== null) this.#most = Math.max(1, Math.floor(this.#most / 16));
    rows.rowsWithLeftovers ??= tables.every(table => table.isEmpty()) ? 0 : MOST_GATHERED + ROWS_A_READ;
    const group = new GatheredEntries(beganAt, rows.rowsWithLeftovers > 0);
    rows.gathered = group;
    this.#gathered = group;
    return group;
  }

  #endGroup({ rows }: Made, group: GatheredEntries): void {
    rows.gathered = null;
    rows.rowsWithLeftovers = Math.max(0, (rows.rowsWithLeftovers ?? 0) - group.rows);
    this.#gathered = null;
    this.#most = Math.min(MOST_GATHERED, this.#most * 4);
  }

  /** Returns the target's entries, its index table and its progress; null if the target no longer exists. */
  #madeBy(target: BackfillTarget, { catalog, entries }: CollectionWriter): Made | null {
    if (target.kind === 'recount') {
      return {
        rows: entries.recount,
        tables: entries.indexes.flatMap(({ governedTable }) => governedTable ?? []),
        entryOf: stored => entries.inGovernedTable(stored),
        note: cursor => this.#governedTables.noteThrough(catalog, cursor),
      };
    }
    if (target.kind === 'index') {
      const found = entries.indexes.find(({ index }) => index.name === target.index);
      if (found === undefined) return null;
      return {
        rows: found,
        tables: [found.table],
        entryOf: stored => inTable(found.table, entries.inIndex(found, stored)),
        note: cursor => this.#builds.noteBuilt(found.index, cursor),
      };
    }
    const found = entries.successors.find(({ successor }) => successor.definition.name === target.index);
    if (found === undefined) return null;
    return {
      rows: found,
      tables: [found.table],
      entryOf: stored => inTable(found.table, entries.inSuccessor(found, stored)),
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

function inTable(table: IndexTable, entry: Entry | null): { table: IndexTable; entry: Entry } | null {
  return entry && { table, entry };
}

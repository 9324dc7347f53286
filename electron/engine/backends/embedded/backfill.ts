import { type Budget, budgetMs } from '../../expiry/port.ts';
import type { BackfillTarget } from '../backend.ts';
import type { Definitions } from './definitions.ts';
import type { GovernedTables } from './governed-tables.ts';
import { renewIndexes } from './index-renewal.ts';
import type { Entry } from './side-entry.ts';
import type { Writer } from './writer.ts';

export interface BackfillProgress {
  /** Rows read in this step. */
  rows: number;
  finished: boolean;
}

/** Few, for a document may be 16 MiB. */
const ROWS_A_READ = 8;
/** The part of a step that reads; the rest puts the entries in order, and into the table. */
const READING = 0.6;

/**
 * Reads rows in row order and enters them into a table that is being made, a step at a time, each a transaction
 * that remembers how far it came: a restart goes on from there, and writes meanwhile enter only rows it has passed.
 */
export class Backfill {
  readonly #writer: Writer;
  readonly #definitions: Definitions;
  readonly #governed: GovernedTables;

  constructor(writer: Writer, definitions: Definitions, governed: GovernedTables) {
    this.#writer = writer;
    this.#definitions = definitions;
    this.#governed = governed;
  }

  /** Everything that still has to be made, as the catalog says: what a restart has to take up again. */
  pending(): BackfillTarget[] {
    return [...this.#writer.catalog.collections.values()].flatMap(collection => {
      const builds = collection.indexes
        .filter(index => !index.isReady)
        .map(index => ({ kind: 'index' as const, collection: collection.name, index: index.name }));
      const recount = { kind: 'recount' as const, collection: collection.name };
      return collection.recounted === null ? builds : [...builds, recount];
    });
  }

  /**
   * Enters rows for about as long as the budget. Null when the target is gone or complete.
   * The last step, which finds no more rows, makes the target effective. Of an index that other reading rules built, the first
   * step replaces what they made.
   */
  step(target: BackfillTarget, budget: Budget): BackfillProgress | null {
    if (this.#isOutdated(target)) {
      this.#writer.transact(transaction =>
        renewIndexes(this.#writer, this.#governed, transaction, target.collection),
      );
      return { rows: 0, finished: false };
    }
    const progress = this.advance(target, budget);
    if (progress?.finished === true) this.#finish(target);
    return progress;
  }

  /** The same without making it effective. */
  advance(target: BackfillTarget, budget: Budget): BackfillProgress | null {
    const collection = this.#writer.catalog.collections.get(target.collection);
    if (collection === undefined) return null;
    const { clock } = this.#writer;
    const began = clock.elapsed();
    const evaluates = collection.indexes.some(({ definition }) => definition.source.kind === 'expression');
    const isOver = () => clock.elapsed() - began >= READING * budgetMs(budget);
    const writer = this.#writer.collection(target.collection);
    const maintained =
      target.kind === 'index' ? writer.indexes.find(({ index }) => index.name === target.index) : undefined;
    const from = target.kind === 'index' ? maintained?.built : writer.recounted;
    if (from === null || from === undefined) return null;
    const dead = this.#writer.dead.of(collection.id);
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
        if (maintained === undefined) writer.enterGoverned(stored);
        else {
          const entry = writer.entryIn(maintained, stored);
          if (entry !== null) entries.push(entry);
        }
        // An expression may take long for each.
        if (evaluates && isOver()) break;
      }
      rows += taken;
      return taken < read.length || read.length === ROWS_A_READ;
    };
    this.#writer.refuseWhileDiskFull();
    const more = this.#writer.maintain(() => {
      let full = enter();
      while (full && !isOver()) full = enter();
      maintained?.side.addAll(entries);
      writer.flush();
      if (maintained !== undefined) this.#definitions.noteBuilt(maintained.index, cursor);
      else this.#governed.noteThrough(collection, cursor);
      return full;
    });
    if (maintained !== undefined) maintained.built = cursor;
    else writer.recounted = cursor;
    return { rows, finished: !more };
  }

  #isOutdated(target: BackfillTarget): boolean {
    const collection = this.#writer.catalog.collections.get(target.collection);
    return (
      target.kind === 'index' &&
      collection?.indexes.some(index => index.name === target.index && index.isOutdated) === true
    );
  }

  #finish(target: BackfillTarget): void {
    const { catalog, indexes } = this.#writer.collection(target.collection);
    this.#writer.transact(transaction => {
      const built = target.kind === 'index' ? indexes.find(({ index }) => index.name === target.index) : null;
      if (built === null) this.#governed.finish(transaction, catalog);
      else if (built !== undefined)
        this.#definitions.finishBuild(transaction, target.collection, built.index);
    });
  }
}

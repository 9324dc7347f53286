import { type Budget, budgetMs } from '../../../expiry/port.ts';
import type { Statement } from '../file/database.ts';
import { MINUTE } from '../tables/count-levels.ts';
import type { Writer } from '../write/writer.ts';
import { type Removals, RowSweeper } from './row-sweeper.ts';

const SLICE = 16;
/** Removals among which restorable ones are looked for at once. */
const LOOKED_THROUGH = 1_000;
/** A commit takes its time too; what it took lately, or takes usually, is taken off the budget. */
const COMMIT_WEIGHT = 0.2;
/** Whoever writes waits meanwhile. */
const PRUNED_AT_ONCE = 2_000;

/** A row whose removal is committed, and whose bytes are still to be freed. */
export interface Tombstone {
  seq: number;
  collection: number;
  row: number;
}

/** What can be brought back, and for how long (see retention.ts). */
export interface Retention {
  /** Of a collection that is there, or was dropped and is still kept. */
  hasTables(collection: number): boolean;
  /** Keeps copies of what is to be freed, unless the log says by now that they are not to be, within the store's limit. */
  keep(removed: readonly Tombstone[]): void;
  /** Lets go of what is not to be kept any longer, until `elapsed` says `until`; true: there is more. */
  step(until: number): boolean;
}

/**
 * Frees what removed documents held. Removal cuts in deadline order, which is random in the file; the sweep then
 * deletes rows in row order and keys in key order, so that a page is written once for all that left it.
 *
 * A round takes all that is dead when it begins, copies what can be restored, deletes the rows, then their keys, then
 * moves the mark. Doing it twice does nothing, so a round that is cut short is simply done again. Copies are let go of
 * when their time is up, or when there is too much of them [X4].
 */
export class Sweep {
  readonly #writer: Writer;
  readonly #retention: Retention;
  readonly #sweepers = new Map<number, RowSweeper>();
  readonly #restorable: Statement<[number, number, number], Tombstone>;
  #round: Generator<void, void> | null = null;
  #pruneAt = 0;
  #usualCommitMs = 0;

  constructor(writer: Writer, retention: Retention) {
    const { db } = writer;
    this.#writer = writer;
    this.#retention = retention;
    this.#restorable = db.prepare(
      `SELECT seq, collection, row FROM removals
       WHERE seq > ? AND seq <= ? AND gone = 1 AND keep_until > 0 ORDER BY seq LIMIT ?`,
    );
  }

  /** Works for about as long as the budget in one transaction; true: there is more to free. */
  step(budget: Budget): boolean {
    const { clock } = this.#writer;
    const began = clock.elapsed();
    const until = () => {
      const ms = budgetMs(budget);
      return began + Math.max(ms / 4, ms - this.#usualCommitMs);
    };
    if (this.#round === null && !this.#hasTombstones()) return this.#retention.step(until()) || this.#prune();
    this.#round ??= this.#sweepRound();
    const round = this.#round;
    // Whatever cuts it short, the round starts again from the mark.
    this.#round = null;
    let workedUntil = began;
    const ended = this.#writer.maintain(() => {
      let done: boolean;
      do done = round.next().done === true;
      while (!done && clock.elapsed() < until());
      workedUntil = clock.elapsed();
      return done;
    });
    const commitMs = clock.elapsed() - workedUntil;
    this.#usualCommitMs = Math.max(
      commitMs,
      this.#usualCommitMs + COMMIT_WEIGHT * (commitMs - this.#usualCommitMs),
    );
    if (ended) this.#writer.dead.refresh();
    else this.#round = round;
    return !ended || this.#hasTombstones() || this.#isPruneDue();
  }

  #hasTombstones(): boolean {
    return this.#writer.tables.removals.hasTombstones();
  }

  *#sweepRound(): Generator<void, void> {
    const { dead, meta } = this.#writer;
    dead.refresh();
    const { seq: through, collections } = dead.copy();
    const removals = { after: meta.number('swept') ?? 0, through };
    yield* this.#keepCopies(removals);
    for (const [id, rows] of collections) {
      yield* this.#whileThere(id, sweeper => sweeper.freeRows(rows));
      yield* this.#whileThere(id, sweeper => sweeper.freeKeys(rows, removals));
    }
    meta.set('swept', through);
  }

  /** A slice after the other; the collection's tables may be freed between two of them. */
  *#whileThere(
    collection: number,
    work: (sweeper: RowSweeper) => Generator<void, void>,
  ): Generator<void, void> {
    if (!this.#retention.hasTables(collection)) return;
    const slices = work(this.#sweeperOf(collection));
    while (this.#retention.hasTables(collection) && slices.next().done !== true) yield;
  }

  /** Copies what can be restored, in the order of removal, in which the copies lie. */
  *#keepCopies({ after, through }: Removals): Generator<void, void> {
    for (let from = after; from < through; ) {
      const until = Math.min(from + LOOKED_THROUGH, through);
      const found = this.#restorable.all(from, until, SLICE);
      this.#retention.keep(found);
      from = found.length < SLICE ? until : (found.at(-1)?.seq ?? until);
      yield;
    }
  }

  #sweeperOf(collection: number): RowSweeper {
    let sweeper = this.#sweepers.get(collection);
    if (sweeper === undefined) {
      sweeper = new RowSweeper(this.#writer.db, this.#writer.tables.collections, collection);
      this.#sweepers.set(collection, sweeper);
    }
    return sweeper;
  }

  #isPruneDue(): boolean {
    return this.#writer.clock.now() >= this.#pruneAt;
  }

  /** Once a minute, what the log no longer tells of and nobody can restore. */
  #prune(): boolean {
    if (!this.#isPruneDue()) return false;
    const now = this.#writer.clock.now();
    return this.#writer.maintain(() => {
      const { removals, expiryCounts, passes } = this.#writer.tables;
      const old = removals.prunable(PRUNED_AT_ONCE);
      // What is restorable yet goes with its copy.
      for (const seq of old) removals.deleteWithoutCopy(seq);
      const last = old.at(-1);
      if (last !== undefined) {
        this.#writer.meta.set('pruned', last);
        return true;
      }
      if (expiryCounts.prune(now, PRUNED_AT_ONCE) || passes.prune(now, PRUNED_AT_ONCE)) return true;
      this.#pruneAt = now + MINUTE;
      return false;
    });
  }
}

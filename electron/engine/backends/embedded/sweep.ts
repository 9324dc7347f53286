import type { Statement } from './database.ts';
import { ExpiredCounts } from './expired-counts.ts';
import { MINUTE } from './levels.ts';
import { PassLog } from './pass-log.ts';
import { RowSweeper, type Tombstone } from './row-sweeper.ts';
import type { Writer } from './writer.ts';

/** How many tombstones are taken at once: the more, the closer together the rows lie. */
const ROUND = 50_000;
const SLICE = 16;
/** A commit takes its time too; what it usually takes is taken off the budget. */
const COMMIT_WEIGHT = 0.2;
/** Whoever writes waits meanwhile. */
const PRUNED_AT_ONCE = 2_000;

/** Bytes of documents that are held in memory on the way to their copies. */
const HELD_BYTES = 32 * 1024 * 1024;

/** A document that is to be freed, and its entry in the log. */
export interface Copy {
  seq: number;
  collection: number;
  body: string;
  bytes: number;
}

/** What can be brought back, and for how long (see retention.ts). */
export interface Retention {
  /** Of a collection that is there, or was dropped and is still kept. */
  hasTables(collection: number): boolean;
  /** Keeps copies of what is to be freed, unless the log says by now that they are not to be, within the store's limit. */
  keep(copies: readonly Copy[]): void;
  /** Lets go of what is not to be kept any longer, until `elapsed` says `until`; true: there is more. */
  step(until: number): boolean;
}

/**
 * Frees what removed documents held. Removal cuts in deadline order, which is random in the file; the sweep then
 * deletes rows in row order and keys in key order, so that a page is written once for all that left it.
 *
 * A round takes tombstones above the mark, copies what can be restored, deletes their rows, then their keys, then
 * moves the mark. Doing it twice does nothing, so a round that is cut short is simply done again. Copies are let go of
 * when their time is up, or when there is too much of them [X4].
 */
export class Sweep {
  readonly #writer: Writer;
  readonly #retention: Retention;
  readonly #sweepers = new Map<number, RowSweeper>();
  readonly #tombstones: Statement<[number, number], Tombstone & { gone: number }>;
  readonly #mark: Statement<[], number>;
  readonly #setMark: Statement<[number]>;
  readonly #removalsToPrune: Statement<[number], number>;
  readonly #pruneRemoval: Statement<[number]>;
  readonly #setPruned: Statement<[number]>;
  readonly #counts: ExpiredCounts;
  readonly #passes: PassLog;
  #round: Generator<void, void> | null = null;
  #pruneAt = 0;
  #usualCommitMs = 0;

  constructor(writer: Writer, retention: Retention) {
    const { db } = writer;
    this.#writer = writer;
    this.#retention = retention;
    this.#tombstones = db.prepare(
      `SELECT seq, collection, row, id, keep_until AS keepUntil, gone FROM removals
       WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#mark = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'swept'`).pluck();
    this.#setMark = db.prepare(`UPDATE meta SET value = ? WHERE key = 'swept'`);
    // The change log tells of an expiry by its row here [V3], so they go together: by age and by size.
    this.#removalsToPrune = db
      .prepare<[number], number>(
        `SELECT seq FROM removals
         WHERE seq > (SELECT value FROM meta WHERE key = 'pruned')
           AND seq < (SELECT coalesce(min(removals_from), 9223372036854775807) FROM
                        (SELECT removals_from FROM log ORDER BY revision LIMIT 1))
         ORDER BY seq LIMIT ?`,
      )
      .pluck();
    // What is restorable yet goes with its copy.
    this.#pruneRemoval = db.prepare(
      'DELETE FROM removals WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM retained AS k WHERE k.seq = removals.seq)',
    );
    this.#setPruned = db.prepare(`UPDATE meta SET value = ? WHERE key = 'pruned'`);
    this.#counts = new ExpiredCounts(db);
    this.#passes = new PassLog(db);
  }

  /** Works for about `budgetMs` in one transaction; true: there is more to free. */
  step(budgetMs: number): boolean {
    const { clock } = this.#writer;
    const until = clock.elapsed() + Math.max(budgetMs / 4, budgetMs - this.#usualCommitMs);
    if (this.#round === null && !this.#hasTombstones()) return this.#retention.step(until) || this.#prune();
    this.#round ??= this.#sweepRound();
    const round = this.#round;
    // Whatever cuts it short, the round starts again from the mark.
    this.#round = null;
    let workedUntil = until;
    const ended = this.#writer.maintain(() => {
      let done: boolean;
      do done = round.next().done === true;
      while (!done && clock.elapsed() < until);
      workedUntil = clock.elapsed();
      return done;
    });
    this.#usualCommitMs += COMMIT_WEIGHT * (clock.elapsed() - workedUntil - this.#usualCommitMs);
    if (ended) this.#writer.dead.refresh();
    else this.#round = round;
    return !ended || this.#hasTombstones() || this.#isPruneDue();
  }

  #hasTombstones(): boolean {
    return this.#tombstones.get(this.#mark.get() ?? 0, 1) !== undefined;
  }

  *#sweepRound(): Generator<void, void> {
    const tombstones = this.#tombstones.all(this.#mark.get() ?? 0, ROUND);
    const last = tombstones.at(-1);
    if (last === undefined) return;
    // Documents that were changed and stayed are passed over, so that nobody reads their entries again.
    const gone = tombstones.filter(removal => removal.gone === 1);
    yield* this.#keepCopies(gone);
    const collections = Map.groupBy(gone, ({ collection }) => collection);
    for (const [id, dead] of collections) {
      // Asked anew for each slice: its tables may be freed between two of them.
      const sweeper = () => this.#sweeperOf(id);
      dead.sort((a, b) => a.row - b.row);
      for (let i = 0; i < dead.length; i += SLICE) {
        const rows = sweeper();
        for (const { row } of dead.slice(i, i + SLICE)) rows?.freeRow(row);
        yield;
      }
      dead.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
      for (let i = 0; i < dead.length; i += SLICE) {
        const rows = sweeper();
        for (const { id: key, row } of dead.slice(i, i + SLICE)) rows?.freeKey(key, row);
        yield;
      }
    }
    this.#setMark.run(last.seq);
  }

  /**
   * Copies what can be restored. Rows are read in row order and copies written in the order of removal, in which they
   * lie: either the other way round touches a page for each document, and took five times as long.
   */
  *#keepCopies(gone: readonly Tombstone[]): Generator<void, void> {
    const restorable = gone.filter(({ keepUntil }) => keepUntil > 0).sort(byCollectionAndRow);
    let held: Copy[] = [];
    let heldBytes = 0;
    for (const [i, { seq, collection, row }] of restorable.entries()) {
      const kept = this.#sweeperOf(collection)?.read(row) ?? null;
      if (kept !== null) {
        held.push({ seq, collection, body: kept[0], bytes: kept[1] });
        heldBytes += kept[1];
      }
      if (heldBytes > HELD_BYTES) {
        yield* this.#write(held);
        held = [];
        heldBytes = 0;
      } else if (i % SLICE === 0) yield;
    }
    yield* this.#write(held);
  }

  *#write(copies: Copy[]): Generator<void, void> {
    copies.sort((a, b) => a.seq - b.seq);
    for (let i = 0; i < copies.length; i += SLICE) {
      // Its collection may have been let go of since it was read.
      const slice = copies.slice(i, i + SLICE);
      this.#retention.keep(slice.filter(({ collection }) => this.#retention.hasTables(collection)));
      yield;
    }
  }

  /** Null: its tables are being freed. */
  #sweeperOf(collection: number): RowSweeper | null {
    if (!this.#retention.hasTables(collection)) return null;
    let sweeper = this.#sweepers.get(collection);
    if (sweeper === undefined) {
      sweeper = new RowSweeper(this.#writer.db, collection);
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
      const old = this.#removalsToPrune.all(PRUNED_AT_ONCE);
      for (const seq of old) this.#pruneRemoval.run(seq);
      const last = old.at(-1);
      if (last !== undefined) {
        this.#setPruned.run(last);
        return true;
      }
      if (this.#counts.prune(now, PRUNED_AT_ONCE) || this.#passes.prune(now, PRUNED_AT_ONCE)) return true;
      this.#pruneAt = now + MINUTE;
      return false;
    });
  }
}

function byCollectionAndRow(a: Tombstone, b: Tombstone): number {
  return a.collection - b.collection || a.row - b.row;
}

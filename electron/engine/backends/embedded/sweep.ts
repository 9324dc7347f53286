import type { Statement } from './database.ts';
import { ACTUAL_LEVELS, DAY, MINUTE } from './levels.ts';
import { PassLog } from './pass-log.ts';
import type { Writer } from './writer.ts';

/** How many tombstones are taken at once: the more, the closer together the rows lie. */
const ROUND = 50_000;
const SLICE = 16;
/** A commit takes its time too; what it usually takes is taken off the budget. */
const COMMIT_WEIGHT = 0.2;
const KEEP_REMOVALS_MS = DAY;

interface Tombstone {
  seq: number;
  collection: number;
  row: number;
  id: string;
}

/**
 * Frees what removed documents held. Removal cuts in deadline order, which is random in the file; the sweep then
 * deletes rows in row order and keys in key order, so that a page is written once for all that left it.
 *
 * A round takes tombstones above the mark, deletes their rows, then their keys, then moves the mark. Deleting twice
 * does nothing, so a round that is cut short is simply done again.
 */
export class Sweep {
  readonly #writer: Writer;
  readonly #tombstones: Statement<[number, number], Tombstone>;
  readonly #mark: Statement<[], number>;
  readonly #setMark: Statement<[number]>;
  readonly #pruneRemovals: Statement<[number, number]>;
  readonly #pruneActuals: Statement<[number, number]>;
  readonly #passes: PassLog;
  #round: Generator<void, void> | null = null;
  #pruneAt = 0;
  #usualCommitMs = 0;

  constructor(writer: Writer) {
    const { db } = writer;
    this.#writer = writer;
    this.#tombstones = db.prepare(
      'SELECT seq, collection, row, id FROM removals WHERE seq > ? AND gone = 1 ORDER BY seq LIMIT ?',
    );
    this.#mark = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'swept'`).pluck();
    this.#setMark = db.prepare(`UPDATE meta SET value = ? WHERE key = 'swept'`);
    this.#pruneRemovals = db.prepare(
      // Only the oldest few are looked at: most of a long log is young, and whoever writes waits meanwhile.
      `DELETE FROM removals WHERE removed_at < ? AND seq <
         min((SELECT min(seq) FROM removals) + ?, (SELECT value FROM meta WHERE key = 'swept') + 1)`,
    );
    this.#pruneActuals = db.prepare('DELETE FROM actuals WHERE level = ? AND bucket < ?');
    this.#passes = new PassLog(db);
  }

  /** Works for about `budgetMs` in one transaction; true: there is more to free. */
  step(budgetMs: number): boolean {
    const { clock } = this.#writer;
    const until = clock.elapsed() + Math.max(budgetMs / 4, budgetMs - this.#usualCommitMs);
    if (this.#round === null && !this.#hasTombstones()) return this.#prune();
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
    const collections = Map.groupBy(tombstones, ({ collection }) => collection);
    for (const [id, dead] of collections) {
      // Asked anew for each slice: the collection may be dropped between two of them.
      const writer = () => {
        const found = [...this.#writer.catalog.collections.values()].find(collection => collection.id === id);
        return found === undefined ? null : this.#writer.collection(found.name);
      };
      dead.sort((a, b) => a.row - b.row);
      for (let i = 0; i < dead.length; i += SLICE) {
        const collection = writer();
        for (const { row } of dead.slice(i, i + SLICE)) collection?.sweepRow(row);
        yield;
      }
      dead.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
      for (let i = 0; i < dead.length; i += SLICE) {
        const collection = writer();
        for (const { id: key, row } of dead.slice(i, i + SLICE)) collection?.sweepKey(key, row);
        yield;
      }
    }
    this.#setMark.run(last.seq);
  }

  #isPruneDue(): boolean {
    return this.#writer.clock.now() >= this.#pruneAt;
  }

  /** Once a minute, what is older than it is kept. */
  #prune(): boolean {
    if (!this.#isPruneDue()) return false;
    const now = this.#writer.clock.now();
    return this.#writer.maintain(() => {
      const { changes } = this.#pruneRemovals.run(now - KEEP_REMOVALS_MS, 5_000);
      if (changes > 0) return true;
      for (const [level, { width, keepMs }] of ACTUAL_LEVELS.entries()) {
        this.#pruneActuals.run(level, Math.floor((now - keepMs) / width));
      }
      this.#passes.prune(now);
      this.#pruneAt = now + MINUTE;
      return false;
    });
  }
}

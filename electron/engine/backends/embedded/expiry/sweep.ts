import { MINUTE } from '../../../deadline-index/count-levels.ts';
import { type Budget, budgetMs, type StaleEntries } from '../../../expiry/expiry-store.ts';
import type { Statement } from '../file/database.ts';
import { RowSet } from '../tables/documents/row-set.ts';
import { SweptKeysTable } from '../tables/documents/swept-keys.ts';
import type { Writer } from '../write/writer.ts';
import { IntervalClearing } from './interval-clearing.ts';
import { IntervalListing, type ListedCopies } from './interval-listing.ts';
import { RowSweeper } from './row-sweeper.ts';
import type { SweepBound } from './sweep-bound.ts';

const SLICE = 16;
/** Most rows copied at once, while that takes less than this time, ms: one may have 16 MiB. */
const MOST_COPIED = 512;
const COPIED_FOR_MS = 1;
/** Removals of an interval read at once. */
const ROWS_PER_READ = 5_000;
/** If at least one key in this many is dead, scanning all keys is faster than looking up each dead one. */
const SCAN_RATIO = 8;
/** Keys that are sorted together, and removals that are read for them in a slice; a few more if they are packed. */
const SORTED_AT_ONCE = 100_000;
const SORTED_PER_SLICE = 500;
/** Removals examined at once for restorable ones. */
const REMOVALS_PER_SEARCH = 1_000;
/** Weight of a commit shorter than the usual one, which is subtracted from the budget; a longer one is the usual one at once. */
const COMMIT_WEIGHT = 0.2;
/** Rows that one step prunes. */
const PRUNED_PER_STEP = 2_000;

/** A row of `removals` whose documents are not reclaimed yet. */
export interface Tombstone {
  seq: number;
  collection: number;
  documents: number;
}

/** Removals of a round: above `after`, up to `through`. */
interface Removals {
  readonly after: number;
  readonly through: number;
}

/** Restorable copies and their retention (evict-retained.ts). */
export interface Retention extends ListedCopies {
  /** Returns whether the collection exists, or was dropped and is still kept. */
  hasTables(collection: number): boolean;
  /** Copies rows that are about to be freed, unless the log no longer needs them, within the store's limit. */
  keep(removed: readonly Tombstone[]): void;
  /** Releases the statements of collections whose tables were freed. */
  releaseFreed(): void;
  /** Evicts data that is no longer kept, until `elapsed` reaches `until`. Returns whether there is more. */
  step(until: number): boolean;
}

/**
 * Reclaims the space of removed documents. Removal works in deadline order, which is random in the file; the sweep
 * deletes rows in row order and keys in key order, so that each page is written once for everything that left it.
 *
 * A round lists the documents of expired intervals, takes all rows that are dead then, copies the restorable ones,
 * deletes the rows, then their keys, then moves the mark, and ends the intervals. It is idempotent, so an interrupted
 * round starts again. Copies are evicted when their retention ends or their total size is too large [X4].
 */
export class Sweep {
  readonly #writer: Writer;
  readonly #retention: Retention;
  readonly #bound: Pick<SweepBound, 'rows'>;
  readonly #listing: IntervalListing;
  readonly #clearing: IntervalClearing;
  readonly #sorted: SweptKeysTable;
  readonly #sweepers = new Map<number, RowSweeper>();
  readonly #restorable: Statement<[number, number, number], Tombstone>;
  #round: Generator<void, void> | null = null;
  #pruneAt = 0;
  #usualCommitMs = 0;

  constructor(
    writer: Writer,
    retention: Retention,
    bound: Pick<SweepBound, 'rows'>,
    onStaleEntries: (stale: StaleEntries) => void,
  ) {
    const { db } = writer;
    this.#writer = writer;
    this.#retention = retention;
    this.#bound = bound;
    this.#listing = new IntervalListing(writer, retention, onStaleEntries);
    this.#clearing = new IntervalClearing(writer);
    // Created now: within a step, a rollback would remove the table.
    this.#sorted = new SweptKeysTable(db);
    this.#restorable = db.prepare(
      `SELECT seq, collection, documents FROM removals
       WHERE seq > ? AND seq <= ? AND gone = 1 AND keep_until_at > 0 ORDER BY seq LIMIT ?`,
    );
  }

  /** Works for about as long as the budget in one transaction. Returns whether there is more to free. */
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
    // If anything interrupts it, the round starts again from the mark.
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
    if (ended) this.#writer.tombstones.refresh();
    else this.#round = round;
    // After the last round, the next step evicts and prunes.
    return true;
  }

  /** Returns the number of removed rows above which they are reclaimed first. */
  mostUnswept(): number {
    return this.#bound.rows();
  }

  #hasTombstones(): boolean {
    return this.#writer.tables.removals.hasTombstones();
  }

  *#sweepRound(): Generator<void, void> {
    const { tombstones, meta, tables } = this.#writer;
    yield* this.#listing.listAll();
    const { seq: through, collections } = tombstones.copy();
    const removals = { after: meta.number('swept') ?? 0, through };
    const dead = new Map(collections);
    yield* this.#addRowsOfIntervals(dead);
    yield* this.#keepCopies(removals);
    const sparse = new Set<number>();
    for (const [id, rows] of dead) {
      yield* this.#whileTablesExist(id, sweeper => sweeper.freeRows(rows));
      if (this.#isDense(id, rows)) yield* this.#whileTablesExist(id, sweeper => sweeper.freeKeysByScan(rows));
      else if (this.#retention.hasTables(id)) sparse.add(id);
      // Of many collections with few dead rows, each is a slice.
      yield;
    }
    if (sparse.size > 0) yield* this.#freeKeysByLookup(sparse, removals);
    meta.set('swept', through);
    tables.expiredIntervals.setFreedThrough(through);
    for (const id of this.#sweepers.keys()) if (!this.#retention.hasTables(id)) this.#sweepers.delete(id);
    this.#retention.releaseFreed();
    yield* this.#clearing.clearFreed();
  }

  /** Adds the rows of the intervals, which are in no set of tombstones. */
  *#addRowsOfIntervals(dead: Map<number, RowSet>): Generator<void, void> {
    const { tombstones, tables } = this.#writer;
    for (const { first, documents, collection, freed } of tombstones.intervals.all) {
      if (freed === 1) continue;
      const rows = dead.get(collection) ?? new RowSet();
      dead.set(collection, rows);
      for (let after = first - 1; after < first + documents - 1; after += ROWS_PER_READ) {
        const through = Math.min(after + ROWS_PER_READ, first + documents - 1);
        for (const row of tables.removals.rowsBetween(after, through)) rows.add(row);
        yield;
      }
    }
  }

  /** Whether a scan of all keys is faster than lookups. The documents of a dropped collection are not counted. */
  #isDense(collection: number, dead: RowSet): boolean {
    const living = this.#writer.tables.collections.documents(collection);
    return living !== null && dead.size * SCAN_RATIO >= living + dead.size;
  }

  /** Reads the removals once, for all collections together: a pass for each would be collections × removals. */
  *#freeKeysByLookup(collections: ReadonlySet<number>, { after, through }: Removals): Generator<void, void> {
    const { removals } = this.#writer.tables;
    for (let from = after; from < through; ) {
      this.#sorted.clear();
      for (let sorted = 0; from < through && sorted < SORTED_AT_ONCE; ) {
        const { keys, last } = removals.keysAfter(collections, from, { through, most: SORTED_PER_SLICE });
        this.#sorted.add(keys);
        sorted += keys.length;
        from = last;
        yield;
      }
      let next = this.#sorted.collectionAfter(0);
      for (; next !== null; next = this.#sorted.collectionAfter(next))
        yield* this.#whileTablesExist(next, sweeper => sweeper.freeSortedKeys());
    }
    this.#sorted.clear();
  }

  /** Yields slice by slice; the collection's tables may be dropped between two of them. */
  *#whileTablesExist(
    collection: number,
    work: (sweeper: RowSweeper) => Generator<void, void>,
  ): Generator<void, void> {
    if (!this.#retention.hasTables(collection)) return;
    const slices = work(this.#sweeperOf(collection));
    while (this.#retention.hasTables(collection) && slices.next().done !== true) yield;
  }

  /** Copies restorable documents in order of removal, which is the order of the copies. */
  *#keepCopies({ after, through }: Removals): Generator<void, void> {
    const { clock } = this.#writer;
    let most = SLICE;
    for (let from = after; from < through; ) {
      const until = Math.min(from + REMOVALS_PER_SEARCH, through);
      const began = clock.elapsed();
      const found = this.#restorable.all(from, until, most);
      // A row with several removals is copied by itself.
      const packed = found.findIndex(({ documents }) => documents > 1);
      const copied = packed < 0 ? found : found.slice(0, Math.max(1, packed));
      this.#retention.keep(copied);
      from = copied.length < most && packed < 0 ? until : (copied.at(-1)?.seq ?? until);
      const tookMs = clock.elapsed() - began;
      if (tookMs > COPIED_FOR_MS) most = Math.max(SLICE, most / 2);
      else if (tookMs < COPIED_FOR_MS / 2 && copied.length === most) most = Math.min(MOST_COPIED, most * 2);
      yield;
    }
  }

  #sweeperOf(collection: number): RowSweeper {
    let sweeper = this.#sweepers.get(collection);
    if (sweeper === undefined) {
      sweeper = new RowSweeper(this.#writer.db, collection, this.#sorted);
      this.#sweepers.set(collection, sweeper);
    }
    return sweeper;
  }

  /** Once a minute, deletes rows that the log no longer refers to and that are not restorable. */
  #prune(): boolean {
    const now = this.#writer.clock.now();
    if (now < this.#pruneAt) return false;
    return this.#writer.maintain(() => {
      const { removals, expiryCounts, passes } = this.#writer.tables;
      const old = removals.prunable(PRUNED_PER_STEP);
      // Restorable documents are copied before their rows are freed.
      for (const { seq } of old) removals.deleteWithoutCopy(seq);
      const last = old.at(-1)?.last;
      if (last !== undefined) {
        this.#writer.meta.set('pruned', last);
        return true;
      }
      if (expiryCounts.prune(now, PRUNED_PER_STEP) || passes.prune(now, PRUNED_PER_STEP)) return true;
      this.#pruneAt = now + MINUTE;
      return false;
    });
  }
}

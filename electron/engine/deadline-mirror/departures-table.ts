import type { Database, Statement } from 'better-sqlite3';
import { DAY } from '../deadline-index/count-levels.ts';
import { ManyRows } from '../deadline-index/multi-row-insert.ts';
import { DEPARTURE_CAUSES, type DepartureCause } from './mirrored-key.ts';

const MOST_KEPT = 100_000;
const KEEP_MS = 30 * DAY;
/** Most rows beyond the bounds that one write deletes; more than it adds, so that the history shrinks. */
const MOST_PRUNED = 2_000;

/** A key that was removed from its store. */
export interface DepartedKey {
  collection: number;
  id: string;
  /** Epoch ms; null: it had no deadline. */
  deadlineAt: number | null;
  at: number;
  cause: DepartureCause;
  revision: number;
}

export interface DepartureRow extends DepartedKey {
  seq: number;
}

interface DepartureQuery {
  /** Null: all collections. */
  collection: number | null;
  causes: readonly DepartureCause[];
  before: number;
  limit: number;
}

/** The `departures` table: removed keys, at most the newest 100,000 and those of the last 30 days. */
export class Departures {
  readonly #db: Database;
  readonly #insert: ManyRows;
  readonly #bounds: Statement<[], { first: number | null; last: number | null }>;
  readonly #firstAt: Statement<[], number>;
  readonly #pruneBefore: Statement<[seq: number, limit: number]>;
  readonly #pruneOlder: Statement<[at: number, limit: number]>;
  #nextSeq: number;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = new ManyRows(db, 'departures (seq, collection, id, deadline, at, cause, revision)', 7);
    this.#bounds = db.prepare(
      'SELECT (SELECT min(seq) FROM departures) AS first, (SELECT max(seq) FROM departures) AS last',
    );
    this.#firstAt = db.prepare<[], number>('SELECT at FROM departures ORDER BY seq LIMIT 1').pluck();
    this.#pruneBefore = db.prepare('DELETE FROM departures WHERE seq < ? ORDER BY seq LIMIT ?');
    this.#pruneOlder = db.prepare(
      'DELETE FROM departures WHERE at < ? AND seq IN (SELECT seq FROM departures ORDER BY seq LIMIT ?)',
    );
    this.#nextSeq = (this.#bounds.get()?.last ?? 0) + 1;
  }

  add(keys: readonly DepartedKey[]): void {
    const values: (string | number | null)[] = [];
    for (const { collection, id, deadlineAt, at, cause, revision } of keys)
      values.push(this.#nextSeq++, collection, id, deadlineAt, at, DEPARTURE_CAUSES.indexOf(cause), revision);
    this.#insert.insert(values);
  }

  /** Deletes some of the rows beyond the bounds at `now`, epoch ms. */
  prune(now: number): void {
    this.#pruneBefore.run(this.#nextSeq - MOST_KEPT, MOST_PRUNED);
    const firstAt = this.#firstAt.get();
    if (firstAt !== undefined && firstAt < now - KEEP_MS) this.#pruneOlder.run(now - KEEP_MS, MOST_PRUNED);
  }

  /** Newest first. */
  page({ collection, causes, before, limit }: DepartureQuery): DepartureRow[] {
    const numbers = causes.map(cause => DEPARTURE_CAUSES.indexOf(cause)).join(', ');
    const ofCollection = collection === null ? '' : 'AND collection = @collection';
    return this.#db
      .prepare<[object], Omit<DepartureRow, 'cause'> & { cause: number }>(
        `SELECT seq, collection, id, deadline AS deadlineAt, at, cause, revision FROM departures
         WHERE seq < @before ${ofCollection} AND cause IN (${numbers}) ORDER BY seq DESC LIMIT @limit`,
      )
      .all({ collection, before, limit })
      .map(row => ({ ...row, cause: DEPARTURE_CAUSES[row.cause] ?? 'deleted' }));
  }

  /** Discards the numbers of rows that were not committed. */
  discard(): void {
    this.#nextSeq = (this.#bounds.get()?.last ?? 0) + 1;
  }
}

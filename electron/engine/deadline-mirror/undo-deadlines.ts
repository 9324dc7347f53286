import type { Database, Statement } from 'better-sqlite3';
import type { ChangedDeadline } from '../backends/port/deadline-undo.ts';

/** Deadlines kept in total: about 100 MB. */
const MOST_KEPT = 1_000_000;
/** Rows of forgotten jobs that one call deletes; more than it adds, so that the tables shrink. */
const DELETED_A_STEP = 2_000;

interface Row {
  id: string;
  collection: string;
  before: number | null;
  after: number | null;
}

/**
 * The `undoable_jobs` and `undo_deadlines` tables: deadlines before bulk changes. Beyond the limit the oldest jobs are
 * forgotten; a job that changes more deadlines than the limit is not kept at all, since half an undo is none.
 */
export class UndoDeadlines {
  readonly #most: number;
  readonly #run: (writes: number, work: () => void) => void;
  readonly #job: Statement<[string], { number: number; keys: number; isKept: number }>;
  readonly #insertJob: Statement<[string]>;
  readonly #total: Statement<[], number>;
  readonly #oldest: Statement<[], { number: number; job: string }>;
  readonly #forget: Statement<[number]>;
  readonly #put: Statement<[number, string, string, number | null, number | null]>;
  readonly #delete: Statement<[number, string]>;
  readonly #count: Statement<[number]>;
  readonly #page: Statement<[number, string, number], Row>;
  readonly #due: Statement<[number, number, number], { collection: string; due: number }>;
  readonly #deleteForgotten: Statement<[number]>;
  readonly #deleteJobs: Statement<[]>;

  /** `run` writes in the transaction of the mirror. `most` limits the deadlines that are kept. */
  constructor(db: Database, run: (writes: number, work: () => void) => void, most = MOST_KEPT) {
    this.#run = run;
    this.#most = most;
    this.#job = db.prepare('SELECT number, keys, is_kept AS isKept FROM undoable_jobs WHERE job = ?');
    this.#insertJob = db.prepare('INSERT INTO undoable_jobs (job, keys, is_kept) VALUES (?, 0, 1)');
    this.#total = db
      .prepare<[], number>('SELECT coalesce(sum(keys), 0) FROM undoable_jobs WHERE is_kept = 1')
      .pluck();
    this.#oldest = db.prepare(
      'SELECT number, job FROM undoable_jobs WHERE is_kept = 1 ORDER BY number LIMIT 1',
    );
    this.#forget = db.prepare('UPDATE undoable_jobs SET is_kept = 0 WHERE number = ?');
    this.#put = db.prepare(
      `INSERT INTO undo_deadlines (number, id, collection, before, after) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET after = excluded.after`,
    );
    this.#delete = db.prepare('DELETE FROM undo_deadlines WHERE number = ? AND id = ?');
    this.#count = db.prepare(
      'UPDATE undoable_jobs SET keys = (SELECT count(*) FROM undo_deadlines AS d WHERE d.number = undoable_jobs.number) WHERE number = ?',
    );
    this.#page = db.prepare(
      'SELECT id, collection, before, after FROM undo_deadlines WHERE number = ? AND id > ? ORDER BY id LIMIT ?',
    );
    this.#due = db.prepare(
      `SELECT collection, count(*) AS due FROM undo_deadlines
       WHERE number = ? AND before <= ? AND (after IS NULL OR after > ?) GROUP BY collection`,
    );
    this.#deleteForgotten = db.prepare(
      `DELETE FROM undo_deadlines WHERE (number, id) IN (SELECT d.number, d.id FROM undoable_jobs AS j
       JOIN undo_deadlines AS d ON d.number = j.number WHERE j.is_kept = 0 LIMIT ?)`,
    );
    this.#deleteJobs = db.prepare(
      `DELETE FROM undoable_jobs WHERE is_kept = 0
       AND NOT EXISTS (SELECT 1 FROM undo_deadlines AS d WHERE d.number = undoable_jobs.number)`,
    );
  }

  /** Returns the number of deadlines kept for a job; 0: none. */
  kept(job: string): number {
    const found = this.#job.get(job);
    return found === undefined || found.isKept === 0 ? 0 : found.keys;
  }

  /** Keeps the deadlines that a job has changed. Of a document that it changes twice, the first one is kept. */
  keep(job: string, changed: readonly ChangedDeadline[]): void {
    this.#run(changed.length, () => {
      if (this.#job.get(job) === undefined) this.#insertJob.run(job);
      const own = this.#job.get(job);
      if (own === undefined || own.isKept === 0) return;
      for (const { id, collection, before, after } of changed)
        this.#put.run(own.number, id, collection, before, after);
      this.#count.run(own.number);
      this.#shrink();
    });
  }

  /** Number of documents of each collection that become due by an instant if the job is undone. */
  dueBy(job: string, by: number): ReadonlyMap<string, number> {
    const number = this.#keptNumber(job);
    const rows = number === null ? [] : this.#due.all(number, by, by);
    return new Map(rows.map(({ collection, due }) => [collection, due]));
  }

  page(job: string, after: string, limit: number): ChangedDeadline[] {
    const number = this.#keptNumber(job);
    return number === null ? [] : this.#page.all(number, after, limit);
  }

  /** Removes deadlines that were set back. */
  remove(job: string, ids: readonly string[]): void {
    this.#run(ids.length, () => {
      const number = this.#keptNumber(job);
      if (number === null) return;
      for (const id of ids) this.#delete.run(number, id);
      this.#count.run(number);
    });
  }

  #keptNumber(job: string): number | null {
    const found = this.#job.get(job);
    return found === undefined || found.isKept === 0 ? null : found.number;
  }

  #shrink(): void {
    for (let total = this.#total.get() ?? 0; total > this.#most; total = this.#total.get() ?? 0) {
      const oldest = this.#oldest.get();
      if (oldest === undefined) break;
      this.#forget.run(oldest.number);
    }
    this.#deleteForgotten.run(DELETED_A_STEP);
    this.#deleteJobs.run();
  }
}

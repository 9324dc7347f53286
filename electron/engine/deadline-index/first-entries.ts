import type { Database, Statement } from 'better-sqlite3';
import { COUNT_LEVELS, SECOND } from './count-levels.ts';

/** Most entries read of the second in which the first entries end. */
const MOST_READ = 10_000;

/** Finds where the first entries of an index table end, by its counts and a few entries, however many there are. */
export class FirstEntries {
  readonly #buckets: Statement<[number, number, number], [bucket: number, documents: number]>;
  readonly #nth: Statement<[number, number], number>;

  constructor(db: Database, table: number) {
    this.#buckets = db
      .prepare<[number, number, number], [number, number]>(
        `SELECT bucket, documents FROM counts_${table} WHERE level = ? AND bucket >= ? AND bucket < ? ORDER BY bucket`,
      )
      .raw();
    this.#nth = db
      .prepare<[number, number], number>(
        `SELECT reference FROM entries_${table} WHERE reference >= ? ORDER BY reference, row LIMIT 1 OFFSET ?`,
      )
      .pluck();
  }

  /**
   * Returns the greatest reference time, epoch ms, up to which at most `most` entries above the mark lie; an earlier one
   * if that would read more than ten thousand entries of its second.
   */
  throughOf(most: number, mark: number): number {
    let left = most;
    let from = mark + 1;
    let end = Number.MAX_SAFE_INTEGER;
    for (const [level, width] of [...COUNT_LEVELS.entries()].reverse()) {
      const full = this.#firstBeyond(left, level, { from: Math.floor(from / width), to: end / width });
      if (full === null) return end - 1;
      left = full.left;
      from = Math.max(from, full.bucket * width);
      end = (full.bucket + 1) * width;
    }
    return (this.#nth.get(from, Math.min(left, MOST_READ)) ?? from + SECOND) - 1;
  }

  /** Returns the first bucket in which more than `most` entries have come, and how many fit into it; null: none. */
  #firstBeyond(
    most: number,
    level: number,
    { from, to }: { from: number; to: number },
  ): { bucket: number; left: number } | null {
    let left = most;
    for (const [bucket, documents] of this.#buckets.iterate(level, from, to)) {
      if (documents > left) return { bucket, left };
      left -= documents;
    }
    return null;
  }
}

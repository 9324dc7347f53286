import { diskBytes } from '../../../files/file-system-space.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Statement } from '../file/database.ts';
import { pageSpace } from '../file/page-space.ts';

/** Removed rows take at most this part of the free space. */
const SHARE_OF_FREE = 1 / 4;
/** History of an expired interval takes at most this part of it. */
const SHARE_FOR_HISTORY = 1 / 2;
/** Interval between two measurements. */
const MEASURED_EVERY_MS = 1_000;

interface SweepBoundOptions {
  db: Database;
  /** The store's path. */
  file: string;
  clock: Pick<Clock, 'elapsed'>;
  /** Removed rows whose space is not reclaimed. */
  unswept(): number;
}

/**
 * Limits the removed rows whose space is not reclaimed, depending on the free space. While deadlines follow each other
 * without pause, rows are reclaimed only above this limit; a million unreclaimed rows have filled a disk of 2 GB [S1].
 */
export class SweepBound {
  readonly #options: SweepBoundOptions;
  readonly #documents: Statement<[], number | null>;
  #rows = Number.POSITIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(options: SweepBoundOptions) {
    this.#options = options;
    this.#documents = options.db.prepare<[], number | null>('SELECT sum(documents) FROM collections').pluck();
  }

  /**
   * Whether the history of so many more removed documents fits, which is written before their rows are freed: half of the
   * free space, at the bytes of a whole row for each.
   */
  hasRoomFor(documents: number): boolean {
    return this.#options.unswept() + documents <= (SHARE_FOR_HISTORY / SHARE_OF_FREE) * this.rows();
  }

  /** Returns the rows that the free space allows. */
  rows(): number {
    const now = this.#options.clock.elapsed();
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) {
      this.#measuredAt = now;
      this.#rows = this.#measured();
    }
    return this.#rows;
  }

  #measured(): number {
    const { db, file, unswept } = this.#options;
    const { totalBytes, freeBytes } = pageSpace(db);
    const rows = unswept() + (this.#documents.get() ?? 0);
    // Includes indexes and history: an upper estimate.
    const bytesPerRow = (totalBytes - freeBytes) / Math.max(1, rows);
    return Math.floor((SHARE_OF_FREE * (diskBytes(file).free + freeBytes)) / bytesPerRow);
  }
}

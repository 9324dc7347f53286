import { isRefusedByForeignKey } from '../batches/protected-rows.ts';

/**
 * Finds the rows that a foreign key protects: a batch that the server refuses is followed by one of half as many rows, down to a
 * single one, and each that is not refused by one of twice as many.
 */
export class Narrowing {
  #most: number | null = null;

  /** Most rows of the next batch. */
  limit(rows: number): number {
    return this.#most === null ? rows : Math.min(rows, this.#most);
  }

  /** The next batch is of one row, which has to be known by its key. */
  get isSingle(): boolean {
    return this.#most === 1;
  }

  /** Returns the result of a batch of so many rows; null: a foreign key refused it. */
  async run<Outcome>(rows: number, act: () => Promise<Outcome>): Promise<Outcome | null> {
    try {
      const outcome = await act();
      if (this.#most !== null) this.#most = this.#most > rows ? null : rows * 2;
      return outcome;
    } catch (error) {
      if (!isRefusedByForeignKey(error)) throw error;
      this.#most = Math.max(1, Math.floor(rows / 2));
      return null;
    }
  }
}

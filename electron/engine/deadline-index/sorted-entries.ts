import type { Entry } from './index-entry.ts';

/** Entries sorted at once: short enough for a step of a build. */
const RUN = 1_024;
const WIDTH = 3;

/** A sorted run: reference time, row and bytes of each entry, one after another. */
interface Run {
  readonly values: Float64Array;
  next: number;
}

/**
 * Entries in any order, given back in the order of an index table. They are sorted in short runs that are merged when
 * they are taken, so that no call takes long. 24 bytes of memory each.
 */
export class SortedEntries {
  /** Entries of the run that is not full yet. */
  #open: Entry[] = [];
  /** A heap: the run with the lowest entry first. */
  readonly #runs: Run[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    this.#open.push(entry);
    this.#size += 1;
    if (this.#open.length === RUN) this.#endRun();
  }

  /** Removes the lowest entries, at most `most`, and returns them in order. */
  take(most: number): Entry[] {
    if (this.#open.length > 0) this.#endRun();
    const taken: Entry[] = [];
    for (let [run] = this.#runs; run !== undefined && taken.length < most; [run] = this.#runs) {
      taken.push({
        reference: run.values[run.next] ?? 0,
        row: run.values[run.next + 1] ?? 0,
        bytes: run.values[run.next + 2] ?? 0,
      });
      run.next += WIDTH;
      if (run.next === run.values.length) {
        const last = this.#runs.pop();
        if (last === undefined || last === run) continue;
        this.#runs[0] = last;
      }
      this.#sink();
    }
    this.#size -= taken.length;
    return taken;
  }

  #endRun(): void {
    const entries = this.#open.sort((a, b) => a.reference - b.reference || a.row - b.row);
    this.#open = [];
    const values = new Float64Array(entries.length * WIDTH);
    for (const [i, { reference, row, bytes }] of entries.entries())
      values.set([reference, row, bytes], i * WIDTH);
    this.#runs.push({ values, next: 0 });
    for (let place = this.#runs.length - 1; place > 0; ) {
      const above = (place - 1) >> 1;
      if (!this.#isLower(place, above)) return;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Moves the first run to its place in the heap. */
  #sink(): void {
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      const right = left + 1;
      let lowest = place;
      if (left < this.#runs.length && this.#isLower(left, lowest)) lowest = left;
      if (right < this.#runs.length && this.#isLower(right, lowest)) lowest = right;
      if (lowest === place) return;
      this.#swap(place, lowest);
      place = lowest;
    }
  }

  #isLower(one: number, other: number): boolean {
    const [a, b] = [this.#runs[one], this.#runs[other]];
    if (a === undefined || b === undefined) return false;
    const byReference = (a.values[a.next] ?? 0) - (b.values[b.next] ?? 0);
    return (
      byReference < 0 || (byReference === 0 && (a.values[a.next + 1] ?? 0) < (b.values[b.next + 1] ?? 0))
    );
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#runs[one], this.#runs[other]];
    if (a === undefined || b === undefined) return;
    this.#runs[one] = b;
    this.#runs[other] = a;
  }
}

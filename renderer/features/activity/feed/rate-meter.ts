const SPAN_MS = 5_000;

/** How many a second, over the last five. */
export class RateMeter {
  #counted: { at: number; count: number }[] = [];

  /** `at`: milliseconds of a clock that only moves ahead. */
  count(count: number, at: number): void {
    this.#forget(at);
    this.#counted.push({ at, count });
  }

  perSecond(at: number): number {
    this.#forget(at);
    return Math.round(this.#counted.reduce((sum, { count }) => sum + count, 0) / (SPAN_MS / 1_000));
  }

  #forget(at: number): void {
    const first = this.#counted.findIndex(counted => counted.at > at - SPAN_MS);
    this.#counted = first === -1 ? [] : this.#counted.slice(first);
  }
}

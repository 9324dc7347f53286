const SPAN_MS = 5_000;

/** Rate per second over the last 5 s. */
export class RateMeter {
  #counted: { at: number; count: number }[] = [];

  /** `at`: monotonic time, ms. */
  count(count: number, at: number): void {
    this.#deleteOld(at);
    this.#counted.push({ at, count });
  }

  perSecond(at: number): number {
    this.#deleteOld(at);
    return Math.round(this.#counted.reduce((sum, { count }) => sum + count, 0) / (SPAN_MS / 1_000));
  }

  #deleteOld(at: number): void {
    const first = this.#counted.findIndex(counted => counted.at > at - SPAN_MS);
    this.#counted = first === -1 ? [] : this.#counted.slice(first);
  }
}

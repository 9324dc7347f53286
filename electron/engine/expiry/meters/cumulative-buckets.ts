/** Cumulative counts of values per upper bound, as Prometheus expects: exact and never decreasing [M2]. */
export class CumulativeBuckets {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #count = 0;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length);
  }

  record(value: number, times = 1): void {
    this.#count += times;
    this.#sum += value * times;
    let bound = 0;
    while (value > (this.bounds[bound] ?? Number.POSITIVE_INFINITY)) bound += 1;
    if (bound < this.bounds.length) this.#counts[bound] = (this.#counts[bound] ?? 0) + times;
  }

  get count(): number {
    return this.#count;
  }
  get sum(): number {
    return this.#sum;
  }
  /** Returns, per bound, how many values did not exceed it. */
  cumulative(): number[] {
    let sum = 0;
    return Array.from(this.#counts, count => {
      sum += count;
      return sum;
    });
  }
}

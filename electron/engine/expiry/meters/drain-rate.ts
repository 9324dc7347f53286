/**
 * Batches of which the median is taken: a batch that was delayed by the disk must not determine the rate of the whole
 * drain.
 */
const BATCHES = 15;
/** Documents of the smallest batch that counts once a larger one was measured: smaller ones may show a delay of the machine. */
const FEWEST_DOCUMENTS = 10;

export interface MeasuredBatch {
  /** Documents removed, changed or quarantined. */
  processed: number;
  /** Time that it held the writer, ms. */
  heldMs: number;
  /** True if no due document was left. */
  isDrained: boolean;
  /** Most documents that its limits allowed [R3]. */
  maxDocuments: number;
}

/** Documents per second while draining, as measured in the last batches that used their time. */
export class DrainRate {
  readonly #rates: number[] = [];
  /** Rates of batches with few documents: the only ones if each document is costly. */
  readonly #smallRates: number[] = [];

  /**
   * Adds a batch. Ignores batches that ran out of documents or reached a limit: they show the cost of a commit and not
   * the rate.
   */
  measure({ processed, heldMs, isDrained, maxDocuments }: MeasuredBatch): void {
    if (isDrained || processed >= maxDocuments || processed === 0 || heldMs <= 0) return;
    const rates = processed < FEWEST_DOCUMENTS ? this.#smallRates : this.#rates;
    rates.push((processed / heldMs) * 1000);
    if (rates.length > BATCHES) rates.shift();
  }

  /** Above 0; null if never measured. */
  get perSecond(): number | null {
    const rates = this.#rates.length > 0 ? this.#rates : this.#smallRates;
    const sorted = rates.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}

/** Batches of which the median is taken: one that met a stall of the disk must not count for the whole drain. */
const BATCHES = 15;
/** Batches of fewer documents take as long as their commit, or as the machine holds them up. */
const FEWEST_DOCUMENTS = 10;

export interface MeasuredBatch {
  /** Documents removed, changed or quarantined. */
  processed: number;
  /** Time that it held the writer, ms. */
  heldMs: number;
  /** Nothing due was left after it. */
  isDrained: boolean;
  /** Most documents that its limits allowed [R3]. */
  maxDocuments: number;
}

/** Documents per second while draining, as measured in the last batches that used their time. */
export class DrainRate {
  readonly #rates: number[] = [];

  /** A batch that ran out of documents, has few of them, or reached a limit, shows the cost of a commit and not the rate: it is not counted. */
  measure({ processed, heldMs, isDrained, maxDocuments }: MeasuredBatch): void {
    if (isDrained || processed >= maxDocuments || processed < FEWEST_DOCUMENTS || heldMs <= 0) return;
    this.#rates.push((processed / heldMs) * 1000);
    if (this.#rates.length > BATCHES) this.#rates.shift();
  }

  /** Above 0; null if never measured. */
  get perSecond(): number | null {
    const sorted = this.#rates.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}

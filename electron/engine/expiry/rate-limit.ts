/** What may gather beyond a portion, so that a timer as late as this loses nothing: 2 % of what ten seconds allow. */
const LATENESS_S = 0.2;
/** It waits for so much at once, or a fast rate would be a transaction for every document. */
const PORTION_S = 0.05;

/**
 * A token bucket: `perSecond` documents a second, evenly [R3]. Over any ten seconds it lets through what the rate says
 * within 5 %, or, of a slow one, within 2 % and one document. Time is the stopwatch's, handed in, so that neither a jump
 * of the clock nor a suspend fills it.
 */
export class RateLimit {
  readonly perSecond: number;
  readonly #most: number;
  readonly #portion: number;
  #tokens: number;
  #at: number;

  /** `perSecond` is above 0; `elapsed` in ms, as in every other call. */
  constructor(perSecond: number, elapsed: number) {
    this.perSecond = perSecond;
    this.#portion = Math.max(1, perSecond * PORTION_S);
    this.#most = this.#portion + perSecond * LATENESS_S;
    this.#tokens = this.#portion;
    this.#at = elapsed;
  }

  /** Whole documents that may be taken now; 0 until a portion of them may. */
  available(elapsed: number): number {
    this.#fill(elapsed);
    return this.#tokens >= this.#portion ? Math.floor(this.#tokens) : 0;
  }

  take(documents: number): void {
    this.#tokens -= documents;
  }

  /** Until the next portion, ms; 0: it is there. */
  waitMs(elapsed: number): number {
    this.#fill(elapsed);
    return Math.max(0, Math.ceil(((this.#portion - this.#tokens) / this.perSecond) * 1000));
  }

  #fill(elapsed: number): void {
    const passed = Math.max(0, elapsed - this.#at) / 1000;
    this.#at = Math.max(this.#at, elapsed);
    this.#tokens = Math.min(this.#most, this.#tokens + passed * this.perSecond);
  }
}

/**
 * Tokens kept in addition to a portion, in seconds of the rate, so that a timer that is late by this much loses none: 2
 * % of ten seconds.
 */
const BURST_S = 0.2;
/**
 * Smallest portion that is taken, in seconds of the rate; without it, a fast rate would need a transaction per
 * document.
 */
const PORTION_S = 0.05;

/**
 * Token bucket: `perSecond` documents a second, evenly [R3]. Over any ten seconds it admits what the rate allows within
 * 5 %, or, for a slow rate, within 2 % and one document. Time is monotonic and passed in, so that neither a jump of the
 * clock nor a suspend fills it.
 */
export class TokenBucket {
  readonly perSecond: number;
  readonly #most: number;
  readonly #portion: number;
  #tokens: number;
  #at: number;

  /** `perSecond` is above 0; `elapsed` in ms, as in every other call. */
  constructor(perSecond: number, elapsed: number) {
    this.perSecond = perSecond;
    this.#portion = Math.max(1, perSecond * PORTION_S);
    this.#most = this.#portion + perSecond * BURST_S;
    this.#tokens = this.#portion;
    this.#at = elapsed;
  }

  /** Returns the whole documents that may be taken now; 0 until a portion is available. */
  available(elapsed: number): number {
    this.#fill(elapsed);
    return this.#tokens >= this.#portion ? Math.floor(this.#tokens) : 0;
  }

  take(documents: number): void {
    this.#tokens -= documents;
  }

  /** Time until the next portion, ms; 0 if it is available. */
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

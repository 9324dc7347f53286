import type { Clock } from '../platform/clock.ts';
import { PassCaps } from './pass-caps.ts';
import type { ExpiryStore, ReapSource } from './port.ts';
import { RateLimit } from './rate-limit.ts';

export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * How much each source may take up, and from when on [R3]: its rate, its batch size, and the caps of a pass. All of them
 * are read anew before each batch, so that a change holds from the next one on.
 */
export class Allowances {
  readonly #store: ExpiryStore;
  readonly #clock: Clock;
  readonly #caps = new PassCaps();
  readonly #rates = new Map<string, RateLimit>();

  constructor(store: ExpiryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The most documents of its next batch; 0: it waits for its rate. */
  most(source: ReapSource): number {
    const rate = this.#rateOf(source);
    return Math.min(
      batchSizeOf(source),
      this.#caps.left(source, this.#store.settings()),
      rate === null ? UNLIMITED : rate.available(this.#clock.elapsed()),
    );
  }

  /** From when on it may act; epoch ms, 0: nothing stops it. */
  notBefore(source: ReapSource, now: number): number {
    const rate = this.#rateOf(source);
    const waitMs = rate === null ? 0 : rate.waitMs(this.#clock.elapsed());
    if (this.#hasCaps) this.#caps.lowered(source, this.#store.settings(), this.#store.sources(), now);
    const rest = this.#hasCaps ? this.#caps.restsUntil(source) : 0;
    return Math.max(rest > now ? rest : 0, waitMs > 0 ? now + waitMs : 0);
  }

  /** A cap has ended the pass of the source: it goes on at its next look [R3]. */
  isResting(source: ReapSource, now: number): boolean {
    return this.#hasCaps && this.#caps.restsUntil(source) > now;
  }

  took(source: ReapSource, documents: number): void {
    this.#rateOf(source)?.take(documents);
    if (this.#hasCaps)
      this.#caps.took(source, documents, this.#store.settings(), this.#store.sources(), this.#clock.now());
  }

  /** Nothing is left of what was due in its collection: the next pass counts from nothing. */
  passOver({ collectionId }: ReapSource): void {
    this.#caps.passOver(collectionId);
  }

  allPassesOver(): void {
    this.#caps.allPassesOver();
    this.#caps.forget(this.#clock.now());
    const keys = new Set(this.#store.sources().map(({ key }) => key));
    for (const key of this.#rates.keys()) if (!keys.has(key)) this.#rates.delete(key);
  }

  get #hasCaps(): boolean {
    const { mostPerPass, mostPerPassInTotal } = this.#store.settings();
    return mostPerPass > 0 || mostPerPassInTotal > 0;
  }

  #rateOf({ key, limits: { removalsPerSecond } }: ReapSource): RateLimit | null {
    if (removalsPerSecond === 0) {
      this.#rates.delete(key);
      return null;
    }
    const known = this.#rates.get(key);
    if (known?.perSecond === removalsPerSecond) return known;
    const rate = new RateLimit(removalsPerSecond, this.#clock.elapsed());
    this.#rates.set(key, rate);
    return rate;
  }
}

export function batchSizeOf({ limits: { batchSize } }: ReapSource): number {
  return batchSize === 0 ? UNLIMITED : batchSize;
}

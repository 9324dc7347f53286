import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore, ReapSource } from './expiry-store.ts';
import { type CapOptions, PassCaps } from './pass-caps.ts';
import { TokenBucket } from './token-bucket.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * How many documents each source may process, and from when [R3]: its rate, its batch size, and the caps of a pass. All
 * of them are read before each batch, so that a change applies from the next one.
 */
export class RateLimits {
  readonly #store: ExpiryStore;
  readonly #clock: Clock;
  readonly #caps = new PassCaps();
  readonly #rates = new Map<string, TokenBucket>();

  constructor(store: ExpiryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the most documents of its next batch; 0 if it waits for its rate. */
  maxDocuments(source: ReapSource): number {
    const rate = this.#rateOf(source);
    return Math.min(
      batchSizeOf(source),
      this.#caps.left(source, this.#store.settings()),
      rate === null ? UNLIMITED : rate.available(this.#clock.elapsed()),
    );
  }

  /** Returns when the source may act, epoch ms; 0 if nothing limits it. */
  notBefore(source: ReapSource, now: number): number {
    const rate = this.#rateOf(source);
    const waitMs = rate === null ? 0 : rate.waitMs(this.#clock.elapsed());
    if (this.#hasCaps) this.#caps.applyLowered(source, this.#capOptions(now));
    const blockedUntil = this.#hasCaps ? this.#caps.blockedUntil(source, now) : 0;
    return Math.max(blockedUntil > now ? blockedUntil : 0, waitMs > 0 ? now + waitMs : 0);
  }

  /** Returns whether a cap has ended the pass of the source; it continues at its next tick [R3]. */
  isCapped(source: ReapSource, now: number): boolean {
    return this.#hasCaps && this.#caps.blockedUntil(source, now) > now;
  }

  count(source: ReapSource, documents: number): void {
    this.#rateOf(source)?.take(documents);
    if (this.#hasCaps) this.#caps.count(source, documents, this.#capOptions(this.#clock.now()));
  }

  /** Called when the collection has no due documents left: its next pass counts from 0. */
  endPass({ collectionId }: ReapSource): void {
    this.#caps.endPass(collectionId);
  }

  endAllPasses(): void {
    this.#caps.endAllPasses();
    this.#caps.dropExpired(this.#clock.now());
    const keys = new Set(this.#store.sources().map(({ key }) => key));
    for (const key of this.#rates.keys()) if (!keys.has(key)) this.#rates.delete(key);
  }

  #capOptions(now: number): CapOptions {
    return { caps: this.#store.settings(), sources: this.#store.sources(), now };
  }

  get #hasCaps(): boolean {
    const { mostPerPass, mostPerPassInTotal } = this.#store.settings();
    return mostPerPass > 0 || mostPerPassInTotal > 0;
  }

  #rateOf({ key, limits: { removalsPerSecond } }: ReapSource): TokenBucket | null {
    if (removalsPerSecond === 0) {
      this.#rates.delete(key);
      return null;
    }
    const known = this.#rates.get(key);
    if (known?.perSecond === removalsPerSecond) return known;
    const rate = new TokenBucket(removalsPerSecond, this.#clock.elapsed());
    this.#rates.set(key, rate);
    return rate;
  }
}

export function batchSizeOf({ limits: { batchSize } }: ReapSource): number {
  return batchSize === 0 ? UNLIMITED : batchSize;
}

import type { ReapSettings, ReapSource } from './expiry-store.ts';
import { hasSchedule, nextTick } from './schedule/ticks.ts';

export type Caps = Pick<ReapSettings, 'mostPerPass' | 'mostPerPassInTotal'>;

export interface CapOptions {
  readonly caps: Caps;
  /** Sources that a cap may stop. */
  readonly sources: readonly ReapSource[];
  /** Epoch ms. */
  readonly now: number;
}

/** The part of an exact source that decides about its next pass. */
const EXACT = { schedule: { mode: 'exact' } } as const;

/**
 * ArangoDB's two caps [R3]. The cap of a pass stops every source of its collection, the cap of all passes every source,
 * each until its next tick; then a new pass counts from 0.
 */
export class PassCaps {
  /** Documents of the running pass, by collection. */
  readonly #processed = new Map<number, number>();
  #processedInTotal = 0;
  /** When a capped source may continue, epoch ms. */
  readonly #blockedUntil = new Map<string, number>();
  /** The same for an exact source that did not exist yet when its collection was capped; for one of any collection. */
  readonly #newBlockedUntil = new Map<number, number>();
  #allBlockedUntil = 0;

  /** Returns how many documents the source may still process. Not called while it is capped. */
  left({ collectionId }: ReapSource, caps: Caps): number {
    return Math.min(
      leftOf(caps.mostPerPass, this.#processed.get(collectionId) ?? 0),
      leftOf(caps.mostPerPassInTotal, this.#processedInTotal),
    );
  }

  /** Counts a batch, and stops the sources whose cap it reached. */
  count({ collectionId }: ReapSource, documents: number, { caps, sources, now }: CapOptions): void {
    const processed = (this.#processed.get(collectionId) ?? 0) + documents;
    this.#processed.set(collectionId, processed);
    this.#processedInTotal += documents;
    const isOver = leftOf(caps.mostPerPassInTotal, this.#processedInTotal) === 0;
    if (!isOver && leftOf(caps.mostPerPass, processed) > 0) return;
    for (const source of sources)
      if (isOver || source.collectionId === collectionId)
        this.#blockedUntil.set(source.key, nextTick(source, now));
    const resumesAt = nextTick(EXACT, now);
    if (isOver) {
      this.#allBlockedUntil = resumesAt;
      this.endAllPasses();
    } else {
      this.#newBlockedUntil.set(collectionId, resumesAt);
      this.endPass(collectionId);
    }
  }

  /** Ends the running pass if it has already processed as many documents as lowered caps allow. */
  applyLowered(source: ReapSource, options: CapOptions): void {
    if (this.left(source, options.caps) === 0) this.count(source, 0, options);
  }

  /** Returns when the source may continue, epoch ms; 0 or a time up to `now` if it is not capped. */
  blockedUntil(source: ReapSource, now: number): number {
    const until = this.#blockedUntil.get(source.key) ?? this.#blockedAsNew(source);
    if (until <= now) return until;
    const next = nextTick(source, now);
    if (next >= until) return until;
    // The clock was set back since [R10].
    this.#blockedUntil.set(source.key, next);
    return next;
  }

  /** Called when the collection has no due documents left. */
  endPass(collectionId: number): void {
    this.#processed.delete(collectionId);
  }

  endAllPasses(): void {
    this.#processed.clear();
    this.#processedInTotal = 0;
  }

  /** Removes entries that have ended. */
  dropExpired(now: number): void {
    dropUpTo(this.#blockedUntil, now);
    dropUpTo(this.#newBlockedUntil, now);
    if (this.#allBlockedUntil <= now) this.#allBlockedUntil = 0;
  }

  #blockedAsNew(source: ReapSource): number {
    if (hasSchedule(source)) return 0;
    return Math.max(this.#newBlockedUntil.get(source.collectionId) ?? 0, this.#allBlockedUntil);
  }
}

function leftOf(cap: number, processed: number): number {
  return cap === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, cap - processed);
}

function dropUpTo<Key>(blocked: Map<Key, number>, now: number): void {
  for (const [key, until] of blocked) if (until <= now) blocked.delete(key);
}

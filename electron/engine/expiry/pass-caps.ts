import type { ReapSettings, ReapSource } from './port.ts';
import { nextLook } from './schedule/ticks.ts';

export type Caps = Pick<ReapSettings, 'mostPerPass' | 'mostPerPassInTotal'>;

/**
 * ArangoDB's two caps [R3]. A pass that has reached its own stops every source of its collection, the cap of all passes
 * every source there is, each until its next look; then a new pass counts from nothing.
 */
export class PassCaps {
  /** Documents of the running pass, by collection. */
  readonly #taken = new Map<number, number>();
  #takenInTotal = 0;
  /** Until when a source rests, epoch ms. */
  readonly #rests = new Map<string, number>();

  /** How many documents the source may still take; not asked while it rests. */
  left({ collectionId }: ReapSource, caps: Caps): number {
    return Math.min(
      leftOf(caps.mostPerPass, this.#taken.get(collectionId) ?? 0),
      leftOf(caps.mostPerPassInTotal, this.#takenInTotal),
    );
  }

  /** Counts a batch; the sources among `all` that a cap stops from here on. */
  took({ collectionId }: ReapSource, documents: number, caps: Caps, all: readonly ReapSource[], now: number) {
    const taken = (this.#taken.get(collectionId) ?? 0) + documents;
    this.#taken.set(collectionId, taken);
    this.#takenInTotal += documents;
    const isOver = leftOf(caps.mostPerPassInTotal, this.#takenInTotal) === 0;
    if (!isOver && leftOf(caps.mostPerPass, taken) > 0) return;
    for (const source of all)
      if (isOver || source.collectionId === collectionId) this.#rests.set(source.key, nextLook(source, now));
    if (isOver) this.allPassesOver();
    else this.passOver(collectionId);
  }

  /** Caps that were lowered to what the running pass has taken, or below, stop it as its last batch would have. */
  lowered(source: ReapSource, caps: Caps, all: readonly ReapSource[], now: number): void {
    if (this.left(source, caps) === 0) this.took(source, 0, caps, all, now);
  }

  /** The instant from which it may act; 0: it does not rest. */
  restsUntil({ key }: ReapSource): number {
    return this.#rests.get(key) ?? 0;
  }

  /** Nothing is left of what was due in the collection. */
  passOver(collectionId: number): void {
    this.#taken.delete(collectionId);
  }

  allPassesOver(): void {
    this.#taken.clear();
    this.#takenInTotal = 0;
  }

  /** Rests that are over need no memory. */
  forget(now: number): void {
    for (const [key, until] of this.#rests) if (until <= now) this.#rests.delete(key);
  }
}

function leftOf(cap: number, taken: number): number {
  return cap === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, cap - taken);
}

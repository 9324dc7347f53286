import { LagMeter } from './lag.ts';
import type { BatchResult } from './port.ts';
import { RateMeter } from './rate.ts';

/** What is measured of a store, and of each of its collections [M1]. */
export interface Meters {
  readonly lag: LagMeter;
  /** How long batches held the writer. */
  readonly batchMs: LagMeter;
  readonly removed: RateMeter;
  readonly written: RateMeter;
}

export class MeterBook {
  readonly store = newMeters();
  readonly #collections = new Map<string, Meters>();

  of(collection: string): Meters {
    let meters = this.#collections.get(collection);
    if (meters === undefined) {
      meters = newMeters();
      this.#collections.set(collection, meters);
    }
    return meters;
  }

  batch(collection: string, { removed, lagsMs, heldMs }: BatchResult, now: number): void {
    if (removed === 0) return;
    for (const meters of [this.store, this.of(collection)]) {
      meters.lag.record(lagsMs, now);
      meters.batchMs.record([heldMs], now);
      meters.removed.add(removed, now);
    }
  }

  written(collection: string, documents: number, now: number): void {
    this.store.written.add(documents, now);
    this.of(collection).written.add(documents, now);
  }

  /** A collection that is made again under the same name is another one. */
  forget(collection: string): void {
    this.#collections.delete(collection);
  }
}

function newMeters(): Meters {
  return { lag: new LagMeter(), batchMs: new LagMeter(), removed: new RateMeter(), written: new RateMeter() };
}

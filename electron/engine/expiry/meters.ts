import type { BatchResult } from './expiry-store.ts';
import { LagMeter } from './meters/lag-meter.ts';
import { MinuteCounter } from './meters/minute-counter.ts';
import { RateMeter } from './meters/rate-meter.ts';
import { PassTally } from './pass-tally.ts';

const LAG = {
  resolutionMs: 1,
  boundsMs: [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 600_000, 3_600_000,
    86_400_000,
  ],
};
const BATCH = { resolutionMs: 0.01, boundsMs: [0.5, 1, 1.5, 2, 4, 8, 16, 32, 64, 128, 256, 1_000] };

/** Measurements of a store or of one of its collections [M1]. */
export interface Meters {
  readonly lag: LagMeter;
  /** Time that batches held the writer. */
  readonly batchMs: LagMeter;
  readonly removed: RateMeter;
  readonly written: RateMeter;
  readonly counts: MinuteCounter;
}

export class MeterRegistry {
  readonly store = newMeters();
  readonly passes = new PassTally();
  readonly #collections = new Map<string, Meters>();

  of(collection: string): Meters {
    let meters = this.#collections.get(collection);
    if (meters === undefined) {
      meters = newMeters();
      this.#collections.set(collection, meters);
    }
    return meters;
  }

  batch(
    collection: string,
    { removed, changed, quarantined, lagsMs, removalsPerLag, lagGroups = [], heldMs }: BatchResult,
    now: number,
  ): void {
    if (removed + changed + quarantined === 0) return;
    for (const meters of [this.store, this.of(collection)]) {
      meters.lag.record(lagsMs, now, removalsPerLag);
      for (const { lagMs, documents } of lagGroups) meters.lag.record([lagMs], now, documents);
      meters.batchMs.record([heldMs], now);
      meters.removed.add(removed, now);
      meters.counts.add('removed', removed, now);
      meters.counts.add('changed', changed, now);
      meters.counts.add('quarantined', quarantined, now);
    }
  }

  /** Counts keys that a remote engine has expired by itself; `lagsMs` are the measured lags of some of them. */
  removed(collection: string, documents: number, lagsMs: readonly number[], now: number): void {
    for (const meters of [this.store, this.of(collection)]) {
      meters.lag.record(lagsMs, now);
      meters.removed.add(documents, now);
      meters.counts.add('removed', documents, now);
    }
  }

  /** Counts the documents that a commit wrote. */
  committed(changes: readonly { kind: string; collection: string }[], now: number): void {
    // Once for each run of changes in one collection: a batch has a thousand.
    let collection: string | null = null;
    let documents = 0;
    for (const change of changes) {
      if (change.kind !== 'insert' && change.kind !== 'update') continue;
      if (change.collection !== collection) {
        if (collection !== null) this.written(collection, documents, now);
        collection = change.collection;
        documents = 0;
      }
      documents += 1;
    }
    if (collection !== null) this.written(collection, documents, now);
  }

  written(collection: string, documents: number, now: number): void {
    for (const meters of [this.store, this.of(collection)]) {
      meters.written.add(documents, now);
      meters.counts.add('written', documents, now);
    }
  }

  /** Removes the meters of a dropped collection, so that a new one of the same name starts at 0. */
  delete(collection: string): void {
    this.#collections.delete(collection);
    this.passes.delete(collection);
  }
}

function newMeters(): Meters {
  return {
    lag: new LagMeter(LAG),
    batchMs: new LagMeter(BATCH),
    removed: new RateMeter(),
    written: new RateMeter(),
    counts: new MinuteCounter(),
  };
}

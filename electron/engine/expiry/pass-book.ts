import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore, PassRecord, PassTrigger } from './port.ts';

/** Busy periods of one collection less than this apart are one row [R7]. */
const ONE_ROW_MS = 60_000;

/** The open pass of each collection: one row per busy period, at most one a minute. */
export class PassBook {
  readonly #store: ExpiryStore;
  readonly #clock: Clock;
  readonly #open = new Map<string, PassRecord>();

  constructor(store: ExpiryStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  of(collection: string, trigger: PassTrigger): PassRecord {
    const now = this.#clock.now();
    const open = this.#open.get(collection);
    if (open !== undefined && now - open.startedAt < ONE_ROW_MS) {
      if (trigger === 'manual') open.trigger = trigger;
      return open;
    }
    const pass: PassRecord = {
      id: this.#store.nextPassId(),
      collection,
      startedAt: now,
      trigger,
      endedAt: now,
      cutoff: now,
      removed: 0,
      bySource: new Map(),
      batches: 0,
      longestBatchMs: 0,
      ending: 'stopped',
      error: null,
    };
    this.#open.set(collection, pass);
    return pass;
  }

  /** The passes that were open ended in an error. */
  fail(message: string): void {
    for (const pass of this.#open.values()) {
      pass.ending = 'error';
      pass.error = message;
    }
    try {
      for (const pass of this.#open.values()) this.#store.writePass(pass);
    } catch {
      // The store that just failed a batch may fail this too; the reaper has said so and will be back.
    }
    this.#open.clear();
  }
}

import type { Clock } from '../platform/clock.ts';
import type { PassTally } from './pass-tally.ts';
import type { ExpiryStore, PassEnding, PassRecord, PassTrigger, ReapSource } from './port.ts';

/** Busy periods of one collection less than this apart are one row [R7]. */
const ONE_ROW_MS = 60_000;

/** The open pass of each collection: one row per busy period, at most one a minute. */
export class PassBook {
  readonly #store: ExpiryStore;
  readonly #clock: Clock;
  readonly #open = new Map<number, PassRecord>();
  readonly #tally: PassTally;
  #last: PassRecord | null = null;

  constructor(store: ExpiryStore, clock: Clock, tally: PassTally) {
    this.#store = store;
    this.#clock = clock;
    this.#tally = tally;
  }

  of({ collection, collectionId }: ReapSource, trigger: PassTrigger): PassRecord {
    const now = this.#clock.now();
    const open = this.#open.get(collectionId);
    if (open !== undefined && now - open.startedAt < ONE_ROW_MS) {
      if (trigger === 'manual') open.trigger = trigger;
      this.#last = open;
      return open;
    }
    const pass = newPass({ id: this.#store.nextPassId(), collection, trigger, at: now });
    this.#open.set(collectionId, pass);
    this.#tally.begun(pass);
    this.#last = pass;
    return pass;
  }

  /** The open pass of the source's collection ended so, and not with its last batch. */
  end({ collectionId }: ReapSource, ending: PassEnding): void {
    const pass = this.#open.get(collectionId);
    if (pass === undefined || pass.ending === ending) return;
    pass.ending = ending;
    this.#store.writePass(pass);
  }

  /** The pass that worked last, and those that were not done, ended in an error. */
  fail(message: string): void {
    const failed = [...this.#open].filter(([, pass]) => pass === this.#last || pass.ending === 'stopped');
    for (const [collectionId, pass] of failed) {
      pass.ending = 'error';
      pass.error = message;
      this.#open.delete(collectionId);
    }
    try {
      for (const [, pass] of failed) this.#store.writePass(pass);
    } catch {
      // The store that just failed a batch may fail this too; the reaper has said so and will be back.
    }
  }
}

/** A pass that begins at `at`, epoch ms. */
export function newPass({
  id,
  collection,
  trigger,
  at,
}: {
  id: number;
  collection: string;
  trigger: PassTrigger;
  at: number;
}): PassRecord {
  return {
    id,
    collection,
    startedAt: at,
    trigger,
    endedAt: at,
    cutoff: at,
    removed: 0,
    changed: 0,
    quarantined: 0,
    bySource: new Map(),
    batches: 0,
    longestBatchMs: 0,
    ending: 'stopped',
    error: null,
  };
}

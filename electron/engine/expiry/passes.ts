import type { Clock } from '../platform/clock.ts';
import type { ExpiryStore, PassEnding, PassRecord, PassTrigger, ReapSource } from './expiry-store.ts';
import type { PassTally } from './pass-tally.ts';

/** Busy periods of one collection closer together than this share a row, ms [R7]. */
const ONE_ROW_MS = 60_000;

/** The open pass of each collection: one row per busy period, at most one a minute. */
export class Passes {
  readonly #store: ExpiryStore;
  readonly #clock: Clock;
  readonly #open = new Map<number, PassRecord>();
  readonly #tally: PassTally;

  constructor(store: ExpiryStore, clock: Clock, tally: PassTally) {
    this.#store = store;
    this.#clock = clock;
    this.#tally = tally;
  }

  /** Returns the pass of the source's next batch, which is `stopped` until the batch says otherwise. */
  begin({ collection, collectionId }: ReapSource, trigger: PassTrigger): PassRecord {
    const now = this.#clock.now();
    const open = this.#open.get(collectionId);
    if (open !== undefined && now - open.startedAt < ONE_ROW_MS) {
      if (trigger === 'manual') open.trigger = trigger;
      open.ending = 'stopped';
      return open;
    }
    const pass = newPass({ id: this.#store.nextPassId(), collection, trigger, at: now });
    this.#open.set(collectionId, pass);
    this.#tally.begun(pass);
    return pass;
  }

  /** Returns the pass of the source's last batch; undefined if none is open. */
  of({ collectionId }: ReapSource): PassRecord | undefined {
    return this.#open.get(collectionId);
  }

  /** Sets the ending of the source's open pass, if it differs from that of its last batch. */
  end({ collectionId }: ReapSource, ending: PassEnding): void {
    const pass = this.#open.get(collectionId);
    if (pass === undefined || pass.ending === ending) return;
    pass.ending = ending;
    this.#store.writePass(pass);
  }

  /** Ends the unfinished pass of one collection with an error; without a collection, all unfinished passes. */
  fail(message: string, collection: number | null = null): void {
    const failed = [...this.#open].filter(
      ([id, { ending }]) => ending === 'stopped' && (collection === null || id === collection),
    );
    for (const [collectionId, pass] of failed) {
      pass.ending = 'error';
      pass.error = message;
      this.#open.delete(collectionId);
    }
    try {
      for (const [, pass] of failed) this.#store.writePass(pass);
    } catch {
      // If the store has failed, this write may fail too. The reaper has logged the first error and retries.
    }
  }
}

/**
 * A pass that begins at `at`, epoch ms.
 * @internal
 */
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

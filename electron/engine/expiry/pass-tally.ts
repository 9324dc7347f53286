import type { PassEnding, PassRecord } from './expiry-store.ts';

/** Idle time after which a pass is final, ms: the next busy period is another pass [R7]. */
const FINAL_AFTER_MS = 60_000;

export type PassCounts = Partial<Record<PassEnding, number>>;

/**
 * Counts passes since the store was opened, by ending [M1]. A pass that has ended may continue within its minute and
 * end in another way. It is final, and counted, when the next pass of its collection begins or a minute after its last
 * batch.
 */
export class PassTally {
  readonly #open = new Map<string, PassRecord>();
  readonly #over = new Map<string, PassCounts>();
  readonly #overInStore: PassCounts = {};

  begun(pass: PassRecord): void {
    this.#end(pass.collection);
    this.#open.set(pass.collection, pass);
  }

  /** Returns the counts of final passes, which never decrease; of one collection or, with null, of all. */
  over(collection: string | null, now: number): PassCounts {
    for (const pass of this.#open.values())
      if (now - pass.endedAt >= FINAL_AFTER_MS && pass.ending !== 'stopped') this.#end(pass.collection);
    return { ...(collection === null ? this.#overInStore : this.#over.get(collection)) };
  }

  /** Returns the same, plus the open passes with their present ending. */
  soFar(collection: string | null, now: number): PassCounts {
    const counts = this.over(collection, now);
    for (const pass of this.#open.values())
      if ((collection === null || pass.collection === collection) && hasBegun(pass))
        count(counts, pass.ending);
    return counts;
  }

  /** Removes a dropped collection; its passes stay in the counts of the store. */
  delete(collection: string): void {
    this.#open.delete(collection);
    this.#over.delete(collection);
  }

  #end(collection: string): void {
    const pass = this.#open.get(collection);
    this.#open.delete(collection);
    if (pass === undefined || !hasBegun(pass)) return;
    const counts = this.#over.get(collection) ?? {};
    this.#over.set(collection, counts);
    count(counts, pass.ending);
    count(this.#overInStore, pass.ending);
  }
}

/** Returns false for a pass without due documents: it has no row in the history and is not counted. */
function hasBegun({ batches, ending }: PassRecord): boolean {
  return batches > 0 || ending === 'error';
}

function count(counts: PassCounts, ending: PassEnding): void {
  counts[ending] = (counts[ending] ?? 0) + 1;
}

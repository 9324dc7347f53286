import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import type { ReapSource } from '../../../electron/engine/expiry/expiry-store.ts';
import { HOUR } from '../../support/engine.ts';

/** Longest time between two ticks of a crontab line that a history has: a day on which the clocks go back. */
export const LONGEST_SCHEDULE_MS = 25 * HOUR;

type Backend = EmbeddedEngine['backend'];

/**
 * Since when each index, and the explicit expirations of each collection, have had documents that were due at one instant. The
 * deadlines of the documents do not tell this: one that its index has quarantined is due again as soon as another index
 * patches it, and waits for the next tick from then on [A5, R1].
 */
export class DueSince {
  readonly #backend: Backend;
  readonly #at: number;
  /** Epoch ms, by collection and index. */
  readonly #since = new Map<string, number>();
  readonly #stopListening: () => void;

  /** `at`: epoch ms, `now` the trusted time. */
  constructor(backend: Backend, at: number, now: () => number) {
    this.#backend = backend;
    this.#at = at;
    this.#note(now());
    this.#stopListening = backend.onCommit(() => this.#note(now()));
  }

  /** Returns whether these documents are due, and no tick has come since they are. */
  waitsForTick(collection: string, index: string, now: number): boolean {
    const since = this.#since.get(keyOf({ collection, index }));
    const source = this.#backend.expiry
      .sources()
      .find(one => one.collection === collection && one.index === index);
    return since !== undefined && source !== undefined && now - since < longestIntervalMs(source);
  }

  stop(): void {
    this.#stopListening();
  }

  #note(now: number): void {
    const { expiry } = this.#backend;
    for (const source of expiry.sources()) {
      const key = keyOf(source);
      if (expiry.due(source, this.#at) === 0) this.#since.delete(key);
      else if (!this.#since.has(key)) this.#since.set(key, now);
    }
  }
}

function longestIntervalMs({ schedule }: ReapSource): number {
  switch (schedule.mode) {
    case 'every':
      return schedule.everyMs;
    case 'cron':
      return LONGEST_SCHEDULE_MS;
    case 'exact':
    case 'observe':
      return 0;
  }
}

function keyOf({ collection, index }: Pick<ReapSource, 'collection' | 'index'>): string {
  return `${collection}/${index}`;
}

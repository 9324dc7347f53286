import type { Commit } from '../backends/backend.ts';

/** What has changed since it was last taken. */
export interface Changed {
  collections: Set<string>;
  hasNews: boolean;
}

export interface Subscription {
  /** Resolves when something has changed, at once if it has already. */
  changed(): Promise<void>;
  take(): Changed;
  close(): void;
}

/**
 * Tells windows that something changed, without queueing: a slow window takes everything at once later, so no burst
 * can fill the memory [V2: told after the commit].
 */
export class ChangeFeed {
  readonly #subscribers = new Set<(collections: Iterable<string>) => void>();

  committed(commit: Commit): void {
    for (const tell of this.#subscribers) tell(commit.collections);
  }

  /** Something that is in no collection changed: the reaper's state, a job. */
  touched(): void {
    for (const tell of this.#subscribers) tell([]);
  }

  subscribe(): Subscription {
    let pending: Changed = { collections: new Set(), hasNews: false };
    let wake: (() => void) | null = null;
    const tell = (collections: Iterable<string>) => {
      for (const name of collections) pending.collections.add(name);
      pending.hasNews = true;
      wake?.();
      wake = null;
    };
    this.#subscribers.add(tell);
    return {
      changed: () =>
        pending.hasNews
          ? Promise.resolve()
          : new Promise(resolve => {
              wake = resolve;
            }),
      take() {
        const taken = pending;
        pending = { collections: new Set(), hasNews: false };
        return taken;
      },
      close: () => this.#subscribers.delete(tell),
    };
  }
}

import type { Commit } from '../backends/backend.ts';

/** Changes since the last call of `take`. */
export interface Changed {
  collections: Set<string>;
  hasNews: boolean;
}

export interface Subscription {
  /** Resolves at the next change, at once if there is one already. */
  changed(): Promise<void>;
  take(): Changed;
  close(): void;
}

/**
 * Notifies windows of changes without a queue: a slow window receives all changes at once later, so that a burst
 * cannot fill the memory [V2: after the commit].
 */
export class ChangeFeed {
  readonly #subscribers = new Set<(collections: Iterable<string>) => void>();

  committed(commit: Commit): void {
    for (const notify of this.#subscribers) notify(commit.collections);
  }

  /** Marks a change that belongs to no collection: the reaper's state, a job. */
  touched(): void {
    for (const notify of this.#subscribers) notify([]);
  }

  subscribe(): Subscription {
    let pending: Changed = { collections: new Set(), hasNews: false };
    let wake: (() => void) | null = null;
    const notify = (collections: Iterable<string>) => {
      for (const name of collections) pending.collections.add(name);
      pending.hasNews = true;
      wake?.();
      wake = null;
    };
    this.#subscribers.add(notify);
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
      close: () => this.#subscribers.delete(notify),
    };
  }
}

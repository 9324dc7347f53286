import type { Clock } from '../../platform/clock.ts';
import type { Commit } from '../backend.ts';

/** Numbers the changes of a database that Sandglass has noticed, and reports each to its listeners. */
export class CommitFeed {
  readonly #clock: Clock;
  readonly #onListenerError: ((error: unknown) => void) | undefined;
  readonly #listeners = new Set<(commit: Commit) => void>();
  #revision = 0;

  constructor(clock: Clock, onListenerError: ((error: unknown) => void) | undefined) {
    this.#clock = clock;
    this.#onListenerError = onListenerError;
  }

  get revision(): number {
    return this.#revision;
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(collections: ReadonlySet<string>): void {
    this.#revision++;
    const commit: Commit = { revision: this.#revision, at: this.#clock.now(), collections, changes: [] };
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        this.#onListenerError?.(error);
      }
    }
  }
}

import type { Database } from 'better-sqlite3';
import type { MirrorState } from '../../../shared/contract/capabilities.ts';
import type { Commit } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import type { MirroredCollections } from './collections-table.ts';
import type { DeadlineEntries } from './deadline-entries.ts';
import { DelayedCommits } from './delayed-commits.ts';
import type { MirroredKeys } from './keys-table.ts';
import type { MirrorHistory } from './mirror-history.ts';
import type { MirrorValues } from './mirror-values.ts';
import type { MirrorWriting } from './mirror-writing.ts';

/** A scan commits this seldom: if it is interrupted, the next one reads every key again. */
const COMMIT_SCAN_AFTER_MS = 3_000;

export interface MirrorRevisionsOptions {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now' | 'setTimer'>;
  readonly log: Logger;
  readonly values: MirrorValues;
  readonly keys: MirroredKeys;
  readonly entries: DeadlineEntries;
  readonly collections: MirroredCollections;
  readonly history: MirrorHistory;
}

/**
 * Revisions of a mirror: each change of its keys is one, and its commit is passed to the listeners. The file is written
 * later; if that fails, the changes since are lost, and the mirror becomes stale.
 */
export class MirrorRevisions {
  state: MirrorState;
  readonly #options: MirrorRevisionsOptions;
  readonly #commits: DelayedCommits;
  readonly #listeners = new Set<(commit: Commit) => void>();
  #latest: number;

  constructor(options: MirrorRevisionsOptions) {
    const { db, clock, log, values } = options;
    this.#options = options;
    this.#commits = new DelayedCommits(db, clock, error => {
      log.error('changes of a mirror could not be written; it is scanned again', errorFields(error));
      this.#discard();
    });
    this.#latest = values.get('revision') ?? 0;
    this.state = {
      is: 'stale',
      since: values.get('changedAt') ?? clock.now(),
      reason: values.get('scan') === null ? 'It has not been scanned yet.' : 'Sandglass was not connected.',
    };
  }

  /** Number of changes since the file was created. */
  get latest(): number {
    return this.#latest;
  }

  /** Calls `listener` after each change. Returns the function that unsubscribes. */
  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs `work`, which writes about `writes` rows; it is a revision if it has changed a collection. If it throws, changes
   * of earlier calls may be lost too, and the mirror becomes stale.
   */
  change(writes: number, work: (writing: MirrorWriting) => void): void {
    const { clock, values, keys, entries, collections } = this.#options;
    const writing: MirrorWriting = {
      revision: this.#latest + 1,
      now: clock.now(),
      isScanning: this.state.is === 'scanning',
      collections: new Set(),
      changes: [],
    };
    const store = () => {
      work(writing);
      keys.flush();
      entries.flush();
      collections.flush();
      if (writing.collections.size === 0) return;
      values.set('revision', writing.revision);
      values.set('changedAt', writing.now);
    };
    try {
      this.#commits.run(writes, store, writing.isScanning ? COMMIT_SCAN_AFTER_MS : undefined);
    } catch (error) {
      this.#discard();
      throw error;
    }
    if (writing.collections.size === 0) return;
    const { revision, now: at, changes } = writing;
    this.#latest = revision;
    for (const listener of this.#listeners)
      listener({ revision, at, collections: writing.collections, changes });
  }

  /** Runs `work`, which writes about `writes` rows and changes no key. */
  keep(writes: number, work: () => void): void {
    this.#commits.run(writes, work);
  }

  /** All changes so far are durable on return. */
  commit(): void {
    this.#commits.commit();
  }

  /** Discards changes that were rolled back. */
  #discard(): void {
    const { clock, keys, entries, collections, history } = this.#options;
    keys.discard();
    entries.discard();
    history.departures.discard();
    collections.reload();
    const reason = 'Changes could not be written to the file of the mirror.';
    this.state = { is: 'stale', since: clock.now(), reason };
  }
}

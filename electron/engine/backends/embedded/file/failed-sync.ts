import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { SandglassError } from '../../../../../shared/model/errors.ts';
import { isFailedSync, syncFailed } from '../../../files/sync-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { entryUrl } from '../../../platform/entry-url.ts';
import { deserializeError, type SerializedError } from '../../../protocol/thread-messages.ts';
import type { SyncFailure } from '../../backend.ts';
import { readLogHead } from './copy-after-failed-sync.ts';
import { type Database, openForReading } from './database.ts';
import { type SyncMark, writeSyncMark } from './sync-mark.ts';

export type FromRecovery = { is: 'copied' } | { is: 'failed'; error: SerializedError };

/** Interval between two attempts to copy the store, ms: each may write all of it. */
const RETRY_MS = 30_000;

export interface FailedSyncOptions {
  /** The store's real path. */
  file: string;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  /** The last acknowledged revision, and the frames of the log that belong to acknowledged commits. */
  acknowledged(): { revision: number; frames: number };
  /** The copy is complete: the engine has to be opened again, which puts it in the store's place. */
  onCopied(): void;
}

/**
 * The state after a failed sync of the store's file or log [S5]: every write is refused until the store was copied into new,
 * synced files. Trying the sync again would prove nothing: the system reports a lost page once.
 */
export class FailedSync {
  readonly #options: FailedSyncOptions;
  readonly #listeners = new Set<() => void>();
  #failure: SyncFailure | null = null;
  /** A descriptor of the store's file; closed with the store. */
  #source: number | null = null;
  #worker: Worker | null = null;
  #cancelRetry: () => void = () => {};
  #releaseLog: () => void = () => {};
  #isClosed = false;

  constructor(options: FailedSyncOptions) {
    this.#options = options;
  }

  get failure(): SyncFailure | null {
    return this.#failure;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws SYNC_FAILED while writes are refused. */
  refuse(): void {
    if (this.#failure !== null) throw this.#error(false);
  }

  /** Returns SYNC_FAILED for the error of a failed sync, and refuses writes from then on; any other error as it is. */
  explain(error: unknown): unknown {
    if (!isFailedSync(error)) return error;
    if (this.#failure === null && !this.#isClosed) this.#fail();
    return this.#error(true);
  }

  /**
   * To be called before the connections are closed: after a failed sync the last one to close must not move the log into
   * the file and delete it. `end` is called after them.
   */
  close(): { end(): void } {
    this.#isClosed = true;
    this.#cancelRetry();
    if (this.#failure !== null) this.#releaseLog = keepLog(this.#options.file);
    return {
      end: () => {
        this.#releaseLog();
        if (this.#source !== null) closeSync(this.#source);
        this.#source = null;
      },
    };
  }

  /** Resolves when no copy is being made. */
  async ended(): Promise<void> {
    await this.#worker?.terminate();
  }

  #fail(): void {
    const { file, clock } = this.#options;
    const mark = this.#mark();
    this.#set({ since: mark.at, problem: null });
    try {
      writeSyncMark(file, mark);
    } catch (error) {
      // The thread tries again; until then only this process knows.
      this.#set({ since: mark.at, problem: messageOf(error) });
    }
    // The caller gets its answer first.
    this.#cancelRetry = clock.setTimer(0, () => this.#copy(mark));
  }

  #mark(): SyncMark {
    const { file, clock, acknowledged } = this.#options;
    const { revision, frames } = acknowledged();
    const at = clock.now();
    try {
      return { at, revision, log: { head: readLogHead(file).toString('hex'), frames }, isCopied: false };
    } catch {
      // Without its header the log is copied whole: it may then hold the commit that is in doubt.
      return { at, revision, log: null, isCopied: false };
    }
  }

  #copy(mark: SyncMark): void {
    const { file, onCopied } = this.#options;
    try {
      this.#source ??= openSync(file, 'r');
    } catch (error) {
      this.#retryLater(mark, error);
      return;
    }
    const workerData = { file, source: this.#source, mark };
    const worker = new Worker(entryUrl('./recovery-thread.ts', import.meta.url), { workerData });
    this.#worker = worker;
    const failed = (error: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#retryLater(mark, error);
    };
    worker.on('message', (message: FromRecovery) => {
      if (message.is === 'failed') return failed(deserializeError(message.error));
      this.#worker = null;
      if (!this.#isClosed) onCopied();
    });
    worker.on('error', failed);
    worker.on('exit', code => failed(new Error(`the thread that copies the store ended with code ${code}`)));
  }

  #retryLater(mark: SyncMark, error: unknown): void {
    if (this.#isClosed) return;
    this.#set({ since: mark.at, problem: messageOf(error) });
    this.#cancelRetry = this.#options.clock.setTimer(RETRY_MS, () => this.#copy(mark));
  }

  #set(failure: SyncFailure): void {
    this.#failure = failure;
    for (const listener of this.#listeners) listener();
  }

  #error(isInDoubt: boolean): SandglassError {
    const { file } = this.#options;
    return syncFailed(file, { isInDoubt, problem: this.#failure?.problem ?? null });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Holds a connection that cannot write: as long as it is open, no other one deletes the log when it closes. */
function keepLog(file: string): () => void {
  let db: Database;
  try {
    db = openForReading(file);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch {
    // The file is gone or unreadable: there is no log to keep.
    return () => {};
  }
  return () => db.close();
}

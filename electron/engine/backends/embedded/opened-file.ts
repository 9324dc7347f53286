import { SandglassError } from '../../../../shared/model/errors.ts';
import type { StaleEntries } from '../../expiry/expiry-store.ts';
import { isOutOfSpace } from '../../files/file-system-space.ts';
import type { Endpoint } from '../../files/owner-file.ts';
import { deleteReserve } from '../../files/reserve-file.ts';
import { isFailedSync } from '../../files/sync-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { Checkpoints } from './file/checkpoints.ts';
import { removeCompactCopy } from './file/compact.ts';
import { type Database, openForWriting, openWithoutWriting, removeEmptyLog } from './file/database.ts';
import { FailedSync } from './file/failed-sync.ts';
import { FullDiskGuard } from './file/full-disk-guard.ts';
import { movedFileCheck } from './file/moved-file.ts';
import { growthOfFile, pageSpace } from './file/page-space.ts';
import { Writer } from './write/writer.ts';

export interface StoreOptions {
  file: string;
  clock: Clock;
  /** Reads run on a thread of their own (default) or on the calling one. */
  reads?: 'thread' | 'inline';
  /** The same for checkpoints; by default as `reads`. */
  checkpoints?: 'thread' | 'inline';
  /** Bytes kept allocated beside the store for a full disk; by default none [S1]. */
  reserveBytes?: number;
  onThreadDeath?: (error: Error) => void;
  /** Receives the error of a listener for commits; the commit itself is durable and has succeeded. */
  onListenerError?: (error: unknown) => void;
  /** Receives the entries of an expired interval that disagreed with their documents [A6]. */
  onStaleEntries?: (stale: StaleEntries) => void;
  /** Address given to other processes that find the store in use. */
  endpoint?: Endpoint;
  /** Address of the leader that the store mirrors: changes come from it only [V5]. */
  leader?: string;
  /** The file was open until now: if it is missing, it is not created, and opening throws STORE_UNREADABLE. */
  mustExist?: boolean;
  /** From so many due documents on, an index removes them at once (interval-removal.ts); null: never. */
  intervalFrom?: number | null;
  /** The file is not changed: writing calls are refused with READ_ONLY [P2]. */
  readOnly?: boolean;
}

/** The file of an open store: its writing connection, and what watches its log, its syncs and its disk. */
export class OpenedFile {
  readonly db: Database;
  readonly disk: FullDiskGuard;
  readonly writer: Writer;
  readonly #file: string;
  readonly #sync: FailedSync;
  /** Null: SQLite's own, on this thread. */
  readonly checkpoints: Checkpoints | null;

  /** Throws like `openForWriting` and `openWithoutWriting`. */
  constructor({
    file,
    clock,
    reads = 'thread',
    checkpoints = reads,
    reserveBytes = 0,
    onThreadDeath = () => {},
    onListenerError,
    mustExist = false,
    readOnly = false,
  }: StoreOptions) {
    const db = readOnly ? openWithoutWriting(file) : openWithReserve(file, mustExist);
    this.#file = file;
    this.db = db;
    if (!readOnly) removeCompactCopy(file);
    const logState = db.prepare<[], [number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#sync = new FailedSync({
      file,
      clock,
      acknowledged: () => ({ revision: this.writer.revision, frames: logState.get()?.[1] ?? 0 }),
      onCopied: () =>
        onThreadDeath(new Error('the store was copied after a failed sync: it is opened again')),
    });
    this.disk = new FullDiskGuard({
      file,
      clock,
      sync: this.#sync,
      refuseIfMoved: movedFileCheck(file),
      reserveBytes: readOnly ? 0 : reserveBytes,
      freeInFile: () => pageSpace(db).freeBytes,
      growth: () => growthOfFile(db, file),
      relieve: () => this.checkpoints?.relieve(),
    });
    this.checkpoints =
      readOnly || checkpoints === 'inline'
        ? null
        : new Checkpoints(db, { file, clock, disk: this.disk, onDeath: onThreadDeath });
    this.writer = new Writer(db, clock, {
      onWritten: () => this.checkpoints?.committed(),
      onListenerError,
      disk: this.disk,
    });
    if (readOnly) this.writer.guard.makeReadOnly(() => readOnlyStore(file));
  }

  /**
   * Closes the file after `error` has stopped the opening of its store. A sync that failed meanwhile is marked, so that
   * the next opening copies the store first [S5]. Returns the error to throw.
   */
  abandon(error: unknown): unknown {
    const explained = isFailedSync(error) ? this.#sync.explain(error) : error;
    const sync = this.#sync.close();
    this.db.close();
    sync.end();
    return explained;
  }

  /** Closes the file; `closeReaders` closes the other connections to it. */
  async close(closeReaders: () => Promise<void>): Promise<void> {
    await this.checkpoints?.finish();
    await this.#sync.ended();
    const sync = this.#sync.close();
    await closeReaders();
    const { readonly } = this.db;
    this.writer.close();
    await this.checkpoints?.close();
    sync.end();
    if (readonly) removeEmptyLog(this.#file);
  }
}

/** On a full disk, deletes the reserve for the space that opening needs. */
function openWithReserve(file: string, mustExist: boolean): Database {
  try {
    return openForWriting(file, mustExist);
  } catch (error) {
    if (!isOutOfSpace(error, file) || !deleteReserve(file)) throw error;
    return openForWriting(file, mustExist);
  }
}

function readOnlyStore(file: string): SandglassError {
  return new SandglassError('READ_ONLY', `${file} is open read-only.`, { file });
}

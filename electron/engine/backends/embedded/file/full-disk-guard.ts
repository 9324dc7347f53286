import type { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatBytes } from '../../../../../shared/model/format.ts';
import { diskBytes, diskFull, isOutOfSpace } from '../../../files/file-system-space.ts';
import { allocateReserve, deleteReserve, hasReserve } from '../../../files/reserve-file.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Disk, DiskFull, SyncFailure } from '../../backend.ts';
import type { FailedSync } from './failed-sync.ts';

/** Interval of measurements while the disk is full, ms. */
const MEASURE_EVERY_MS = 1_000;
/** Interval after the reserve did not fit, ms: each attempt writes all of it. */
const MEASURE_AFTER_FAILURE_MS = 15_000;
/** Delay before the reserve is made, ms: a store that is opened for a single command needs no reserve. */
const MAKE_AFTER_MS = 2_000;
/** No reserve is kept on a file system smaller than this many reserves: it would take space that the store needs. */
const LEAST_RESERVES = 3;
/** Bytes that must be free before writes are accepted again, if no reserve is kept. */
const LEAST_ROOM = 2 * 1024 * 1024;

export interface FullDiskGuardOptions {
  /** The store's real path. */
  file: string;
  clock: Clock;
  /** Bytes; 0: none is kept. */
  reserveBytes: number;
  /** Bytes of free pages in the store's file. */
  freeInFile(): number;
  /** Bytes by which the store's file must still grow for pages that only the log holds. */
  growth(): number;
  /**
   * Copies the log into the file and frees the log's space. Called when the disk is full, and again until it is not.
   */
  relieve(): void;
  sync: FailedSync;
  /** Throws STORE_UNREADABLE if the file is no longer at its path. */
  refuseIfMoved(): void;
}

/**
 * Whether the store's disk has room [S1].
 *
 * The disk counts as full once a write did not fit. Then the reserve is deleted, so that checkpoints and the removal of
 * documents have the space they need before they free any, and every other write is refused. The disk is measured each
 * second. When twice the reserve is free, in the file's free pages or on the disk, the reserve is made again and writes
 * are accepted.
 *
 * A checkpoint makes the file grow before the log can shrink. Space for that growth is kept free: on a full disk,
 * removal waits for the checkpoint if it would take that space, and writes are refused before the log outgrows the
 * disk.
 */
export class FullDiskGuard implements Disk {
  readonly #options: FullDiskGuardOptions;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  /** Size of the reserve, bytes; 0: none is kept. */
  #reserveBytes: number;
  #full: DiskFull | null = null;
  #making: { ended: Promise<void>; stop(): void } | null = null;
  #reserveProblem: string | null = null;
  #isMeasurementDue = false;
  #cancelTimer: () => void = () => {};

  constructor(options: FullDiskGuardOptions) {
    this.#options = options;
    this.#reserveBytes = options.reserveBytes;
  }

  get full(): DiskFull | null {
    return this.#full;
  }

  get syncFailure(): SyncFailure | null {
    return this.#options.sync.failure;
  }

  get reserveProblem(): string | null {
    return this.#reserveProblem;
  }

  /**
   * Makes the reserve after a short delay if there is none. Without space for it, the disk is full from the beginning.
   */
  start(): void {
    const { file, clock } = this.#options;
    if (this.#reserveBytes === 0) return;
    const { free, total } = diskBytes(file);
    if (total < LEAST_RESERVES * this.#reserveBytes) {
      deleteReserve(file);
      this.#keepNone(`its file system has ${formatBytes(total)} in all`);
    } else if (!hasReserve(file, this.#reserveBytes)) {
      deleteReserve(file);
      if (free >= this.#neededBytes()) this.#cancelTimer = clock.setTimer(MAKE_AFTER_MS, () => this.#make());
      else this.#becomeFull();
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    const stop = this.#options.sync.onChange(listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  /** Bytes of the store's disk that are free now. */
  freeBytes(): number {
    return diskBytes(this.#options.file).free;
  }

  /** Throws SYNC_FAILED after a failed sync, STORE_UNREADABLE if the file is no longer at its path [S5]. */
  refuseUnsafe(): void {
    this.#options.sync.refuse();
    this.#options.refuseIfMoved();
  }

  /** Throws DISK_FULL or SYNC_FAILED while writes are refused. */
  refuseWhileFull(): void {
    this.refuseUnsafe();
    if (this.#full !== null) throw this.#error();
  }

  /** Throws SYNC_FAILED, or DISK_FULL if a write of any kind would take the space that the log's pages need in the file. */
  refuseWithoutRoomForLog(): void {
    this.refuseUnsafe();
    if (this.#full === null) return;
    const growth = this.#options.growth();
    if (growth > 0 && diskBytes(this.#options.file).free < growth + this.#reserveBytes / 8)
      throw this.#error();
  }

  /**
   * Whether the disk has space for the growth of the file and for a longer log. If half of the reserve covers the
   * growth, the disk is not measured.
   */
  hasRoomForLog(): boolean {
    if (this.#reserveBytes === 0 || this.#full !== null) return true;
    const growth = this.#options.growth();
    return (
      growth <= this.#reserveBytes / 2 ||
      diskBytes(this.#options.file).free >= growth + 2 * this.#reserveBytes
    );
  }

  /** Refuses writes until the log is in the file: a checkpoint could not copy enough of it. */
  logOutgrewDisk(): void {
    this.#becomeFull();
  }

  /**
   * Returns the error to throw for `error`: SYNC_FAILED for a failed sync, whatever its reason, DISK_FULL if the disk had
   * no space, otherwise `error` itself.
   */
  explain(error: unknown): unknown {
    const { file, sync } = this.#options;
    const explained = sync.explain(error);
    if (explained !== error) return explained;
    if (!isOutOfSpace(error, file)) return error;
    this.#becomeFull();
    return this.#error();
  }

  /** Resolves when no work on the reserve is running. The reserve stays for the next opening. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelTimer();
    await this.#making?.ended;
  }

  /** Bytes that must be free: for the reserve and for the log; documents can also use free pages of the file. */
  #neededBytes(): number {
    const reserve = this.#reserveBytes;
    const growth = this.#options.growth();
    if (reserve > 0 && growth > reserve / 2) return growth + 3 * reserve;
    return Math.max(2 * reserve - this.#options.freeInFile(), 1.5 * reserve, LEAST_ROOM);
  }

  #becomeFull(): void {
    const { file, clock, relieve } = this.#options;
    const wasFull = this.#full !== null;
    this.#making?.stop();
    const gaveUp = deleteReserve(file);
    this.#setFull({ since: this.#full?.since ?? clock.now(), ...this.#measured() });
    // If nothing has changed since the last failure, it would fail again at once.
    if (gaveUp || !wasFull) relieve();
    if (!this.#isMeasurementDue) this.#measureLater(MEASURE_EVERY_MS);
  }

  #measure(): void {
    if (this.#full === null) return;
    const measured = this.#measured();
    this.#setFull({ since: this.#full.since, ...measured });
    if (measured.freeBytes >= measured.neededBytes) this.#make();
    else {
      this.#options.relieve();
      this.#measureLater(MEASURE_EVERY_MS);
    }
  }

  #make(): void {
    if (this.#making !== null) return;
    const making = new AbortController();
    const signal = AbortSignal.any([making.signal, this.#closing.signal]);
    const ended = this.#tryToMake(signal).finally(() => {
      this.#making = null;
    });
    this.#making = { ended, stop: () => making.abort() };
  }

  async #tryToMake(signal: AbortSignal): Promise<void> {
    const { file } = this.#options;
    try {
      if (this.#reserveBytes > 0) await allocateReserve(file, this.#reserveBytes, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutOfSpace(error, file)) this.#keepNone(error instanceof Error ? error.message : String(error));
      else if (diskBytes(file).free < this.#neededBytes()) return this.#becomeFull();
      // The write failed although the file system reports space, as with a quota.
      else if (this.#full !== null) return this.#measureLater(MEASURE_AFTER_FAILURE_MS);
      else this.#keepNone('it does not fit');
    }
    if (signal.aborted) return this.#full === null ? undefined : this.#measureLater(MEASURE_EVERY_MS);
    this.#setFull(null);
  }

  #keepNone(why: string): void {
    this.#reserveBytes = 0;
    this.#reserveProblem = why;
    this.#notify();
  }

  #measureLater(ms: number): void {
    this.#cancelTimer();
    if (this.#closing.signal.aborted) return;
    this.#isMeasurementDue = true;
    this.#cancelTimer = this.#options.clock.setTimer(ms, () => {
      this.#isMeasurementDue = false;
      this.#measure();
    });
  }

  #measured(): { freeBytes: number; neededBytes: number } {
    return { freeBytes: diskBytes(this.#options.file).free, neededBytes: this.#neededBytes() };
  }

  #setFull(full: DiskFull | null): void {
    const before = this.#full;
    this.#full = full;
    if (before?.freeBytes === full?.freeBytes && before?.neededBytes === full?.neededBytes) return;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #error(): SandglassError {
    return diskFull(this.#options.file, this.#neededBytes());
  }
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { FullDiskGuard } from '../file/full-disk-guard.ts';

export type WatchedDisk = Pick<
  FullDiskGuard,
  'full' | 'syncFailure' | 'refuseUnsafe' | 'refuseWhileFull' | 'refuseWithoutRoomForLog' | 'explain'
>;

/**
 * Whether the store accepts writes now. It refuses them if it is read-only, while its file is being compacted, and if its
 * disk has no room or has failed [S1].
 */
export class WriteGuard {
  readonly #disk: WatchedDisk;
  #readOnly: (() => SandglassError) | null = null;
  #suspended: { ended: Promise<void>; end(): void } | null = null;

  /** Without `disk`, a full disk throws SQLite's error. */
  constructor(disk: WatchedDisk = UNWATCHED_DISK) {
    this.#disk = disk;
  }

  /** Refuses `transact` from now on: a mirror changes by `replay`, `adopt` and `maintain` only [V5]. */
  makeReadOnly(refusal: () => SandglassError): void {
    this.#readOnly = refusal;
  }

  /** Resolves when writes are accepted again after `suspend`; null if they are now. */
  get suspended(): Promise<void> | null {
    return this.#suspended?.ended ?? null;
  }

  /**
   * Suspends writes while another connection writes the file: they throw STORE_BUSY, since waiting for its lock would
   * block the thread. Returns the function that ends the suspension.
   */
  suspend(): () => void {
    this.refuseWhileSuspended();
    this.#disk.refuseUnsafe();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#suspended = { ended, end };
    return () => {
      if (this.#suspended?.ended === ended) this.#suspended = null;
      end();
    };
  }

  get isDiskFull(): boolean {
    return this.#disk.full !== null;
  }

  /** Whether `transact` would be refused now. */
  get isRefusing(): boolean {
    return this.#readOnly !== null || !this.#mayRecord;
  }

  get #mayRecord(): boolean {
    return this.#suspended === null && !this.isDiskFull && this.#disk.syncFailure === null;
  }

  /** Throws the refusal of a read-only store. */
  refuseReadOnly(): void {
    if (this.#readOnly !== null) throw this.#readOnly();
  }

  /** Throws STORE_BUSY during `suspend`. */
  refuseWhileSuspended(): void {
    if (this.#suspended === null) return;
    throw new SandglassError(
      'STORE_BUSY',
      'The store’s file is being compacted. Writes are accepted again when that is done.',
    );
  }

  /** Throws DISK_FULL or SYNC_FAILED while writes are refused. Also for `maintain` work that makes the store larger [S1]. */
  refuseWhileDiskFull(): void {
    this.#disk.refuseWhileFull();
  }

  /** Throws DISK_FULL only if there is no room even for work that frees space, SYNC_FAILED. */
  refuseWithoutRoomForLog(): void {
    this.#disk.refuseWithoutRoomForLog();
  }

  /** Returns the error to throw for one of any work on the file: SYNC_FAILED, DISK_FULL, or `error`. */
  explain(error: unknown): unknown {
    return this.#disk.explain(error);
  }

  /** Runs a statement outside of the writer's transactions. Throws DISK_FULL if there is no space, SYNC_FAILED. */
  attempt<Result>(work: () => Result): Result {
    this.refuseWhileSuspended();
    this.#disk.refuseUnsafe();
    try {
      return work();
    } catch (error) {
      throw this.#disk.explain(error);
    }
  }

  /** Writes unimportant values, such as the last use of a token; skipped while the file takes no writes. */
  tryRecord(work: () => void): void {
    if (!this.#mayRecord) return;
    try {
      work();
    } catch (error) {
      if (this.#disk.explain(error) === error) throw error;
    }
  }
}

const UNWATCHED_DISK: WatchedDisk = {
  full: null,
  syncFailure: null,
  refuseUnsafe: () => {},
  refuseWhileFull: () => {},
  refuseWithoutRoomForLog: () => {},
  explain: error => error,
};

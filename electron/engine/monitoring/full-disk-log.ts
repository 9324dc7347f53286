import { formatBytes } from '../../../shared/model/format.ts';
import type { Disk } from '../backends/backend.ts';
import type { Logger } from '../platform/logger.ts';

export interface FullDiskLogOptions {
  disk: Disk;
  /** The store's file. */
  file: string;
  log: Logger;
}

/**
 * Logs once each when the disk is full, when it has space again, and why no reserve is kept [S1]; that a sync failed, and
 * each reason why the store could not be copied since [S5].
 */
export class FullDiskLog {
  readonly #options: FullDiskLogOptions;
  #wasFull = false;
  #hasSaidProblem = false;
  #syncProblem: string | null | undefined;

  constructor(options: FullDiskLogOptions) {
    this.#options = options;
  }

  /** Calls `onChange` after each change of the disk's state, until the returned function is called. */
  start(onChange: () => void): () => void {
    this.#check();
    return this.#options.disk.onChange(() => {
      this.#check();
      onChange();
    });
  }

  #check(): void {
    const { disk, file, log } = this.#options;
    const { full, reserveProblem, syncFailure } = disk;
    if (syncFailure !== null && syncFailure.problem !== this.#syncProblem) {
      const { problem } = syncFailure;
      this.#syncProblem = problem;
      log.error('a sync failed: writes are refused until the store is copied into a new file', {
        file,
        ...(problem === null ? {} : { problem }),
      });
    }
    if (reserveProblem !== null && !this.#hasSaidProblem) {
      this.#hasSaidProblem = true;
      log.warn('no reserve for a full disk is kept beside the store', { file, reason: reserveProblem });
    }
    if ((full !== null) === this.#wasFull) return;
    this.#wasFull = full !== null;
    if (full === null) log.info('the disk has space again: writes are accepted', { file });
    else
      log.error('the disk is full: writes are refused', {
        file,
        free: formatBytes(full.freeBytes),
        needed: formatBytes(full.neededBytes),
      });
  }
}

import type { PurgeMark } from '../../../shared/contract/replication.ts';
import type { PurgeStore, Replica } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const RETRY_MS = 60_000;
/** Rest after compacting the file, as a multiple of its duration: compacting stops all other work of the store. */
const REST_PER_WORK = 10;

export interface MirrorPurgeOptions {
  replica: Replica;
  /** Path of the mirror's file. */
  file: Pick<PurgeStore, 'rewriteFile' | 'emptyLog'>;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
}

/**
 * Erases a leader's purge in a mirror [X4]: the history up to the purge, and freed pages of the file. The purge is
 * recorded as done at the end; after a restart before that, it is repeated.
 */
export class MirrorPurge {
  readonly #options: MirrorPurgeOptions;
  /** The purge after which the file was compacted; its write-ahead log may still contain the documents. */
  #rewritten = 0;
  /** Earliest time of the next attempt, on the stopwatch. */
  #notBefore = 0;

  constructor(options: MirrorPurgeOptions) {
    this.#options = options;
  }

  /** In an empty mirror, earlier purges have nothing to erase. */
  begin(purge: PurgeMark | null): void {
    const { replica } = this.#options;
    if (purge !== null && replica.progress.phase === 'empty') replica.setPurged(purge.id);
  }

  /**
   * Runs the next step. Call it repeatedly while the mirror is consistent and at or behind the purge's revision. Does
   * not wait for readers of the write-ahead log; a failure is logged and retried after a minute.
   */
  async advance(purge: PurgeMark, signal: AbortSignal): Promise<void> {
    const { replica, file, clock, log, yieldToCalls } = this.#options;
    const startedAt = clock.elapsed();
    if (purge.id <= replica.purged || startedAt < this.#notBefore) return;
    try {
      if (this.#rewritten < purge.id) {
        while (replica.deleteHistory(purge.revision)) {
          await yieldToCalls();
          if (signal.aborted) return;
        }
        file.rewriteFile();
        this.#rewritten = purge.id;
      }
      if (!file.emptyLog()) return;
      replica.setPurged(purge.id);
      this.#notBefore = clock.elapsed() + REST_PER_WORK * (clock.elapsed() - startedAt);
      log.info('a purge of the leader is erased in this mirror', { purge: purge.id });
    } catch (error) {
      this.#notBefore = clock.elapsed() + RETRY_MS;
      log.error('a purge of the leader could not be erased in this mirror; retrying in a minute', {
        purge: purge.id,
        ...errorFields(error),
      });
    }
  }
}

import type { PurgeMark } from '../../../shared/contract/replication.ts';
import type { PurgeStore, Replica } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const RETRY_MS = 60_000;
/** Compacting the file stops everything else: it takes at most one part in eleven of the time. */
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
 * Erases in a mirror what its leader purged [X4]: its history up to the purge, and freed pages of its file. It is
 * recorded as done at the very end; after a restart before that, it is repeated.
 */
export class MirrorPurge {
  readonly #options: MirrorPurgeOptions;
  /** The purge after which the file was compacted; its write-ahead log may still contain the documents. */
  #rewritten = 0;
  /** On the stopwatch. */
  #notBefore = 0;

  constructor(options: MirrorPurgeOptions) {
    this.#options = options;
  }

  /** An empty mirror has nothing to erase of earlier purges. */
  begin(purge: PurgeMark | null): void {
    const { replica } = this.#options;
    if (purge !== null && replica.progress.phase === 'empty') replica.setPurged(purge.id);
  }

  /**
   * Called repeatedly while the mirror is consistent and at or behind the purge's revision. It does not wait for
   * readers of the write-ahead log; a failure is logged and retried after a minute.
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

import type { EmbeddedBackend } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

/** Delay after a write before the change log is compacted. */
const AFTER_WRITE_MS = 10_000;
/** Interval without writes: revisions then exceed the age limit only. */
const IDLE_MS = 300_000;

export interface ChangeLogCompactionOptions {
  backend: Pick<EmbeddedBackend, 'compactLog' | 'onCommit'>;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
}

/** Keeps the change log within its age and size limits, in short steps, also while the store is busy [V3]. */
export class ChangeLogCompaction {
  readonly #options: ChangeLogCompactionOptions;
  #cancelTimer: (() => void) | null = null;
  #stopListening: (() => void) | null = null;
  /** True if the timer was set by a write. */
  #isSoon = false;
  #isCompacting = false;
  /** True if a revision was committed while the log was compacted: the last step may not have seen it. */
  #isWrittenMeanwhile = false;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: ChangeLogCompactionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopListening = this.#options.backend.onCommit(() => {
      if (this.#isCompacting) this.#isWrittenMeanwhile = true;
      else if (!this.#isSoon) this.#scheduleIn(AFTER_WRITE_MS);
    });
    this.#scheduleIn(IDLE_MS);
  }

  /** Finishes the running step and ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening?.();
    this.#cancelTimer?.();
    await this.#running;
  }

  #scheduleIn(ms: number): void {
    this.#cancelTimer?.();
    this.#isSoon = ms === AFTER_WRITE_MS;
    this.#cancelTimer = this.#options.clock.setTimer(ms, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    const { backend, log, yieldToCalls } = this.#options;
    this.#isCompacting = true;
    this.#isWrittenMeanwhile = false;
    try {
      while (!this.#isStopped && backend.compactLog()) await yieldToCalls();
    } catch (error) {
      log.error('the change log could not be compacted; retrying', errorFields(error));
    }
    this.#isCompacting = false;
    if (!this.#isStopped) this.#scheduleIn(this.#isWrittenMeanwhile ? AFTER_WRITE_MS : IDLE_MS);
  }
}

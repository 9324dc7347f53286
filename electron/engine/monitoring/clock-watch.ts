import type { EmbeddedBackend } from '../backends/backend.ts';
import type { GuardedClock } from '../platform/guarded-clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const NOTE_EVERY_MS = 60_000;
const ITSELF = 'Sandglass';

export interface ClockWatchOptions {
  clock: GuardedClock;
  backend: EmbeddedBackend;
  log: Logger;
}

/**
 * Records when the store was open [R9], and holds it while the clock cannot be trusted [R10]. It checks every minute
 * and after every jump of the clock, so that a failed step is repeated.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Continues the trusted time of the last opening, and places holds. Called before the reaper starts. */
  start(): void {
    const { clock, backend } = this.#options;
    const { last } = backend.openings;
    if (last !== null) clock.resume(last.at, last.clockOffsetMs);
    backend.holds.placeAfterOpening(last?.at ?? null);
    this.check();
    this.#running = this.#checkEachMinute();
  }

  /** Called when the clock jumped or came back, and every minute. */
  check(): void {
    const { log } = this.#options;
    try {
      this.#holdOrRelease();
      this.#note();
    } catch (error) {
      log.error('the state of the clock could not be recorded; retrying in a minute', errorFields(error));
    }
  }

  /** Confirms the wall clock. */
  accept(): void {
    this.#options.clock.accept();
    this.#note();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
    try {
      this.#note();
    } catch (error) {
      // The time was recorded within the last minute, and the store has to be closed even if this fails.
      this.#options.log.error('the time of closing could not be recorded', errorFields(error));
    }
  }

  async #checkEachMinute(): Promise<void> {
    const { signal } = this.#end;
    for (;;) {
      await this.#options.clock.sleep(NOTE_EVERY_MS, signal);
      // Nothing is written during a compaction.
      await this.#options.backend.fileCare.suspended;
      if (signal.aborted) return;
      this.check();
    }
  }

  #holdOrRelease(): void {
    const { clock, backend } = this.#options;
    const { holds } = backend;
    // Reading the time detects a jump.
    clock.now();
    const { jump } = clock;
    const placed = holds.list().find(({ cause }) => cause === 'clock forward' || cause === 'clock backward');
    if (jump === null) {
      if (placed?.cause === 'clock backward') holds.endOfClockHold();
      return;
    }
    const cause = `clock ${jump.direction}` as const;
    if (placed?.cause === cause) return;
    const durationMs = Math.abs(jump.wall - jump.trusted);
    holds.place({ collection: null, cause, by: ITSELF, dueAt: jump.wall, durationMs });
  }

  #note(): void {
    this.#options.backend.openings.record(this.#options.clock.offsetMs);
  }
}

import type { Backend } from '../backends/backend.ts';
import type { GuardedClock } from '../platform/guarded-clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const NOTE_EVERY_MS = 60_000;
const ITSELF = 'Sandglass';

export interface ClockWatchOptions {
  clock: GuardedClock;
  backend: Backend;
  log: Logger;
}

/**
 * What the store is told of the clock: when it was open [R9], and that it is held while the clock cannot be trusted
 * [R10]. It looks every minute and whenever the clock says that it jumped, so nothing it failed to do once is lost.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Takes up the trusted time where the last opening left it, and holds what must not simply leave. Before the reaper starts. */
  start(): void {
    const { clock, backend } = this.#options;
    const { last } = backend.openings;
    if (last !== null) clock.resume(last.at, last.clockOffsetMs);
    backend.holds.placeAfterOpening(last?.at ?? null);
    this.look();
    this.#running = this.#lookEachMinute();
  }

  /** The clock jumped, or came back, or a minute is over. */
  look(): void {
    const { log } = this.#options;
    try {
      this.#holdOrRelease();
      this.#note();
    } catch (error) {
      log.error('the store could not be told of the clock; it will be in a minute', errorFields(error));
    }
  }

  /** Somebody says that the wall clock is right. */
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
      // It was noted within the last minute, and the store is to be closed whatever fails.
      this.#options.log.error('the store could not be told when it was closed', errorFields(error));
    }
  }

  async #lookEachMinute(): Promise<void> {
    const { signal } = this.#end;
    for (;;) {
      await this.#options.clock.sleep(NOTE_EVERY_MS, signal);
      if (signal.aborted) return;
      this.look();
    }
  }

  #holdOrRelease(): void {
    const { clock, backend } = this.#options;
    const { holds } = backend;
    // Asking for the time is what notices a jump.
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

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inTime } from '../catalog/expression-time-limit.ts';

/** How long a scan reads before it yields, ms. */
const TURN_MS = 10;
/** Snapshots open at the same time; further scans wait. A preview may take minutes, a page of a list does not. */
const MAX_CONCURRENT_SCANS = { page: 4, preview: 3 } as const;
export type ScanKind = keyof typeof MAX_CONCURRENT_SCANS;

/**
 * Schedules the scans of one thread. After each turn of a scan the thread answers the messages that have arrived, then
 * the scan that has waited longest continues: a call waits for one turn at most, even with many scans.
 */
export class ScanScheduler {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #betweenTurns: () => void;
  readonly #waiting: (() => void)[] = [];
  readonly #queued: Record<ScanKind, (() => void)[]> = { page: [], preview: [] };
  #isScheduled = false;
  readonly #running: Record<ScanKind, number> = { page: 0, preview: 0 };
  #turnBeganAt = 0;

  /** `betweenTurns` is called before each turn of a scan. */
  constructor(clock: Pick<Clock, 'elapsed'>, betweenTurns: () => void = () => {}) {
    this.#clock = clock;
    this.#betweenTurns = betweenTurns;
  }

  /** Resolves at the caller's next turn. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  isOver(): boolean {
    return this.#clock.elapsed() - this.#turnBeganAt >= TURN_MS;
  }

  /** Runs a scan once few enough are running. Rejects with CANCELLED if it was cancelled before that. */
  async run<Result>(
    kind: ScanKind,
    signal: AbortSignal | undefined,
    scan: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#running[kind] >= MAX_CONCURRENT_SCANS[kind])
      await new Promise<void>(resolve => this.#queued[kind].push(resolve));
    else this.#running[kind] += 1;
    try {
      await this.next();
      throwIfCancelled(signal);
      return await scan();
    } finally {
      const next = this.#queued[kind].shift();
      // Hands the slot to the next in the queue.
      if (next === undefined) this.#running[kind] -= 1;
      else next();
    }
  }

  /**
   * Runs a generator to its end; other work may run each time that it yields. Rejects with CANCELLED at its first turn
   * after the signal aborted, EXPRESSION_TIMEOUT if an expression takes too long.
   */
  async complete<Result>(scan: Iterator<void, Result>, signal: AbortSignal | undefined): Promise<Result> {
    try {
      for (;;) {
        const done = inTime(this.#clock, 'scan', () => {
          for (;;) {
            const step = scan.next();
            if (step.done === true) return { result: step.value };
            if (this.isOver()) return null;
          }
        });
        if (done !== null) return done.result;
        await this.next();
        throwIfCancelled(signal);
      }
    } finally {
      // Closes the open statement.
      scan.return?.();
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#betweenTurns();
      const next = this.#waiting.shift();
      this.#turnBeganAt = this.#clock.elapsed();
      next?.();
      this.#schedule();
    });
  }
}

/** Throws the error that the signal was aborted with, or CANCELLED. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw signal.reason instanceof SandglassError
    ? signal.reason
    : new SandglassError('CANCELLED', 'The scan was cancelled.');
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inTime } from '../tables/time-limit.ts';

/** How long a scan reads before others come in between. */
const TURN_MS = 10;
/** Snapshots that are open at once; further scans wait for one to end. A preview may take minutes, a page of a list does not. */
const MOST_AT_ONCE = { page: 4, preview: 2 } as const;
export type ScanKind = keyof typeof MOST_AT_ONCE;

/**
 * The turns of the scans of one thread. After each turn of one scan the thread answers what has arrived meanwhile, then the
 * scan that has waited longest goes on: so a call waits for one turn, however many scans there are.
 */
export class ScanTurns {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #waiting: (() => void)[] = [];
  readonly #queued: Record<ScanKind, (() => void)[]> = { page: [], preview: [] };
  #isScheduled = false;
  readonly #running: Record<ScanKind, number> = { page: 0, preview: 0 };
  #turnBeganAt = 0;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Resolves at the next turn of the caller. */
  next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  isOver(): boolean {
    return this.#clock.elapsed() - this.#turnBeganAt >= TURN_MS;
  }

  /** Runs a scan as soon as there are few enough. Rejects with CANCELLED where it was cancelled before. */
  async run<Result>(
    kind: ScanKind,
    signal: AbortSignal | undefined,
    scan: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#running[kind] >= MOST_AT_ONCE[kind])
      await new Promise<void>(resolve => this.#queued[kind].push(resolve));
    else this.#running[kind] += 1;
    try {
      await this.next();
      throwIfCancelled(signal);
      return await scan();
    } finally {
      const following = this.#queued[kind].shift();
      // The place of one that ends goes to the next in the queue.
      if (following === undefined) this.#running[kind] -= 1;
      else following();
    }
  }

  /**
   * Runs a scan that yields wherever others may come in between, to its end. Rejects with CANCELLED as soon as its turn
   * comes after the signal aborted, EXPRESSION_TIMEOUT where an expression takes too long.
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
      // Closes what it reads from.
      scan.return?.();
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const following = this.#waiting.shift();
      this.#turnBeganAt = this.#clock.elapsed();
      following?.();
      this.#schedule();
    });
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The scan was cancelled.');
}

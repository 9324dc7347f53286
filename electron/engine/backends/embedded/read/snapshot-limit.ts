import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type ScanKind, throwIfCancelled } from './scan-scheduler.ts';

/**
 * Log size, in pages of 4 KiB, from which long scans are ended: 164 MB. SQLite restarts its log only when no snapshot
 * needs it, so overlapping scans during writes would make it grow until the disk is full [S1].
 */
const MOST_LOG_PAGES = 40_000;
/**
 * A page of a list waits at a log this many times larger than other scans: it reads only for a moment, and its caller
 * waits for it.
 */
const PAGE_FACTOR = 1.5;
/** Scans that began less than this time ago are not ended. */
const LONG_SCAN_MS = 2_000;
const CHECK_EVERY_MS = 250;
/**
 * How long a scan waits for a smaller log before it is refused, ms: open scans end within 2 s, then the log restarts.
 */
const WAIT_MS = 4_000;
const WAIT_STEP_MS = 50;

/** Bounds the log that open snapshots of scans make necessary. */
export class SnapshotLimit {
  readonly #clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly #logPages: () => number;
  readonly #mostPages: number;
  readonly #open = new Set<{
    readonly kind: ScanKind;
    readonly startedAt: number;
    readonly controller: AbortController;
  }>();
  #checkedAt = Number.NEGATIVE_INFINITY;

  /**
   * `logPages` returns the pages that a new snapshot would keep in the log. It is called every 50 ms at most while
   * scans wait.
   */
  constructor(clock: Pick<Clock, 'elapsed' | 'sleep'>, logPages: () => number, mostPages = MOST_LOG_PAGES) {
    this.#clock = clock;
    this.#logPages = logPages;
    this.#mostPages = mostPages;
  }

  /**
   * Registers a scan until `close` is called, once the log is small enough. The returned signal is aborted if `signal`
   * is, or if the scan has to end, with the error to throw as its reason. A page of a list never has to end. Rejects
   * with BUSY if the log stays too large for 4 s.
   */
  async start(
    kind: ScanKind,
    signal: AbortSignal | undefined,
  ): Promise<{ signal: AbortSignal; close(): void }> {
    const waitUntil = this.#clock.elapsed() + WAIT_MS;
    const mostPages = kind === 'page' ? PAGE_FACTOR * this.#mostPages : this.#mostPages;
    while (this.#logPages() >= mostPages) {
      if (this.#clock.elapsed() >= waitUntil) throw busy('The scan was not started');
      this.check();
      await this.#clock.sleep(WAIT_STEP_MS, signal);
      throwIfCancelled(signal);
    }
    const scan = { kind, startedAt: this.#clock.elapsed(), controller: new AbortController() };
    this.#open.add(scan);
    return {
      signal:
        signal === undefined ? scan.controller.signal : AbortSignal.any([signal, scan.controller.signal]),
      close: () => this.#open.delete(scan),
    };
  }

  /** Ends long scans if the log is too large. To be called between two turns of a scan. */
  check(): void {
    const now = this.#clock.elapsed();
    if (this.#open.size === 0 || now - this.#checkedAt < CHECK_EVERY_MS) return;
    this.#checkedAt = now;
    if (this.#logPages() < this.#mostPages) return;
    for (const { kind, startedAt, controller } of this.#open)
      if (kind !== 'page' && now - startedAt >= LONG_SCAN_MS) controller.abort(busy('The scan was ended'));
  }
}

function busy(what: string): SandglassError {
  return new SandglassError(
    'BUSY',
    `${what}: the store’s log has to be emptied first. Try again in a few seconds, or while fewer documents are written.`,
  );
}

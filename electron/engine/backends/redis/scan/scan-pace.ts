/**
 * Fewest and most keys of a step. With 36 the p99 of other clients was 1.0 ms longer, with 50 1.1 to 1.3 ms, with 250
 * 1.5 to 2.
 */
const FEWEST_KEYS = 25;
const MOST_KEYS = 36;
/** Time of a step beyond that of a PING, ms: the longest delay for another client. */
const SHORT_STEP_MS = 0.4;
const LONG_STEP_MS = 0.8;
/** A PING that takes this much longer than the fastest one, ms, means that the server is busy. */
const BUSY_MS = 2;
/** Longest pause between two steps, so that a scan of a busy server ends: it reads at least 4,000 keys/s. */
const LONGEST_PAUSE_MS = 5;

/**
 * Decides how many keys the next step of a scan reads, and how long it waits before. Steps become smaller if they take
 * long, and less frequent if a PING takes longer than before.
 */
export class ScanPace {
  readonly #mostKeysPerSecond: () => number | null;
  #count = FEWEST_KEYS;
  #pauseMs = 0;
  #fastestPingMs = Infinity;

  /** `mostKeysPerSecond` is a setting, read after each step; null: no limit. */
  constructor(mostKeysPerSecond: () => number | null) {
    this.#mostKeysPerSecond = mostKeysPerSecond;
  }

  /** Keys of the next step. */
  get count(): number {
    return this.#count;
  }

  /** Takes the round trip time of a PING on a connection without other commands, ms. */
  pinged(ms: number): void {
    this.#fastestPingMs = Math.min(ms, this.#fastestPingMs);
    const isBusy = ms > this.#fastestPingMs + BUSY_MS;
    this.#pauseMs = isBusy ? Math.min(LONGEST_PAUSE_MS, Math.max(1, this.#pauseMs * 2)) : this.#pauseMs / 2;
    if (this.#pauseMs < 0.5) this.#pauseMs = 0;
  }

  /** Takes the duration of a step that read `keys`, and returns how long to wait before the next one, ms. */
  stepped(keys: number, ms: number): number {
    const beyond = ms - Math.min(ms, this.#fastestPingMs);
    if (beyond > LONG_STEP_MS) this.#count = Math.max(FEWEST_KEYS, Math.floor(this.#count * 0.7));
    else if (beyond < SHORT_STEP_MS) this.#count = Math.min(MOST_KEYS, Math.ceil(this.#count * 1.2));
    const most = this.#mostKeysPerSecond();
    const wanted = most === null ? 0 : (keys / most) * 1_000 - ms;
    return Math.max(this.#pauseMs, wanted, 0);
  }
}

import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export interface LagFigures {
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  count: number;
}

const MINUTES = 10;
const SECONDS = 61;
const MINUTE_MS = 60_000;

/** How late removals were, since the store was opened and over the last ten minutes [M1]. */
export class LagMeter {
  readonly #all = histogram();
  /** One a minute, the oldest overwritten. */
  readonly #minutes: { minute: number; lags: RecordableHistogram }[] = [];
  /** The worst of each second of the last minute. */
  readonly #worst = new Array<{ second: number; lagMs: number }>(SECONDS).fill({ second: 0, lagMs: 0 });

  record(lagsMs: readonly number[], now: number): void {
    if (lagsMs.length === 0) return;
    const recent = this.#minuteOf(now);
    for (const lag of lagsMs) {
      // The histogram begins at 1: an action in its own millisecond counts as one.
      const value = Math.max(1, Math.round(lag));
      this.#all.record(value);
      recent.record(value);
    }
    const second = Math.floor(now / 1000);
    const slot = this.#worst[second % SECONDS];
    const before = slot?.second === second ? slot.lagMs : 0;
    this.#worst[second % SECONDS] = {
      second,
      lagMs: lagsMs.reduce((worst, lag) => Math.max(worst, lag), before),
    };
  }

  sinceOpen(): LagFigures {
    return figures(this.#all);
  }

  recent(now: number): LagFigures {
    const sum = histogram();
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES;
    for (const { minute, lags } of this.#minutes) if (minute > oldest && lags.count > 0) sum.add(lags);
    return figures(sum);
  }

  /** The worst of each of the last sixty whole seconds, oldest first; 0 where nothing was removed. */
  worst(now: number): number[] {
    const last = Math.floor(now / 1000) - 1;
    return Array.from({ length: SECONDS - 1 }, (_, i) => {
      const second = last - (SECONDS - 2) + i;
      const slot = this.#worst[((second % SECONDS) + SECONDS) % SECONDS];
      return slot?.second === second ? slot.lagMs : 0;
    });
  }

  #minuteOf(now: number): RecordableHistogram {
    const minute = Math.floor(now / MINUTE_MS);
    const slot = this.#minutes.find(candidate => candidate.minute === minute);
    if (slot !== undefined) return slot.lags;
    while (this.#minutes[0] !== undefined && this.#minutes[0].minute <= minute - MINUTES)
      this.#minutes.shift();
    const fresh = { minute, lags: histogram() };
    this.#minutes.push(fresh);
    return fresh.lags;
  }
}

function histogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: Number.MAX_SAFE_INTEGER, figures: 2 });
}

function figures(lags: RecordableHistogram): LagFigures {
  if (lags.count === 0) return { p50Ms: null, p99Ms: null, maxMs: null, count: 0 };
  return { p50Ms: lags.percentile(50), p99Ms: lags.percentile(99), maxMs: lags.max, count: lags.count };
}

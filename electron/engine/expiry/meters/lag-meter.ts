import { CumulativeBuckets } from './cumulative-buckets.ts';
import { Histogram } from './histogram.ts';

export interface LagFigures {
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  count: number;
}

export interface LagMeterOptions {
  /** Smallest duration that is distinguished from 0, ms. */
  resolutionMs: number;
  /** Bucket bounds of `bounded`, ascending. */
  boundsMs: readonly number[];
}

const MINUTES = 10;
const SECONDS = 61;
const MINUTE_MS = 60_000;

/** Distribution of durations or lags since the store was opened and over the last ten minutes [M1]. */
export class LagMeter {
  readonly #resolutionMs: number;
  readonly #all = new Histogram();
  readonly #bounded: CumulativeBuckets;
  /** One histogram per minute; the oldest is overwritten. */
  readonly #minutes: { minute: number; lags: Histogram }[] = [];
  /** Maximum of each second of the last minute. */
  readonly #worst = new Array<{ second: number; lagMs: number }>(SECONDS).fill({ second: 0, lagMs: 0 });

  constructor({ resolutionMs, boundsMs }: LagMeterOptions) {
    this.#resolutionMs = resolutionMs;
    this.#bounded = new CumulativeBuckets(boundsMs);
  }

  /** Records lags, each of which stands for `each` removals. */
  record(lagsMs: readonly number[], now: number, each = 1): void {
    if (lagsMs.length === 0) return;
    const recent = this.#minuteOf(now);
    let worst = 0;
    for (const lag of lagsMs) {
      // At least 1: an action within a single millisecond takes time, too.
      const value = Math.max(1, Math.round(lag / this.#resolutionMs));
      this.#all.record(value, each);
      recent.record(value, each);
      this.#bounded.record(lag, each);
      if (lag > worst) worst = lag;
    }
    const second = Math.floor(now / 1000);
    const slot = this.#worst[second % SECONDS];
    const before = slot?.second === second ? slot.lagMs : 0;
    this.#worst[second % SECONDS] = { second, lagMs: Math.max(worst, before) };
  }

  sinceOpen(): LagFigures {
    return this.#figures(this.#all);
  }

  /** Counts since the store was opened, by the configured bounds. */
  get bounded(): CumulativeBuckets {
    return this.#bounded;
  }

  recent(now: number): LagFigures {
    const sum = new Histogram();
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES;
    for (const { minute, lags } of this.#minutes) if (minute > oldest) sum.add(lags);
    return this.#figures(sum);
  }

  /** Figures of one of the last ten minutes; `minute` counts from 1970. */
  minute(minute: number): LagFigures {
    const found = this.#minutes.find(candidate => candidate.minute === minute);
    return this.#figures(found?.lags ?? new Histogram());
  }

  /** Returns the maximum of each of the last sixty whole seconds, oldest first; 0 for a second without removals. */
  worst(now: number): number[] {
    const last = Math.floor(now / 1000) - 1;
    return Array.from({ length: SECONDS - 1 }, (_, i) => {
      const second = last - (SECONDS - 2) + i;
      const slot = this.#worst[second % SECONDS];
      return slot?.second === second ? slot.lagMs : 0;
    });
  }

  #minuteOf(now: number): Histogram {
    const minute = Math.floor(now / MINUTE_MS);
    const slot = this.#minutes.find(candidate => candidate.minute === minute);
    if (slot !== undefined) return slot.lags;
    while (this.#minutes[0] !== undefined && this.#minutes[0].minute <= minute - MINUTES)
      this.#minutes.shift();
    const fresh = { minute, lags: new Histogram() };
    this.#minutes.push(fresh);
    return fresh.lags;
  }

  #figures(lags: Histogram): LagFigures {
    const inMs = (value: number | null) => (value === null ? null : value * this.#resolutionMs);
    return {
      p50Ms: inMs(lags.percentile(50)),
      p99Ms: inMs(lags.percentile(99)),
      maxMs: lags.count === 0 ? null : inMs(lags.max),
      count: lags.count,
    };
  }
}

import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { SeriesPoint } from '../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../shared/model/minute-figures.ts';
import type { MetricSeries, Reads, SeriesQuery } from '../backends/backend.ts';
import type { MeterRegistry, Meters } from '../expiry/meters.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const MINUTE_MS = 60_000;
/** Points per write: they hold the writer for about two milliseconds. */
const POINTS_A_WRITE = 100;

export interface MinuteRecorderOptions {
  backend: {
    readonly series: MetricSeries;
    readonly reads: Pick<Reads, 'summaries'> & { series(query: SeriesQuery): Promise<SeriesPoint[]> };
  };
  meters: MeterRegistry;
  clock: Clock;
  log: Logger;
  /** Resolves when waiting calls have run; called between two parts of long work. */
  yieldToCalls(): Promise<void>;
}

/** Minutes of one collection or, with null, of the store. */
interface Measured {
  collection: string | null;
  point: SeriesPoint;
}

/**
 * Records one point per minute for the store and for each collection [M1]: one small write at the end of each minute,
 * and one when the store is closed. Figures of the current minute are read from memory. Minutes in which the
 * application was closed or the machine was suspended are not recorded.
 */
export class MinuteRecorder {
  readonly #options: MinuteRecorderOptions;
  /** The minute that the timer waits for. */
  #current: number;
  #cancelTimer: (() => void) | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** Number of writes: a reader of both memory and store reads again if it changed meanwhile. */
  #writes = 0;

  constructor(options: MinuteRecorderOptions) {
    this.#options = options;
    this.#current = this.#minuteNow();
  }

  start(): void {
    const { clock } = this.#options;
    this.#current = this.#minuteNow();
    this.#cancelTimer = clock.setTimer((this.#current + 1) * MINUTE_MS - clock.now(), () => {
      this.#running = this.#record(this.#minuteNow()).then(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  /** Resolves when the minutes that have ended are written. */
  whenIdle(): Promise<void> {
    return this.#running;
  }

  /** Records the current minute so far. Called while the store can still be read. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#running;
    await this.#record(this.#minuteNow() + 1);
  }

  /** Points whose minute begins in the span, oldest first, including the current one. Throws COLLECTION_NOT_FOUND. */
  async series(collection: string | null, from: number, to: number): Promise<SeriesPoint[]> {
    const { backend } = this.#options;
    const query = { from, to, ...(collection === null ? {} : { collection }) };
    let kept: SeriesPoint[];
    let measured: Measured[];
    let writes: number;
    do {
      writes = this.#writes;
      kept = await backend.reads.series(query);
      measured = await this.#measured(this.#minuteNow() + 1, collection === null ? null : [collection]);
    } while (writes !== this.#writes);
    const points = new Map(kept.map(point => [point.at, point]));
    for (const { collection: measuredOf, point } of measured) {
      if (measuredOf !== collection || point.at < from || point.at > to) continue;
      const before = points.get(point.at);
      points.set(point.at, before === undefined ? point : mergePoints(before, point));
    }
    return [...points.values()].sort((a, b) => a.at - b.at);
  }

  /** Writes every minute before `end` that is not written yet. */
  async #record(end: number): Promise<void> {
    const { backend, meters, log, yieldToCalls } = this.#options;
    try {
      const points = await this.#measured(end, null);
      for (let i = 0; i < points.length; i += POINTS_A_WRITE) {
        const some = points.slice(i, i + POINTS_A_WRITE);
        await yieldToCalls();
        backend.series.append(some);
        this.#writes += 1;
        for (const { collection, point } of some)
          (collection === null ? meters.store : meters.of(collection)).counts.delete(point.at / MINUTE_MS);
      }
    } catch (error) {
      // Unwritten points stay in memory and are written with the next minute.
      log.error(
        'the figures of a minute could not be recorded; they are recorded with the next',
        errorFields(error),
      );
    }
  }

  async #measured(end: number, names: readonly string[] | null): Promise<Measured[]> {
    const { backend, meters, clock } = this.#options;
    const minutes = [...new Set([...meters.store.counts.minutes(), this.#current])]
      .filter(minute => minute < end)
      .sort((a, b) => a - b);
    const points: Measured[] = [];
    for (const minute of minutes) {
      const measuredAt = Math.min((minute + 1) * MINUTE_MS, clock.now());
      const summaries = await backend.reads.summaries(names, measuredAt);
      for (const summary of summaries)
        points.push({
          collection: summary.name,
          point: pointOf(minute, meters.of(summary.name), [summary]),
        });
      if (names === null) points.push({ collection: null, point: pointOf(minute, meters.store, summaries) });
    }
    return points;
  }

  #minuteNow(): number {
    return Math.floor(this.#options.clock.now() / MINUTE_MS);
  }
}

function pointOf(
  minute: number,
  { lag, batchMs, counts }: Meters,
  summaries: readonly CollectionSummary[],
): SeriesPoint {
  const total = (key: 'documents' | 'withDeadline' | 'overdue') =>
    summaries.reduce((sum, summary) => sum + summary[key], 0);
  const { p50Ms, p99Ms, maxMs } = lag.minute(minute);
  return {
    at: minute * MINUTE_MS,
    documents: total('documents'),
    withDeadline: total('withDeadline'),
    overdue: total('overdue'),
    ...counts.minute(minute),
    lagP50Ms: p50Ms,
    lagP99Ms: p99Ms,
    lagMaxMs: maxMs,
    batchMaxMs: batchMs.minute(minute).maxMs,
  };
}

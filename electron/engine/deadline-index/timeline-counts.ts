import type { TimelineAnswer, TimelineBucket } from '../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Pause } from '../../../shared/model/ttl-index.ts';
import { bucketAt, type TimelineSpan, timelineEdges } from './bucket-edges.ts';
import { cliffsOf, MAX_CLIFFS } from './cliffs.ts';
import { type DeadlineFigures, deadlineFigures, earliest } from './deadline-figures.ts';
import type { ExpiryCountsReader } from './expiry-counts-reader.ts';
import type { IndexTableReader } from './index-table-reader.ts';

export interface TimelineSeries {
  readonly id: string;
  readonly label: string;
  readonly paused: Pause | null;
  /** Number of collections that the series counts together; absent: one. */
  readonly collections?: number;
}

interface CountedSeries extends TimelineSeries {
  overdue: number;
  /** Part of `overdue` that lies in the bucket of now. */
  overdueInCurrent: number;
  readonly due: number[];
  readonly expired: number[];
}

/** The part of a timeline that is computed from index tables and expiry counts. */
export type CountedTimeline = Omit<TimelineAnswer, 'revision' | 'cutoff' | 'actionDueAt' | 'recounting'>;

/**
 * Counts future expirations by deadline and past ones by removal time, by series, in one row of buckets [X2]. Takes
 * time per bucket, not per document.
 */
export class TimelineCounts {
  readonly #span: TimelineSpan;
  readonly #now: number;
  readonly #edges: readonly number[];
  /** Position of the bucket of now. */
  readonly #current: number;
  readonly #series = new Map<string, CountedSeries>();
  readonly #cliffs: TimelineAnswer['cliffs'] = [];
  #oldestOverdueAt: number | null = null;
  #nextDeadlineAt: number | null = null;
  #earliestAt: number | null = null;
  #latestAt: number | null = null;

  /** Throws BAD_REQUEST for an empty span. */
  constructor(span: TimelineSpan, now: number) {
    const { from, to } = span;
    if (!(to > from))
      throw new SandglassError('BAD_REQUEST', '`to` must be later than `from`.', { from, to });
    this.#span = span;
    this.#now = now;
    this.#edges = timelineEdges(span);
    this.#current = bucketAt(this.#edges, now);
  }

  /** Appends a series without counts. */
  addSeries(series: TimelineSeries): void {
    this.#series.set(series.id, noCounts(series));
  }

  /** Adds the deadlines of an index table to a series. Returns the table's figures. */
  addDeadlines(id: string, table: IndexTableReader, addMs: number): DeadlineFigures {
    const edges = this.#edges;
    const series = this.#seriesOf(id);
    const figures = deadlineFigures(table, addMs, this.#now);
    if (figures.overdue > 0) {
      series.overdue += figures.overdue;
      const currentAt = edges[this.#current];
      if (currentAt !== undefined && this.#current < this.#span.buckets)
        series.overdueInCurrent += figures.overdue - table.documentsBefore(currentAt - addMs);
      this.#oldestOverdueAt = earliest([this.#oldestOverdueAt, figures.firstAt]);
    }
    this.#nextDeadlineAt = earliest([this.#nextDeadlineAt, figures.nextAt]);
    this.#earliestAt = earliest([this.#earliestAt, figures.firstAt]);
    const last = table.last();
    if (last !== null) this.#latestAt = Math.max(this.#latestAt ?? 0, last + addMs);
    const counts = table.histogram(edges.map(edge => edge - addMs));
    for (const [i, documents] of counts.entries()) series.due[i] = (series.due[i] ?? 0) + documents;
    for (const cliff of cliffsOf(table, addMs, { edges, counts }))
      this.#cliffs.push({ ...cliff, series: id });
    return figures;
  }

  /** Adds the expiry counts of a collection; `idOf` returns the series of a source. */
  addExpired(counts: ExpiryCountsReader, collection: number, idOf: (source: number) => string): void {
    this.#earliestAt = earliest([this.#earliestAt, counts.firstAt(collection)]);
    counts.each(collection, this.#edges, this.#now, (source, bucket, documents) => {
      const { expired } = this.#seriesOf(idOf(source));
      expired[bucket] = (expired[bucket] ?? 0) + documents;
    });
  }

  answer(): CountedTimeline {
    const series = [...this.#series.values()];
    return {
      now: this.#now,
      overdue: series.reduce((total, { overdue }) => total + overdue, 0),
      oldestOverdueAt: this.#oldestOverdueAt,
      nextDeadlineAt: this.#nextDeadlineAt,
      earliestAt: this.#earliestAt,
      latestAt: this.#latestAt,
      series: series.map(({ id, label, paused, overdue, collections }) => ({
        ...{ id, label, paused, overdue },
        ...(collections !== undefined && { collections }),
      })),
      bucketMs: (this.#span.to - this.#span.from) / this.#span.buckets,
      buckets: Array.from({ length: this.#span.buckets }, (_, i) => this.#bucket(series, i)),
      cliffs: this.#cliffs.sort((a, b) => b.count - a.count).slice(0, MAX_CLIFFS),
    };
  }

  #bucket(series: readonly CountedSeries[], i: number): TimelineBucket {
    const [fromAt = 0, toAt = fromAt] = this.#edges.slice(i, i + 2);
    const byIndex: TimelineBucket['byIndex'] = {};
    let expired = 0;
    let due = 0;
    for (const one of series) {
      const split = {
        expired: one.expired[i] ?? 0,
        due: one.due[i] ?? 0,
        ...(i === this.#current && one.overdueInCurrent > 0 && { overdue: one.overdueInCurrent }),
      };
      if (split.expired === 0 && split.due === 0) continue;
      byIndex[one.id] = split;
      expired += split.expired;
      due += split.due;
    }
    return { fromAt, toAt, expired, due, byIndex };
  }

  /** Returns a series. One that was not added belongs to a dropped index or collection. */
  #seriesOf(id: string): CountedSeries {
    const known = this.#series.get(id);
    if (known !== undefined) return known;
    const former = noCounts({ id, label: id, paused: null });
    this.#series.set(id, former);
    return former;
  }
}

function noCounts(series: TimelineSeries): CountedSeries {
  return { ...series, overdue: 0, overdueInCurrent: 0, due: [], expired: [] };
}

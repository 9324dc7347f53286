import type { TimelineAnswer, TimelineBucket } from '../../../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT, type Pause } from '../../../../../shared/model/ttl-index.ts';
import {
  COUNT_LEVELS,
  DAY,
  EXPIRY_COUNT_LEVELS,
  HOUR,
  SECOND,
} from '../../../deadline-index/count-levels.ts';
import type { TimelineQuery } from '../../backend.ts';
import {
  type CatalogCollection,
  type DeadlineSource,
  deadlineSources,
  EXPLICIT_SOURCE,
  isRecounting,
} from '../catalog/catalog.ts';
import type { ReadConnection } from './read-connection.ts';
import { actionDueAt, earliest, figuresOf, sum } from './read-summaries.ts';

interface Series {
  id: string;
  label: string;
  paused: Pause | null;
  forecasts: DeadlineSource[];
  overdue: number;
  /** Part of `overdue` that lies in the bucket of now. */
  overdueInCurrent: number;
  due: number[];
  expired: number[];
}

/**
 * A cliff is a second with at least this many expirations, this share of its bucket, and this multiple of the seconds
 * around it.
 */
const CLIFF_LEAST = 50;
const CLIFF_SHARE = 0.25;
const CLIFF_FACTOR = 5;
const HALF_MINUTE = 30_000;
const MAX_CLIFFS = 20;
/** Count level used to search, by length of the span: never more than some 20,000 counts. */
const CLIFF_LEVELS = [6 * HOUR, 16 * DAY, 900 * DAY] as const;

/**
 * Returns what will expire by deadline and what did by removal time, in one series of buckets [X2]. Costs time per
 * bucket, not per document. Throws BAD_REQUEST for an empty span.
 */
export function readTimeline(reader: ReadConnection, query: TimelineQuery, now: number): TimelineAnswer {
  const { from, to, buckets } = query;
  if (!(to > from)) throw new SandglassError('BAD_REQUEST', '`to` must be later than `from`.', { from, to });
  const width = (to - from) / buckets;
  const current = from + Math.floor((now - from) / width) * width;
  const collections =
    query.collection === undefined
      ? [...reader.catalog.collections.keys()].map(name => reader.collection(name))
      : [reader.collection(query.collection)];
  const series = query.collection === undefined ? byCollection(reader, collections) : byIndex(collections);
  const counted = new Map(series.map(one => [one.id, one]));
  let oldest: number | null = null;
  let dueForAction: number | null = null;
  /** Oldest of the series that are not paused: the reaper has not reached it yet. */
  let oldestRunning: number | null = null;
  let next: number | null = null;
  let first: number | null = null;
  let last: number | null = null;
  const cliffs: TimelineAnswer['cliffs'] = [];
  for (const one of series) {
    for (const source of one.forecasts) {
      const figures = figuresOf(reader, source, now);
      one.overdue += figures.overdue;
      if (figures.overdue > 0) {
        if (now >= from && now < to)
          one.overdueInCurrent +=
            figures.overdue - reader.table(source.table).before(current - source.addMs).documents;
        oldest = earliest([oldest, figures.firstAt]);
        dueForAction = earliest([dueForAction, actionDueAt(reader, source.index, figures.firstAt, now)]);
        if (one.paused === null) oldestRunning = earliest([oldestRunning, figures.firstAt]);
      }
      next = earliest([next, figures.nextAt]);
      first = earliest([first, figures.firstAt]);
      const end = reader.table(source.table).last();
      if (end !== null) last = Math.max(last ?? 0, end + source.addMs);
      const counts = reader.table(source.table).histogram(from - source.addMs, width, buckets);
      for (const [i, documents] of counts.entries()) one.due[i] = (one.due[i] ?? 0) + documents;
      cliffs.push(...cliffsOf(reader, source, { series: one.id, from, to, counts, width }));
    }
  }
  const past = addExpiryCounts(reader, collections, query, now, (collection, source) => {
    const id = query.collection === undefined ? collection.name : source;
    const known = counted.get(id);
    if (known !== undefined) return known;
    // An index that was dropped since, or a collection that lost its last one.
    const former = emptySeries(id, id, null, []);
    counted.set(id, former);
    series.push(former);
    return former;
  });
  return {
    now,
    revision: reader.revision,
    cutoff: oldestRunning === null ? now : oldestRunning - 1,
    overdue: sum(series.map(({ overdue }) => overdue)),
    oldestOverdueAt: oldest,
    actionDueAt: dueForAction,
    nextDeadlineAt: next,
    earliestAt: earliest([first, past]),
    latestAt: last,
    recounting: collections.some(isRecounting),
    series: series.map(({ id, label, paused, overdue }) => ({ id, label, paused, overdue })),
    bucketMs: width,
    buckets: Array.from({ length: buckets }, (_, i) => bucketOf(series, i, { from, width, current })),
    cliffs: cliffs.sort((a, b) => b.count - a.count).slice(0, MAX_CLIFFS),
  };
}

function emptySeries(id: string, label: string, paused: Pause | null, forecasts: DeadlineSource[]): Series {
  return { id, label, paused, forecasts, overdue: 0, overdueInCurrent: 0, due: [], expired: [] };
}

function byCollection(reader: ReadConnection, collections: readonly CatalogCollection[]): Series[] {
  return collections
    .map(collection => {
      const stopped = collection.indexes.length > 0 && collection.indexes.every(index => index.isPaused);
      const paused = collection.paused ?? (stopped ? (collection.indexes[0]?.paused ?? null) : null);
      return emptySeries(collection.name, collection.name, paused, deadlineSources(collection));
    })
    .filter(
      ({ forecasts }) =>
        forecasts.length > 1 || forecasts.some(({ table }) => reader.table(table).first() !== null),
    );
}

function byIndex(collections: readonly CatalogCollection[]): Series[] {
  return collections.flatMap(collection =>
    deadlineSources(collection)
      .map(source =>
        emptySeries(
          source.name,
          source.id === EXPLICIT_SOURCE ? 'set by hand' : source.name,
          source.paused ?? collection.paused,
          [source],
        ),
      )
      // Indexes in the order of their creation, then explicit expirations.
      .sort((a, b) => Number(a.id === EXPLICIT) - Number(b.id === EXPLICIT)),
  );
}

function bucketOf(
  series: readonly Series[],
  i: number,
  { from, width, current }: { from: number; width: number; current: number },
): TimelineBucket {
  const fromAt = from + width * i;
  const byIndex: TimelineBucket['byIndex'] = {};
  let expired = 0;
  let due = 0;
  for (const one of series) {
    const split = {
      expired: one.expired[i] ?? 0,
      due: one.due[i] ?? 0,
      ...(fromAt === current && one.overdueInCurrent > 0 && { overdue: one.overdueInCurrent }),
    };
    if (split.expired === 0 && split.due === 0) continue;
    byIndex[one.id] = split;
    expired += split.expired;
    due += split.due;
  }
  return { fromAt, toAt: from + width * (i + 1), expired, due, byIndex };
}

/**
 * Returns which level of expiry counts covers which part of [from, to): the coarsest that fits the buckets exactly,
 * else the finest; and, for times before those are kept, the next coarser ones.
 */
function countSpans(from: number, to: number, width: number, now: number) {
  const fitting = EXPIRY_COUNT_LEVELS.findLastIndex(
    level => from % level.width === 0 && width % level.width === 0,
  );
  const stretches: { level: number; unit: number; from: number; to: number }[] = [];
  let until = to;
  for (let level = Math.max(0, fitting); level < EXPIRY_COUNT_LEVELS.length && until > from; level++) {
    const { width: unit, keepMs } = EXPIRY_COUNT_LEVELS[level] ?? { width: SECOND, keepMs: DAY };
    const coarser = EXPIRY_COUNT_LEVELS[level + 1]?.width;
    const keptSince = coarser === undefined ? from : Math.ceil((now - keepMs) / coarser) * coarser;
    if (keptSince >= until) continue;
    stretches.push({ level, unit, from: Math.max(from, keptSince), to: until });
    until = keptSince;
  }
  return stretches;
}

/** Adds expiry counts to their series. Returns the earliest instant with a count. */
function addExpiryCounts(
  reader: ReadConnection,
  collections: readonly CatalogCollection[],
  { from, to, buckets }: TimelineQuery,
  now: number,
  seriesOf: (collection: CatalogCollection, source: string) => Series,
): number | null {
  const width = (to - from) / buckets;
  const spans = countSpans(from, to, width, now);
  const counts = reader.db
    .prepare<[number, number, number, number], [bucket: number, source: number, documents: number]>(
      'SELECT bucket, source, documents FROM expiry_counts WHERE collection = ? AND level = ? AND bucket >= ? AND bucket < ?',
    )
    .raw();
  const firstHour = reader.db
    .prepare<[number, number], number | null>(
      'SELECT min(bucket) FROM expiry_counts WHERE collection = ? AND level = ?',
    )
    .pluck();
  const names = sourceNames(reader);
  let past: number | null = null;
  for (const collection of collections) {
    const bucket = firstHour.get(collection.id, EXPIRY_COUNT_LEVELS.length - 1);
    if (bucket !== null && bucket !== undefined) {
      past = earliest([past, bucket * HOUR]);
    }
    for (const { level, unit, ...span } of spans) {
      const [first, end] = [Math.floor(span.from / unit), Math.ceil(span.to / unit)];
      for (const [at, source, documents] of counts.iterate(collection.id, level, first, end)) {
        const i = Math.floor((at * unit - from) / width);
        if (i < 0 || i >= buckets) continue;
        const series = seriesOf(collection, names.get(source) ?? EXPLICIT);
        series.expired[i] = (series.expired[i] ?? 0) + documents;
      }
    }
  }
  return past;
}

function sourceNames(reader: ReadConnection): Map<number, string> {
  const rows = reader.db.prepare<[], { id: number; name: string }>('SELECT id, name FROM ttl_indexes').all();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Returns seconds with many simultaneous expirations: a fair share of their bucket on screen and far above the minute
 * around them. Over a long span it searches a bounded number of the fullest minutes or hours.
 */
function cliffsOf(
  reader: ReadConnection,
  source: DeadlineSource,
  {
    series,
    from,
    to,
    counts,
    width,
  }: { series: string; from: number; to: number; counts: readonly number[]; width: number },
): TimelineAnswer['cliffs'] {
  const level = CLIFF_LEVELS.findIndex(span => to - from <= span);
  if (level < 0) return [];
  const entries = reader.table(source.table);
  const full = entries.fullest(level, from - source.addMs, to - source.addMs, CLIFF_LEAST);
  const seconds =
    level === 0
      ? full
      : full
          .slice(0, MAX_CLIFFS)
          .flatMap(({ reference }) =>
            entries
              .fullest(0, reference, reference + (COUNT_LEVELS[level] ?? SECOND), CLIFF_LEAST)
              .slice(0, 1),
          );
  return seconds
    .filter(({ reference, documents }) => {
      const bucket = Math.floor((reference + source.addMs - from) / width);
      if (documents < CLIFF_SHARE * (counts[bucket] ?? 0)) return false;
      const around = entries.inSeconds(reference - HALF_MINUTE, reference + HALF_MINUTE) - documents;
      return documents >= (CLIFF_FACTOR * around) / 59;
    })
    .map(({ reference, documents }) => ({ at: reference + source.addMs, count: documents, series }));
}

import type { TimelineAnswer, TimelineBucket } from '../../../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT, type Pause } from '../../../../../shared/model/ttl-index.ts';
import type { TimelineQuery } from '../../backend.ts';
import {
  type CatalogCollection,
  type DeadlineSource,
  deadlineSources,
  EXPLICIT_SOURCE,
  isRecounting,
} from '../tables/catalog.ts';
import { ACTUAL_LEVELS, COUNT_LEVELS, DAY, HOUR, SECOND } from '../tables/count-levels.ts';
import { actionDueAt, earliest, figuresOf, sum } from './read-summaries.ts';
import type { Reader } from './reader.ts';

interface Series {
  id: string;
  label: string;
  paused: Pause | null;
  forecasts: DeadlineSource[];
  overdue: number;
  due: number[];
  expired: number[];
}

/** A cliff is a second in which so many leave, so much of its bucket, and so many times the seconds around it. */
const CLIFF_LEAST = 50;
const CLIFF_SHARE = 0.25;
const CLIFF_FACTOR = 5;
const HALF_MINUTE = 30_000;
const MOST_CLIFFS = 20;
/** How finely an instant is looked for, by the span looked at: never more than some 20,000 counts. */
const CLIFF_LEVELS = [6 * HOUR, 16 * DAY, 900 * DAY] as const;

/**
 * What will expire by deadline and what did by removal time, in one series of buckets [X2]. Costs the buckets asked
 * for, whatever the number of documents. Throws BAD_REQUEST for a span that is none.
 */
export function readTimeline(reader: Reader, query: TimelineQuery, now: number): TimelineAnswer {
  const { from, to, buckets } = query;
  if (!(to > from)) throw new SandglassError('BAD_REQUEST', '`to` must be later than `from`.', { from, to });
  const width = (to - from) / buckets;
  const collections =
    query.collection === undefined
      ? [...reader.catalog.collections.keys()].map(name => reader.collection(name))
      : [reader.collection(query.collection)];
  const series = query.collection === undefined ? byCollection(reader, collections) : byIndex(collections);
  const counted = new Map(series.map(one => [one.id, one]));
  let oldest: number | null = null;
  let dueForAction: number | null = null;
  /** The same, of series that nobody paused: what the reaper still has to get to. */
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
      cliffs.push(...cliffsOf(reader, source, one.id, from, to, counts, width));
    }
  }
  const past = addActuals(reader, collections, query, now, (collection, source) => {
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
    buckets: Array.from({ length: buckets }, (_, i) => bucketOf(series, i, from, width)),
    cliffs: cliffs.sort((a, b) => b.count - a.count).slice(0, MOST_CLIFFS),
  };
}

function emptySeries(id: string, label: string, paused: Pause | null, forecasts: DeadlineSource[]): Series {
  return { id, label, paused, forecasts, overdue: 0, due: [], expired: [] };
}

function byCollection(reader: Reader, collections: readonly CatalogCollection[]): Series[] {
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
      // The indexes in the order they were made, what was set by hand after them.
      .sort((a, b) => Number(a.id === EXPLICIT) - Number(b.id === EXPLICIT)),
  );
}

function bucketOf(series: readonly Series[], i: number, from: number, width: number): TimelineBucket {
  const byIndex: TimelineBucket['byIndex'] = {};
  let expired = 0;
  let due = 0;
  for (const one of series) {
    const split = { expired: one.expired[i] ?? 0, due: one.due[i] ?? 0 };
    if (split.expired === 0 && split.due === 0) continue;
    byIndex[one.id] = split;
    expired += split.expired;
    due += split.due;
  }
  return { fromAt: from + width * i, toAt: from + width * (i + 1), expired, due, byIndex };
}

/**
 * Which counts of what did expire tell which stretch of [from, to): the coarsest that fit the buckets exactly, the
 * finest where none does; and, for what is older than those are kept, the next coarser ones.
 */
function stretchesOf(from: number, to: number, width: number, now: number) {
  const fitting = ACTUAL_LEVELS.findLastIndex(level => from % level.width === 0 && width % level.width === 0);
  const stretches: { level: number; unit: number; from: number; to: number }[] = [];
  let until = to;
  for (let level = Math.max(0, fitting); level < ACTUAL_LEVELS.length && until > from; level++) {
    const { width: unit, keepMs } = ACTUAL_LEVELS[level] ?? { width: SECOND, keepMs: DAY };
    const coarser = ACTUAL_LEVELS[level + 1]?.width;
    const keptSince = coarser === undefined ? from : Math.ceil((now - keepMs) / coarser) * coarser;
    if (keptSince >= until) continue;
    stretches.push({ level, unit, from: Math.max(from, keptSince), to: until });
    until = keptSince;
  }
  return stretches;
}

/** Adds what did expire to its series; answers the earliest instant known of. */
function addActuals(
  reader: Reader,
  collections: readonly CatalogCollection[],
  { from, to, buckets }: TimelineQuery,
  now: number,
  seriesOf: (collection: CatalogCollection, source: string) => Series,
): number | null {
  const width = (to - from) / buckets;
  const stretches = stretchesOf(from, to, width, now);
  const counts = reader.db
    .prepare<[number, number, number, number], [bucket: number, source: number, documents: number]>(
      'SELECT bucket, source, documents FROM actuals WHERE collection = ? AND level = ? AND bucket >= ? AND bucket < ?',
    )
    .raw();
  const firstHour = reader.db
    .prepare<[number, number], number | null>(
      'SELECT min(bucket) FROM actuals WHERE collection = ? AND level = ?',
    )
    .pluck();
  const names = sourceNames(reader);
  let past: number | null = null;
  for (const collection of collections) {
    const bucket = firstHour.get(collection.id, ACTUAL_LEVELS.length - 1);
    if (bucket !== null && bucket !== undefined) {
      past = earliest([past, bucket * HOUR]);
    }
    for (const { level, unit, ...stretch } of stretches) {
      const [first, end] = [Math.floor(stretch.from / unit), Math.ceil(stretch.to / unit)];
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

function sourceNames(reader: Reader): Map<number, string> {
  const rows = reader.db.prepare<[], { id: number; name: string }>('SELECT id, name FROM ttl_indexes').all();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Seconds in which many leave as one: they hold a fair share of their bucket on screen and stand far above the
 * minute around them. Over a long span the fullest minutes or hours are looked into, a bounded number of them.
 */
function cliffsOf(
  reader: Reader,
  source: DeadlineSource,
  series: string,
  from: number,
  to: number,
  counts: readonly number[],
  width: number,
): TimelineAnswer['cliffs'] {
  const level = CLIFF_LEVELS.findIndex(span => to - from <= span);
  if (level < 0) return [];
  const side = reader.table(source.table);
  const full = side.fullest(level, from - source.addMs, to - source.addMs, CLIFF_LEAST);
  const seconds =
    level === 0
      ? full
      : full
          .slice(0, MOST_CLIFFS)
          .flatMap(({ reference }) =>
            side.fullest(0, reference, reference + (COUNT_LEVELS[level] ?? SECOND), CLIFF_LEAST).slice(0, 1),
          );
  return seconds
    .filter(({ reference, documents }) => {
      const bucket = Math.floor((reference + source.addMs - from) / width);
      if (documents < CLIFF_SHARE * (counts[bucket] ?? 0)) return false;
      const around = side.inSeconds(reference - HALF_MINUTE, reference + HALF_MINUTE) - documents;
      return documents >= (CLIFF_FACTOR * around) / 59;
    })
    .map(({ reference, documents }) => ({ at: reference + source.addMs, count: documents, series }));
}

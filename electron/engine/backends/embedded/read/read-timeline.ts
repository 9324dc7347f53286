import type { TimelineAnswer } from '../../../../../shared/contract/timeline.ts';
import { EXPLICIT, type Pause } from '../../../../../shared/model/ttl-index.ts';
import { earliest } from '../../../deadline-index/deadline-figures.ts';
import { ExpiryCountsReader } from '../../../deadline-index/expiry-counts-reader.ts';
import { TimelineCounts } from '../../../deadline-index/timeline-counts.ts';
import type { TimelineQuery } from '../../backend.ts';
import {
  type CatalogCollection,
  type DeadlineSource,
  deadlineSources,
  EXPLICIT_SOURCE,
  isRecounting,
} from '../catalog/catalog.ts';
import type { ReadConnection } from './read-connection.ts';
import { actionDueAt } from './read-summaries.ts';

interface Series {
  id: string;
  label: string;
  paused: Pause | null;
  forecasts: DeadlineSource[];
}

/**
 * Returns what will expire by deadline and what did by removal time, in one series of buckets [X2]. Costs time per
 * bucket, not per document. Throws BAD_REQUEST for an empty span.
 */
export function readTimeline(reader: ReadConnection, query: TimelineQuery, now: number): TimelineAnswer {
  const counts = new TimelineCounts(query, now);
  const isOfStore = query.collection === undefined;
  const collections =
    query.collection === undefined
      ? [...reader.catalog.collections.keys()].map(name => reader.collection(name))
      : [reader.collection(query.collection)];
  let dueForAction: number | null = null;
  /** Earliest overdue deadline of the series that are not paused: the reaper has not reached it yet. */
  let oldestRunning: number | null = null;
  for (const series of isOfStore ? byCollection(reader, collections) : byIndex(collections)) {
    counts.addSeries(series);
    for (const { table, addMs, index } of series.forecasts) {
      const { overdue, firstAt } = counts.addDeadlines(series.id, reader.table(table), addMs);
      if (overdue === 0) continue;
      dueForAction = earliest([dueForAction, actionDueAt(reader, index, firstAt, now)]);
      if (series.paused === null) oldestRunning = earliest([oldestRunning, firstAt]);
    }
  }
  const expired = new ExpiryCountsReader(reader.db);
  const names = sourceNames(reader);
  for (const { id, name } of collections)
    counts.addExpired(expired, id, source => (isOfStore ? name : (names.get(source) ?? EXPLICIT)));
  return {
    ...counts.answer(),
    revision: reader.revision,
    cutoff: oldestRunning === null ? now : oldestRunning - 1,
    actionDueAt: dueForAction,
    recounting: collections.some(isRecounting),
  };
}

function byCollection(reader: ReadConnection, collections: readonly CatalogCollection[]): Series[] {
  return collections
    .map(collection => {
      const { name } = collection;
      const stopped = collection.indexes.length > 0 && collection.indexes.every(index => index.isPaused);
      const paused = collection.paused ?? (stopped ? (collection.indexes[0]?.paused ?? null) : null);
      return { id: name, label: name, paused, forecasts: deadlineSources(collection) };
    })
    .filter(
      ({ forecasts }) =>
        forecasts.length > 1 || forecasts.some(({ table }) => reader.table(table).first() !== null),
    );
}

function byIndex(collections: readonly CatalogCollection[]): Series[] {
  return collections.flatMap(collection =>
    deadlineSources(collection)
      .map(source => ({
        id: source.name,
        label: source.id === EXPLICIT_SOURCE ? 'set by hand' : source.name,
        paused: source.paused ?? collection.paused,
        forecasts: [source],
      }))
      // Indexes in the order of their creation, then explicit expirations.
      .sort((a, b) => Number(a.id === EXPLICIT) - Number(b.id === EXPLICIT)),
  );
}

function sourceNames(reader: ReadConnection): Map<number, string> {
  const rows = reader.db.prepare<[], { id: number; name: string }>('SELECT id, name FROM ttl_indexes').all();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

import { MINUTE } from '../../../deadline-index/count-levels.ts';
import type { ChangeReader } from './read-changes.ts';
import type { ReadConnection } from './read-connection.ts';
import { summarize } from './read-summaries.ts';
import { readTimeline } from './read-timeline.ts';

/** So many collections are read ahead: what takes most of the time is compiled with the first. */
const MOST_COLLECTIONS = 4;

/**
 * Reads what a window asks for when documents expire: figures, timeline and latest event of some collections, one read a
 * step. What that runs is compiled and prepared then, which takes 10 ms of the first answers.
 */
export function* rehearseReads(
  reader: ReadConnection,
  changes: ChangeReader,
  now: () => number,
): Generator<void, void> {
  for (const name of namesOf(reader)) {
    const exists = () => reader.catalog.collections.has(name);
    yield reader.read(() => {
      if (exists()) summarize(reader, name, now());
    });
    yield reader.read(() => {
      const to = now();
      if (exists()) readTimeline(reader, { collection: name, from: to - MINUTE, to, buckets: 60 }, to);
    });
    yield reader.read(() => {
      changes.read({ from: { revision: reader.revision, position: 0 }, collection: name, limit: 1 });
    });
  }
}

function namesOf(reader: ReadConnection): string[] {
  return reader
    .read(() => [...reader.catalog.collections.values()])
    .filter(({ indexes }) => indexes.length > 0)
    .slice(0, MOST_COLLECTIONS)
    .map(({ name }) => name);
}

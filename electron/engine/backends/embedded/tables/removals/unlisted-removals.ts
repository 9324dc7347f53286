import type { Database, Statement } from 'better-sqlite3';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import type { ExpiredInterval } from './expired-interval.ts';
import { type ExpiredIntervals, isStaleIn } from './expired-intervals.ts';
import { DELETE_ACTION, type Removal } from './removal.ts';

/** An entry of an index table: that of the removal before a position. */
interface Place {
  readonly reference: number;
  readonly row: number;
}
type Row = [reference: number, row: number, id: string | null, explicitAt: number | null];

/** Places that are remembered of an interval, and entries between two of them: more if the interval has more. */
const MOST_PLACES = 256;
const ENTRIES_PER_PLACE = 50_000;

/** Places of an interval that need not be searched for, by their positions. */
interface KnownPlaces {
  readonly places: Map<number, Place>;
  /** The end of the page that was read last. */
  page: readonly [position: number, place: Place] | null;
}

/** Numbers of removals from one up to, but without, another. */
interface Numbers {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the documents of expired intervals that the sweep has not listed yet: a position in the interval is a place in
 * the index table. Places are remembered, so that page after page costs no more than the pages. Where
 * several read one interval by turns, a page passes over up to 50,000 entries in the index table first.
 */
export class UnlistedRemovals {
  readonly #db: Database;
  readonly #intervals: ExpiredIntervals;
  /** By number of the interval's first removal. */
  readonly #known = new Map<number, KnownPlaces>();
  readonly #readers = new Map<number, IntervalReader>();
  readonly #retention: () => Statement<[number, number], [seq: number, keepUntilAt: number]>;

  constructor(db: Database, intervals: ExpiredIntervals) {
    this.#db = db;
    this.#intervals = intervals;
    this.#retention = preparedOnUse(() =>
      db
        .prepare<[number, number], [number, number]>(
          'SELECT seq, keep_until_at FROM unlisted_retention WHERE seq >= ? AND seq < ?',
        )
        .raw(),
    );
  }

  /** Returns the intervals that have unlisted removals, in order, and forgets the places of those that are gone. */
  currentIntervals(): readonly ExpiredInterval[] {
    const { all } = this.#intervals;
    if (all.length === 0 && this.#readers.size === 0) return all;
    const present = new Set(all.map(({ first }) => first));
    for (const first of this.#known.keys()) if (!present.has(first)) this.#known.delete(first);
    if (all.length === 0) this.#readers.clear();
    return this.#intervals.unlisted;
  }

  /** Appends removals of an interval with some of its unlisted numbers, in order, until there are `limit`. */
  appendFirst(found: Removal[], interval: ExpiredInterval, { from, to }: Numbers, limit: number): void {
    const { first } = interval;
    for (let start = from - first; start < to - first && found.length < limit; ) {
      const count = Math.min(to - first - start, limit - found.length);
      found.push(...this.#forward(interval, start, count));
      start += count;
    }
  }

  /** Appends removals of an interval with some of its unlisted numbers, the latest first, until there are `limit`. */
  appendLast(found: Removal[], interval: ExpiredInterval, { from, to }: Numbers, limit: number): void {
    const { first } = interval;
    for (let end = to - first; end > from - first && found.length < limit; ) {
      const start = Math.max(from - first, end - (limit - found.length));
      found.push(...this.#backward(interval, start, end));
      end = start;
    }
  }

  #forward(interval: ExpiredInterval, start: number, count: number): Removal[] {
    const { reference, row } = this.#placeOf(interval, start);
    const rows = this.#readerOf(interval).after.all(reference, row, interval.through, count);
    this.#rememberPage(interval, start + rows.length, rows.at(-1));
    return this.#found(interval, start, rows);
  }

  #backward(interval: ExpiredInterval, start: number, end: number): Removal[] {
    const { reference, row } = this.#placeOf(interval, end);
    const rows = this.#readerOf(interval).before.all(reference, row, interval.after, end - start + 1);
    this.#rememberPage(interval, start, rows[end - start]);
    return this.#found(interval, start, rows.slice(0, end - start).reverse()).reverse();
  }

  #found(interval: ExpiredInterval, start: number, rows: readonly Row[]): Removal[] {
    const { first, revision, collection, source, addMs, removedAt, pass, keepUntilAt } = interval;
    const from = first + start;
    const kept = new Map(this.#retention().all(from, from + rows.length));
    return rows.flatMap(([reference, row, id, explicitAt], i) =>
      // An entry that should not exist removes nothing (interval-listing.ts).
      id === null || isStaleIn(interval, { reference, explicitAt })
        ? []
        : [
            {
              ...{ seq: from + i, revision, position: start + i, collection, source, row, id },
              ...{
                deadlineAt: reference + addMs,
                removedAt,
                pass,
                action: DELETE_ACTION,
                gone: 1 as const,
                keepUntilAt: kept.get(from + i) ?? keepUntilAt,
                movedTo: null,
              },
            },
          ],
    );
  }

  /** Returns the place before a position: entries after it begin there. */
  #placeOf(interval: ExpiredInterval, position: number): Place {
    const { documents, listed, listedReference, listedRow, through } = interval;
    if (position === documents) return { reference: through, row: Number.MAX_SAFE_INTEGER };
    let nearest = listed <= position ? listed : 0;
    let place: Place =
      nearest === listed
        ? { reference: listedReference, row: listedRow }
        : { reference: interval.after, row: Number.MAX_SAFE_INTEGER };
    const { places, page } = this.#knownOf(interval);
    for (const [at, known] of page === null ? places : [...places, page]) {
      if (at <= nearest || at > position) continue;
      nearest = at;
      place = known;
    }
    const { skip } = this.#readerOf(interval);
    const most = Math.max(ENTRIES_PER_PLACE, Math.ceil(documents / MOST_PLACES));
    while (nearest < position) {
      const step = Math.min(most, position - nearest);
      const next = skip.get(place.reference, place.row, through, step - 1);
      if (next === undefined) break;
      nearest += step;
      place = next;
      const [oldest] = places.keys();
      if (places.size >= MOST_PLACES && oldest !== undefined) places.delete(oldest);
      places.set(nearest, place);
    }
    return place;
  }

  #rememberPage(interval: ExpiredInterval, position: number, row: Row | undefined): void {
    if (row === undefined) return;
    const [reference, number] = row;
    this.#knownOf(interval).page = [position, { reference, row: number }];
  }

  #knownOf({ first }: ExpiredInterval): KnownPlaces {
    const known = this.#known.get(first) ?? { places: new Map(), page: null };
    this.#known.set(first, known);
    return known;
  }

  #readerOf({ table, collection }: ExpiredInterval): IntervalReader {
    const reader = this.#readers.get(table) ?? prepareReader(this.#db, table, collection);
    this.#readers.set(table, reader);
    return reader;
  }
}

type IntervalReader = ReturnType<typeof prepareReader>;

function prepareReader(db: Database, table: number, collection: number) {
  const rows = `SELECT e.reference, e.row, d.id, d.explicit_at
    FROM entries_${table} AS e LEFT JOIN documents_${collection} AS d ON d.row = e.row`;
  const after: Statement<[number, number, number, number], Row> = db
    .prepare<[number, number, number, number], Row>(
      `${rows} WHERE (e.reference, e.row) > (?, ?) AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`,
    )
    .raw();
  const before: Statement<[number, number, number, number], Row> = db
    .prepare<[number, number, number, number], Row>(
      `${rows} WHERE (e.reference, e.row) <= (?, ?) AND e.reference > ?
       ORDER BY e.reference DESC, e.row DESC LIMIT ?`,
    )
    .raw();
  return {
    after,
    before,
    skip: db.prepare<[number, number, number, number], Place>(
      `SELECT reference, row FROM entries_${table} WHERE (reference, row) > (?, ?) AND reference <= ?
       ORDER BY reference, row LIMIT 1 OFFSET ?`,
    ),
  };
}

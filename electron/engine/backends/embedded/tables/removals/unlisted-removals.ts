import type { Database, Statement } from 'better-sqlite3';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import type { ExpiredInterval } from './expired-interval.ts';
import { type ExpiredIntervals, isStaleIn } from './expired-intervals.ts';
import { DELETE_ACTION, type Removal } from './removal.ts';

/** A place in an index table: the entry of the removal before a position in the interval. */
interface Place {
  readonly position: number;
  readonly reference: number;
  readonly row: number;
}
type Row = [reference: number, row: number, id: string | null, explicitAt: number | null];

/** Entries between two places of a grid: 3 ms to pass over. An interval of ten million has 200 places. */
const ENTRIES_PER_PLACE = 50_000;

/** Places of an interval that need not be searched for. */
interface KnownPlaces {
  /** By position, a multiple of ENTRIES_PER_PLACE: only these, so that no position asked for replaces one. */
  readonly grid: Map<number, Place>;
  /** The end of the page that was read last. */
  page: Place | null;
}

/** Numbers of removals from one up to, but without, another. */
interface Numbers {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the documents of expired intervals that the sweep has not listed yet: a position in the interval is a place in
 * the index table. The end of the last page is remembered, so that page after page costs no more than the pages. Any
 * other page passes over entries from the nearest place of a grid, which is made where entries are passed over: up to
 * 50,000 of them after `approach`, otherwise as many as the interval has.
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

  /**
   * Passes over up to 50,000 entries towards a removal, if it is farther than that from every known place. Returns
   * false if it may still be: call again, in the same snapshot or a later one.
   */
  approach(seq: number): boolean {
    const interval = this.currentIntervals().find(
      ({ first, listed, documents }) => seq > first + listed && seq < first + documents,
    );
    if (interval === undefined) return true;
    const position = seq - interval.first;
    const nearest = this.#nearest(interval, position);
    if (position - nearest.position <= ENTRIES_PER_PLACE) return true;
    return this.#next(interval, nearest, position).position === position;
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
    let place = this.#nearest(interval, position);
    while (place.position < position) place = this.#next(interval, place, position);
    return place;
  }

  /** Returns the last known place up to an unlisted position. */
  #nearest(interval: ExpiredInterval, position: number): Place {
    const { documents, listed, listedReference, listedRow } = interval;
    if (position === documents) return endOf(interval, position);
    const { grid, page } = this.#knownOf(interval);
    const nearest =
      page !== null && page.position > listed && page.position <= position
        ? page
        : { position: listed, reference: listedReference, row: listedRow };
    for (let at = gridBefore(position); at > nearest.position; at -= ENTRIES_PER_PLACE) {
      const place = grid.get(at);
      if (place !== undefined) return place;
    }
    return nearest;
  }

  /** Passes over the entries from a place up to a later position, or up to the next place of the grid if that is first. */
  #next(interval: ExpiredInterval, { position: from, reference, row }: Place, position: number): Place {
    const ofGrid = gridBefore(from) + ENTRIES_PER_PLACE;
    const to = Math.min(position, ofGrid);
    const entry = this.#readerOf(interval).skip.get(reference, row, interval.through, to - from - 1);
    // Without it, entries were lost with a damaged page.
    if (entry === undefined) return endOf(interval, position);
    const place = { position: to, ...entry };
    if (to === ofGrid) this.#knownOf(interval).grid.set(to, place);
    return place;
  }

  #rememberPage(interval: ExpiredInterval, position: number, last: Row | undefined): void {
    if (last === undefined) return;
    const [reference, row] = last;
    this.#knownOf(interval).page = { position, reference, row };
  }

  #knownOf({ first }: ExpiredInterval): KnownPlaces {
    const known = this.#known.get(first) ?? { grid: new Map(), page: null };
    this.#known.set(first, known);
    return known;
  }

  #readerOf({ table, collection }: ExpiredInterval): IntervalReader {
    const reader = this.#readers.get(table) ?? prepareReader(this.#db, table, collection);
    this.#readers.set(table, reader);
    return reader;
  }
}

/** Returns the place after all entries of an interval, taken for that of a position. */
function endOf({ through: reference }: ExpiredInterval, position: number): Place {
  return { position, reference, row: Number.MAX_SAFE_INTEGER };
}

/** Returns the last position of the grid up to another. */
function gridBefore(position: number): number {
  return position - (position % ENTRIES_PER_PLACE);
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
    skip: db.prepare<[number, number, number, number], Pick<Place, 'reference' | 'row'>>(
      `SELECT reference, row FROM entries_${table} WHERE (reference, row) > (?, ?) AND reference <= ?
       ORDER BY reference, row LIMIT 1 OFFSET ?`,
    ),
  };
}

import type { Database, Statement } from 'better-sqlite3';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
import type { ExpiredInterval } from './expired-interval.ts';
import type { ExpiredIntervals } from './expired-intervals.ts';
import { type DeletedEntry, unpackDeletions } from './packed-removals.ts';
import { DELETED_SOURCE, type Removal } from './removal.ts';
import { UnlistedRemovals } from './unlisted-removals.ts';

interface Row extends Omit<Removal, 'deadlineAt'> {
  readonly deadline: number;
  readonly packed: string | null;
}

/** Which removals are read; absent: all. */
export interface RemovalFilter {
  readonly collection?: number | undefined;
  readonly cause?: 'expired' | 'deleted' | undefined;
  /** Leaves out removals of collections that were dropped. */
  readonly withoutDropped?: boolean;
}

const COLUMNS = `seq, revision, position, collection, source, row, id, deadline, removed_at AS removedAt, pass, action, gone,
  keep_until_at AS keepUntilAt, moved_to AS movedTo, packed`;

/** The latest removals below a number that match a filter. */
export interface RemovalsBefore {
  readonly removals: Removal[];
  /** The number below which to continue, also if there are fewer removals than were asked for; null: there are no more. */
  readonly next: number | null;
}

/**
 * Numbers of listed removals that one call examines: a filter that nothing matches would hold the thread for as long as
 * the history is. 2 ms, if each has a row of its own.
 */
const MOST_EXAMINED = 32_768;

/** Consecutive numbers, from one up to, but without, another: unlisted removals of an interval, or listed ones (null). */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly interval: ExpiredInterval | null;
}

/**
 * Reads removals by number, on any connection, however they are stored: a row of `removals` each, many packed into one
 * row, or as an expired interval that the sweep has not listed yet.
 */
export class RemovalReader {
  readonly #unlisted: UnlistedRemovals;
  readonly #between: Statement<[from: number, from: number, to: number], Row>;
  readonly #before: () => Statement<
    [
      {
        from: number;
        before: number;
        collection: number | null;
        isDeleted: number | null;
        withoutDropped: number;
      },
    ],
    Row
  >;
  readonly #lastIn: () => Statement<[from: number, before: number], number>;
  readonly #firstFrom: () => Statement<[number], number>;
  readonly #collections: () => Statement<[number], unknown>;

  constructor(db: Database, intervals: ExpiredIntervals) {
    this.#unlisted = new UnlistedRemovals(db, intervals);
    this.#between = db.prepare(
      // The row before may have several, up to and beyond the first that is wanted.
      `SELECT ${COLUMNS} FROM removals
       WHERE seq >= coalesce((SELECT max(seq) FROM removals WHERE seq <= ?), ?) AND seq < ? ORDER BY seq`,
    );
    this.#before = preparedOnUse(() =>
      db.prepare(
        `SELECT ${COLUMNS} FROM removals AS r
         WHERE seq >= @from AND seq < @before AND (@collection IS NULL OR collection = @collection)
           AND (@isDeleted IS NULL OR (source = ${DELETED_SOURCE}) = @isDeleted)
           AND (@withoutDropped = 0 OR EXISTS (SELECT 1 FROM collections AS c WHERE c.id = r.collection))
         ORDER BY seq DESC`,
      ),
    );
    this.#lastIn = preparedOnUse(() =>
      db
        .prepare<[number, number], number>(
          'SELECT seq FROM removals WHERE seq >= ? AND seq < ? ORDER BY seq DESC LIMIT 1',
        )
        .pluck(),
    );
    this.#firstFrom = preparedOnUse(() =>
      db.prepare<[number], number>('SELECT seq FROM removals WHERE seq >= ? ORDER BY seq LIMIT 1').pluck(),
    );
    this.#collections = preparedOnUse(() => db.prepare('SELECT 1 FROM collections WHERE id = ?'));
  }

  /**
   * Goes a step of a few milliseconds towards the removals from, or below, a number. Returns whether they are reached:
   * reading them takes no longer than such a step, then. Without it, it takes as long as the interval has documents.
   */
  approach(seq: number): boolean {
    return this.#unlisted.approach(seq);
  }

  /** Returns removals from one number up to, but without, another, at most `limit`, in order. */
  between(from: number, to: number, limit: number): Removal[] {
    const found: Removal[] = [];
    for (const span of spansOf(this.#unlisted.currentIntervals(), from, to)) {
      if (span.interval !== null) this.#unlisted.appendFirst(found, span.interval, span, limit);
      else
        for (const row of this.#between.iterate(span.from, span.from, span.to)) {
          if (found.length >= limit) break;
          append(found, row, span.from, span.to);
        }
      if (found.length >= limit) break;
    }
    return found.length > limit ? found.slice(0, limit) : found;
  }

  /** Returns removals with a number below `before`, at most `limit`, the latest first. */
  before(before: number, limit: number, filter: RemovalFilter = {}): RemovalsBefore {
    const { collection, cause, withoutDropped = false } = filter;
    const isWanted = (interval: ExpiredInterval) =>
      cause !== 'deleted' &&
      (collection === undefined || interval.collection === collection) &&
      (!withoutDropped || this.#collections().get(interval.collection) !== undefined);
    const found: Removal[] = [];
    for (const span of [...spansOf(this.#unlisted.currentIntervals(), 0, before)].reverse()) {
      if (found.length >= limit) break;
      if (span.interval === null) {
        const next = this.#appendListed(found, span, limit, filter);
        if (next !== null) return { removals: found, next };
      } else if (isWanted(span.interval)) this.#unlisted.appendLast(found, span.interval, span, limit);
    }
    const removals = found.length > limit ? found.slice(0, limit) : found;
    return { removals, next: removals.length < limit ? null : (removals.at(-1)?.seq ?? null) };
  }

  /**
   * Appends listed removals, the latest first, until there are `limit`. Returns the number below which it has examined
   * none, if that comes first.
   */
  #appendListed(
    found: Removal[],
    { from, to }: Span,
    limit: number,
    { collection, cause, withoutDropped = false }: RemovalFilter,
  ): number | null {
    const last = this.#lastIn().get(from, to);
    if (last === undefined) return null;
    // Begins with a row: a packed one is examined as a whole.
    const least = this.#firstFrom().get(Math.max(from, last - MOST_EXAMINED + 1)) ?? last;
    const rows = this.#before().iterate({
      from: least,
      before: to,
      collection: collection ?? null,
      isDeleted: cause === undefined ? null : Number(cause === 'deleted'),
      withoutDropped: Number(withoutDropped),
    });
    for (const row of rows) {
      const ofRow: Removal[] = [];
      append(ofRow, row, row.seq, to);
      found.push(...ofRow.reverse());
      if (found.length >= limit) return null;
    }
    return this.#lastIn().get(from, least) === undefined ? null : least;
  }

  /** Returns one removal; null if there is none of this number. */
  at(seq: number): Removal | null {
    return this.between(seq, seq + 1, 1)[0] ?? null;
  }
}

/** Divides numbers into those of listed removals and those of each interval's unlisted ones, in order. */
function* spansOf(unlisted: readonly ExpiredInterval[], from: number, to: number): Generator<Span> {
  let next = from;
  for (const interval of unlisted) {
    const { first, listed, documents } = interval;
    const start = Math.max(first + listed, from);
    const end = Math.min(first + documents, to);
    if (start >= end) continue;
    if (next < start) yield { from: next, to: start, interval: null };
    yield { from: start, to: end, interval };
    next = end;
  }
  if (next < to) yield { from: next, to, interval: null };
}

/** Appends the removals of one row with numbers in [from, to), in order. */
function append(removals: Removal[], row: Row, from: number, to: number): void {
  const {
    seq,
    revision,
    position,
    collection,
    source,
    id,
    deadline,
    removedAt,
    pass,
    action,
    gone,
    movedTo,
  } = row;
  // One shape of objects, written in one place: a watch reads hundreds of thousands a second.
  const add = (place: number, one: DeletedEntry) =>
    removals.push({
      seq: seq + place,
      revision,
      position: position + place,
      collection,
      source,
      row: one.row,
      id: one.id,
      deadlineAt: one.deadlineAt,
      removedAt,
      pass,
      action,
      gone,
      keepUntilAt: one.keepUntilAt ?? row.keepUntilAt,
      movedTo,
    });
  if (row.packed === null) {
    if (seq >= from) add(0, { row: row.row, id, deadlineAt: deadline });
    return;
  }
  const first = Math.max(0, from - seq);
  const deletions = unpackDeletions(row.packed, deadline, first, to - seq);
  for (let i = 0; i < deletions.length; i += 1) {
    const deletion = deletions[i];
    if (deletion) add(first + i, deletion);
  }
}

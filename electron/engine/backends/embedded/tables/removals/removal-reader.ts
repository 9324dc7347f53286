import type { Database, Statement } from 'better-sqlite3';
import { preparedOnUse } from '../../../../deadline-index/prepared-on-use.ts';
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
  /** Only those of collections that exist. */
  readonly isListed?: boolean;
}

const COLUMNS = `seq, revision, position, collection, source, row, id, deadline, removed_at AS removedAt, pass, action, gone,
  keep_until_at AS keepUntilAt, moved_to AS movedTo, packed`;

/**
 * Reads removals by number, on any connection, however they are stored: a row of `removals` each, many packed into one
 * row, or as an expired interval that the sweep has not listed yet.
 */
export class RemovalReader {
  readonly #unlisted: UnlistedRemovals;
  readonly #between: Statement<[from: number, from: number, to: number], Row>;
  readonly #before: () => Statement<
    [{ before: number; collection: number | null; isDeleted: number | null; isListed: number }],
    Row
  >;
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
         WHERE seq < @before AND (@collection IS NULL OR collection = @collection)
           AND (@isDeleted IS NULL OR (source = ${DELETED_SOURCE}) = @isDeleted)
           AND (@isListed = 0 OR EXISTS (SELECT 1 FROM collections AS c WHERE c.id = r.collection))
         ORDER BY seq DESC`,
      ),
    );
    this.#collections = preparedOnUse(() => db.prepare('SELECT 1 FROM collections WHERE id = ?'));
  }

  /** Returns removals from one number up to, but without, another, at most `limit`, in order. */
  between(from: number, to: number, limit: number): Removal[] {
    const unlisted = this.#unlisted.between(from, to, limit);
    const found: Removal[] = [];
    // Listed removals may have lower numbers than the unlisted ones that fill the limit.
    if (unlisted.length < to - from)
      for (const row of this.#between.iterate(from, from, to)) {
        if (found.length >= limit) break;
        append(found, row, from, to);
      }
    const all = unlisted.length === 0 ? found : merged(found, unlisted);
    return all.length > limit ? all.slice(0, limit) : all;
  }

  /** Returns removals with a number below `before`, at most `limit`, the latest first. */
  before(
    before: number,
    limit: number,
    { collection, cause, isListed = false }: RemovalFilter = {},
  ): Removal[] {
    const isWanted = (of: number) =>
      (collection === undefined || of === collection) &&
      (!isListed || this.#collections().get(of) !== undefined);
    const unlisted =
      cause === 'deleted'
        ? []
        : this.#unlisted.before(before, limit, interval => isWanted(interval.collection));
    const found: Removal[] = [];
    const rows = this.#before().iterate({
      before,
      collection: collection ?? null,
      isDeleted: cause === undefined ? null : Number(cause === 'deleted'),
      isListed: Number(isListed),
    });
    for (const row of rows) {
      if (found.length >= limit) break;
      const ofRow: Removal[] = [];
      append(ofRow, row, row.seq, before);
      found.push(...ofRow.reverse());
    }
    const all = merged(found.reverse(), unlisted.reverse()).reverse();
    return all.slice(0, limit);
  }

  /** Returns one removal; null if there is none of this number. */
  at(seq: number): Removal | null {
    return this.between(seq, seq + 1, 1)[0] ?? null;
  }
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

/** Merges two lists that are in the order of their numbers. */
function merged(a: readonly Removal[], b: readonly Removal[]): Removal[] {
  return b.length === 0 ? [...a] : [...a, ...b].sort((one, other) => one.seq - other.seq);
}

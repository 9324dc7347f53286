import type { Database, Statement } from 'better-sqlite3';
import type { ExpireAction } from '../../../../../../shared/model/ttl-index.ts';
import type { LoggedDocument } from '../../../backend.ts';
import type { SweptKey } from '../documents/swept-keys.ts';
import { Meta, metaValue } from '../meta.ts';
import type { ExpiredIntervalsTable } from './expired-intervals-table.ts';
import {
  type NewDeletion,
  PACKED_ROWS,
  packDeletions,
  partsOf,
  unpackDeletions,
  unpackRows,
  withEnds,
  withoutIds,
} from './packed-removals.ts';
import { ACTIONS, DELETE_ACTION, RESTORED } from './removal.ts';
import { documentsOf, type RemovalRow, RemovalRows } from './removal-rows.ts';

interface NewRemoval {
  seq: number;
  revision: number;
  position: number;
  /** `collections.id`. */
  collection: number;
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  row: number;
  id: string;
  /** Epoch ms. */
  deadlineAt: number;
  at: number;
  pass: number;
  action: ExpireAction;
  gone: boolean;
  /** Epoch ms; 0: not restorable. */
  keepUntilAt: number;
  /** `collections.id` of the target of a move. */
  movedTo: number | null;
  /** How many actions in a row had left the document due at once before this one [A5]. */
  actionsBefore: number;
}

/** Values common to the deletions of one batch. */
interface SharedDeletion {
  revision: number;
  /** `seq` minus the position in the revision, equal for all. */
  first: number;
  collection: number;
  source: number;
  /** Deadline minus reference time, ms. */
  addMs: number;
  at: number;
  pass: number;
  keepUntilAt: number;
}

/** A row of `removals`, by its first number and its last. */
interface RowSpan {
  readonly seq: number;
  readonly last: number;
}

/** A packed row is deleted in the time of so many others: it has several pages. */
const COST_OF_PACKED = 16;

/** A row, as the sweep of keys reads it. */
type RemovedKeys = Omit<RemovalRow, 'revision'> & { readonly gone: 0 | 1; readonly row: number };

/**
 * The `removals` table: documents that expired or, while copies are kept, were deleted by hand, in order. Rows above `swept`
 * whose documents left a dead row are tombstones: every reader hides the document, and its bytes are not freed yet. Documents that one batch deletes are packed, many into one row
 * (packed-removals.ts), which takes a quarter of the time and half of the space. Written inside transactions of the caller.
 */
export class RemovalsTable {
  readonly #meta: Meta;
  readonly #intervals: ExpiredIntervalsTable;
  readonly #rows: RemovalRows;
  readonly #sql;

  constructor(db: Database, intervals: ExpiredIntervalsTable) {
    this.#meta = new Meta(db);
    this.#intervals = intervals;
    this.#rows = new RemovalRows(db);
    this.#sql = prepare(db);
  }

  /** The highest `seq`; 0 if there is none. */
  lastSeq(): number {
    return Math.max(this.#sql.lastSeq.get() ?? 0, this.#intervals.lastSeq());
  }

  /** Returns a number above both marks of `meta`, even if the table is empty: numbers are never used again. */
  nextSeq(): number {
    return Math.max(this.lastSeq(), this.#meta.number('swept') ?? 0, this.#meta.number('pruned') ?? 0) + 1;
  }

  insert(removal: NewRemoval): void {
    const { seq, revision, position, collection, source, row, id, deadlineAt, at, pass } = removal;
    const { action, gone, keepUntilAt, movedTo, actionsBefore } = removal;
    this.#sql.insert.run(
      ...[
        seq,
        revision,
        position,
        collection,
        source,
        row,
        id,
        deadlineAt,
        at,
        pass,
        ACTIONS.indexOf(action),
      ],
      ...[gone ? 1 : 0, keepUntilAt, movedTo, actionsBefore, 1, null],
    );
  }

  /** Inserts deletions, numbered from `seq` on, packed. `onRow` is called for each row with its number and deletions. */
  insertDeletions<Deletion extends NewDeletion>(
    { revision, first, collection, source, addMs, at, pass, keepUntilAt }: SharedDeletion,
    deletions: readonly Deletion[],
    seq: number,
    onRow?: (seq: number, deletions: readonly Deletion[]) => void,
  ): void {
    let next = seq;
    for (const part of partsOf(deletions, keepUntilAt > 0)) {
      const [head] = part;
      if (head === undefined) continue;
      const deadline = head.reference + addMs;
      const position = next - first;
      const [row, id, packed] = part.length === 1 ? [head.row, head.id, null] : [0, '', packDeletions(part)];
      this.#sql.insert.run(
        ...[next, revision, position, collection, source, row, id, deadline, at, pass, DELETE_ACTION, 1],
        ...[packed === null ? (head.keepUntilAt ?? keepUntilAt) : keepUntilAt, null, 0, part.length, packed],
      );
      onRow?.(next, part);
      next += part.length;
    }
  }

  /** Marks removals as no longer restorable. */
  endRetention(seqs: readonly number[]): void {
    this.#setRetention(seqs, 0);
  }

  /** Marks all removals of one row as no longer restorable. */
  endRetentionOfRow(seq: number): void {
    this.#sql.endRetentionOfRow.run(seq);
  }

  /** Marks removals as restored. */
  markRestored(seqs: readonly number[]): void {
    this.#setRetention(seqs, RESTORED);
  }

  /** Each row is written once. */
  #setRetention(seqs: readonly number[], keepUntilAt: number): void {
    const listed = seqs.filter(seq => !this.#intervals.setRetention(seq, keepUntilAt));
    for (const { row, seqs: ofRow } of this.#rows.all(listed)) {
      const places = ofRow.map(seq => seq - row.seq);
      if (row.packed === null) this.#sql.setRetention.run(keepUntilAt, row.seq);
      else this.#sql.setPacked.run(withEnds(row.packed, places, keepUntilAt), row.seq);
    }
  }

  /**
   * Marks a collection's removals after one and up to another as not restorable, if their retention ended without a
   * copy.
   */
  endOverdueRetention(collection: number, after: number, through: number, now: number): void {
    this.#sql.endOverdueRetention.run(collection, after, through, now);
  }

  /** Restarts the count of consecutive actions on its document [A5]. */
  resetActionsBefore(seq: number): void {
    this.#sql.resetActionsBefore.run(seq);
  }

  /** Returns up to `most` rows that the change log no longer refers to, in order, and the last removal of each. */
  prunable(most: number): RowSpan[] {
    return withinStep(this.#sql.prunable.iterate(most), most);
  }

  /** Deletes a row without a copy; one with copies is deleted together with the last of them. */
  deleteWithoutCopy(seq: number): void {
    this.#sql.deleteWithoutCopy.run(seq);
  }

  /** Deletes a row unless the change log refers to it. Returns whether one was deleted. */
  deletePruned(seq: number): boolean {
    return this.#sql.deletePruned.run(seq).changes > 0;
  }

  /** Returns the documents of swept removals; none for tombstones. */
  swept(seqs: readonly number[]): LoggedDocument[] {
    return this.#rows.all(this.#sweptOf(seqs)).flatMap(({ row, seqs: ofRow }) => documentsOf(row, ofRow));
  }

  /** Erases the `_id`s of swept removals and returns their documents; tombstones stay. */
  deleteSwept(seqs: readonly number[]): LoggedDocument[] {
    return this.#rows.all(this.#sweptOf(seqs)).flatMap(({ row, seqs: ofRow }) => {
      const places = ofRow.map(seq => seq - row.seq);
      const packed = row.packed === null ? null : withoutIds(row.packed, places);
      if (packed === null) this.#sql.delete.run(row.seq);
      else this.#sql.setPacked.run(packed, row.seq);
      return documentsOf(row, ofRow);
    });
  }

  /** Numbers up to the mark are never used again: an expiry keeps its own even if the latest was erased. */
  #sweptOf(seqs: readonly number[]): readonly number[] {
    const swept = this.#meta.number('swept') ?? 0;
    return seqs.filter(seq => seq <= swept);
  }

  /** Deletes up to `most` rows of revisions up to and including one, fewer packed ones. Returns their number. */
  deleteSomeThrough(revision: number, most: number): number {
    const last = withinStep(this.#sql.oldest.iterate(most), most).at(-1);
    return last === undefined ? 0 : this.#sql.deleteSomeThrough.run(last.seq, revision).changes;
  }

  deleteAll(): void {
    this.#sql.deleteAll.run();
  }

  /** Whether the sweep has work: tombstones, or an expired interval. */
  hasTombstones(): boolean {
    return (
      this.#intervals.known.all.length > 0 ||
      this.#sql.firstAfter.get(this.#meta.number('swept') ?? 0) !== undefined
    );
  }

  hasTombstonesThrough(seq: number): boolean {
    return (
      this.#intervals.known.all.some(({ first }) => first <= seq) ||
      this.#sql.tombstoneThrough.get(seq) !== undefined
    );
  }

  /** Returns the rows of all removals after one and up to another, which all left their collection. */
  rowsBetween(after: number, through: number): number[] {
    return this.#sql.rowsBetween
      .all(after, through)
      .flatMap(([row, documents, packed]) => (packed === null ? [row] : unpackRows(packed, documents)));
  }

  /**
   * Reads `most` removals after one, up to `through`, or a few more if they are packed. Returns the keys of those documents
   * that left the collections, and the last removal that was read. The limit is one of removals, so that a call is
   * short also if none is of these collections.
   */
  keysAfter(
    collections: ReadonlySet<number>,
    after: number,
    { through, most }: { through: number; most: number },
  ): { keys: SweptKey[]; last: number } {
    const keys: SweptKey[] = [];
    let removals = 0;
    for (const row of this.#sql.keysAfter.iterate(after, through)) {
      const { collection, packed } = row;
      if (row.gone === 1 && collections.has(collection)) {
        if (packed === null) keys.push(row);
        else
          for (const one of unpackDeletions(packed, row.deadline))
            if (one !== null) keys.push({ collection, id: one.id, row: one.row });
      }
      removals += row.documents;
      if (removals >= most) return { keys, last: row.seq + row.documents - 1 };
    }
    return { keys, last: through };
  }

  isGone(seq: number): boolean {
    return this.#sql.isGone.get(seq) === 1;
  }

  /** Returns the collections of up to `most` rows after `seq`. */
  collectionsAfter(seq: number, most: number): { seq: number; collection: number }[] {
    return this.#sql.collectionsAfter.all(seq, most);
  }
}

/** Returns the first of some rows, as many as one step deletes. */
function withinStep(rows: Iterable<RowSpan>, most: number): RowSpan[] {
  const some: RowSpan[] = [];
  let left = most;
  for (const row of rows) {
    if (left <= 0) break;
    some.push(row);
    left -= row.last === row.seq ? 1 : COST_OF_PACKED;
  }
  return some;
}

function prepare(db: Database) {
  const lastSeq: Statement<[], number> = db
    .prepare<[], number>(
      'SELECT seq + documents - 1 FROM removals WHERE seq = (SELECT max(seq) FROM removals)',
    )
    .pluck();
  // The change log refers to rows of this table [V3], so both are compacted together, by age and by size.
  const prunable: Statement<[number], RowSpan> = db.prepare(
    `SELECT seq, seq + documents - 1 AS last FROM removals
     WHERE seq > ${metaValue('pruned')}
       AND seq < (SELECT coalesce(min(removals_from), 9223372036854775807) FROM
                    (SELECT removals_from FROM log ORDER BY revision LIMIT 1))
     ORDER BY seq LIMIT ?`,
  );
  const isGone: Statement<[number], number> = db
    .prepare<[number], number>('SELECT gone FROM removals WHERE seq = ?')
    .pluck();
  const rowsBetween: Statement<[number, number], [row: number, documents: number, packed: string | null]> = db
    .prepare<[number, number], [number, number, string | null]>(
      `SELECT row, documents, ${PACKED_ROWS} FROM removals WHERE seq > ? AND seq <= ?`,
    )
    .raw();
  return {
    lastSeq,
    rowsBetween,
    prunable,
    isGone,
    insert: db.prepare<(number | string | null)[]>(
      `INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                             gone, keep_until_at, moved_to, handed, documents, packed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    endRetentionOfRow: db.prepare<[number]>(
      'UPDATE removals SET keep_until_at = 0 WHERE seq = ? AND keep_until_at > 0',
    ),
    // The lowest wins: a removal that is restored, or not restorable, stays so.
    setRetention: db.prepare<[number, number]>(
      'UPDATE removals SET keep_until_at = min(keep_until_at, ?) WHERE seq = ?',
    ),
    keysAfter: db.prepare<[number, number], RemovedKeys>(
      `SELECT seq, documents, collection, gone, row, id, deadline, packed FROM removals
       WHERE seq > ? AND seq <= ? ORDER BY seq`,
    ),
    setPacked: db.prepare<[string, number]>('UPDATE removals SET packed = ? WHERE seq = ?'),
    delete: db.prepare<[number]>('DELETE FROM removals WHERE seq = ?'),
    endOverdueRetention: db.prepare<[number, number, number, number]>(
      `UPDATE removals SET keep_until_at = 0
       WHERE collection = ? AND seq > ? AND seq <= ? AND keep_until_at > 0 AND keep_until_at <= ? AND gone = 1
         AND NOT EXISTS (SELECT 1 FROM retained WHERE retained.seq = removals.seq)`,
    ),
    resetActionsBefore: db.prepare<[number]>('UPDATE removals SET handed = 0 WHERE seq = ?'),
    deleteWithoutCopy: db.prepare<[number]>(
      'DELETE FROM removals WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM retained AS k WHERE k.seq = removals.seq)',
    ),
    deletePruned: db.prepare<[number]>(
      `DELETE FROM removals WHERE seq = ? AND seq <= ${metaValue('pruned')}`,
    ),
    oldest: db.prepare<[number], RowSpan>(
      'SELECT seq, seq + documents - 1 AS last FROM removals ORDER BY seq LIMIT ?',
    ),
    deleteSomeThrough: db.prepare<[number, number]>('DELETE FROM removals WHERE seq <= ? AND revision <= ?'),
    deleteAll: db.prepare<[]>('DELETE FROM removals'),
    firstAfter: db.prepare<[number], unknown>('SELECT seq FROM removals WHERE seq > ? LIMIT 1'),
    tombstoneThrough: db.prepare<[number], unknown>(
      `SELECT 1 FROM removals WHERE seq > ${metaValue('swept')} AND seq <= ? LIMIT 1`,
    ),
    collectionsAfter: db.prepare<[number, number], { seq: number; collection: number }>(
      'SELECT seq, collection FROM removals WHERE seq > ? ORDER BY seq LIMIT ?',
    ),
  };
}

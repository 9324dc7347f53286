import type { Database, Statement } from 'better-sqlite3';
import type { ExpireAction } from '../../../../../../shared/model/ttl-index.ts';
import type { LoggedDocument } from '../../../backend.ts';
import { Meta, metaValue } from '../meta.ts';
import type { ExpiredIntervalsTable } from './expired-intervals-table.ts';

/** Stored by position in this list: only append. */
export const ACTIONS = ['delete', 'patch', 'replace', 'move'] as const satisfies readonly ExpireAction[];

/** Value of `source` for documents that were deleted by hand; no rule has this number. */
export const DELETED_SOURCE = -1;

/** Returns why a document left, by the source of its removal. */
export function causeOf(source: number): 'expired' | 'deleted' {
  return source === DELETED_SOURCE ? 'deleted' : 'expired';
}

/** Value of `keep_until_at` of a removal whose document was restored; 0: it is not restorable for another reason. */
export const RESTORED = -1;

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
  handed: number;
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

/** Deletions inserted by one statement, which takes half the time of one row per statement. */
const ROWS_A_STATEMENT = 32;

/**
 * The `removals` table: expired documents, in order. Rows above `swept` are the tombstones: every reader hides the
 * document, and its bytes are not freed yet. Written inside transactions of the caller.
 */
export class RemovalsTable {
  readonly #meta: Meta;
  readonly #intervals: ExpiredIntervalsTable;
  readonly #sql;

  constructor(db: Database, intervals: ExpiredIntervalsTable) {
    this.#meta = new Meta(db);
    this.#intervals = intervals;
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
    this.#sql.insert.run(
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
      ACTIONS.indexOf(removal.action),
      removal.gone ? 1 : 0,
      removal.keepUntilAt,
      removal.movedTo,
      removal.handed,
    );
  }

  /** Inserts deletions without further columns, numbered from `seq` on. */
  insertDeletions(
    { revision, first, collection, source, addMs, at, pass, keepUntilAt }: SharedDeletion,
    entries: readonly { row: number; id: string; reference: number }[],
    seq: number,
  ): void {
    let next = seq;
    for (let i = 0; i < entries.length; i += ROWS_A_STATEMENT) {
      const some = entries.slice(i, i + ROWS_A_STATEMENT);
      const values: (number | string)[] = [revision, first, collection, source, addMs, at, pass, keepUntilAt];
      for (const { row, id, reference } of some) values.push(next++, row, id, reference);
      if (some.length === ROWS_A_STATEMENT) this.#sql.insertDeletions.run(values);
      else this.#sql.insertSomeDeletions(some.length).run(values);
    }
  }

  /** Marks a removal as no longer restorable. */
  endRetention(seq: number): void {
    if (!this.#intervals.setRetention(seq, 0)) this.#sql.endRetention.run(seq);
  }

  /** Sets until when a listed removal is restorable. */
  setRetention(seq: number, keepUntilAt: number): void {
    this.#sql.setRetention.run(keepUntilAt, seq);
  }

  /** Marks a removal as restored. */
  markRestored(seq: number): void {
    if (!this.#intervals.setRetention(seq, RESTORED)) this.#sql.markRestored.run(seq);
  }

  /**
   * Marks a collection's removals after one and up to another as not restorable, if their retention ended without a
   * copy.
   */
  endOverdueRetention(collection: number, after: number, through: number, now: number): void {
    this.#sql.endOverdueRetention.run(collection, after, through, now);
  }

  /** Restarts the count of consecutive actions on its document [A5]. */
  resetHanded(seq: number): void {
    this.#sql.resetHanded.run(seq);
  }

  /** Returns up to `most` removals that the change log no longer refers to, in order. */
  prunable(most: number): number[] {
    return this.#sql.prunable.all(most);
  }

  /** Deletes a removal without a copy; one with a copy is deleted together with it. */
  deleteWithoutCopy(seq: number): void {
    this.#sql.deleteWithoutCopy.run(seq);
  }

  /** Deletes a removal unless the change log refers to it. Returns whether one was deleted. */
  deletePruned(seq: number): boolean {
    return this.#sql.deletePruned.run(seq).changes > 0;
  }

  /** Returns the document of a swept removal; none for a tombstone. */
  swept(seq: number): LoggedDocument[] {
    return this.#sql.swept.all(seq);
  }

  /** Deletes a swept removal and returns its document; a tombstone stays. */
  deleteSwept(seq: number): LoggedDocument[] {
    return this.#sql.deleteSwept.all(seq);
  }

  /** Deletes removals of revisions up to and including one, among the `most` oldest. Returns their number. */
  deleteSomeThrough(revision: number, most: number): number {
    return this.#sql.deleteSomeThrough.run(most, revision).changes;
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

  /** Returns rows of removals after one and up to another, which all left their collection. */
  rowsBetween(after: number, through: number): number[] {
    return this.#sql.rowsBetween.all(after, through);
  }

  isGone(seq: number): boolean {
    return this.#sql.isGone.get(seq) === 1;
  }

  /** Returns the collections of up to `most` removals after `seq`. */
  collectionsAfter(seq: number, most: number): { seq: number; collection: number }[] {
    return this.#sql.collectionsAfter.all(seq, most);
  }
}

/** Inserts `rows` deletions. Parameters: the common values, then number, row, `_id` and reference time of each. */
function deletionsStatement(db: Database, rows: number): Statement<[(number | string)[]]> {
  const values = Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ');
  return db.prepare<[(number | string)[]]>(
    `WITH shared (revision, first, collection, source, add_ms, at, pass, keep_until_at) AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?))
     INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                           gone, keep_until_at)
     SELECT each.column1, revision, each.column1 - first, collection, source, each.column2, each.column3,
            each.column4 + add_ms, at, pass, ${ACTIONS.indexOf('delete')}, 1, keep_until_at
     FROM shared CROSS JOIN (VALUES ${values}) AS each`,
  );
}

function prepare(db: Database) {
  const some = new Map<number, Statement<[(number | string)[]]>>();
  const lastSeq: Statement<[], number | null> = db
    .prepare<[], number | null>('SELECT max(seq) FROM removals')
    .pluck();
  // The change log refers to rows of this table [V3], so both are compacted together, by age and by size.
  const prunable: Statement<[number], number> = db
    .prepare<[number], number>(
      `SELECT seq FROM removals
       WHERE seq > ${metaValue('pruned')}
         AND seq < (SELECT coalesce(min(removals_from), 9223372036854775807) FROM
                      (SELECT removals_from FROM log ORDER BY revision LIMIT 1))
       ORDER BY seq LIMIT ?`,
    )
    .pluck();
  const isGone: Statement<[number], number> = db
    .prepare<[number], number>('SELECT gone FROM removals WHERE seq = ?')
    .pluck();
  const rowsBetween: Statement<[number, number], number> = db
    .prepare<[number, number], number>('SELECT row FROM removals WHERE seq > ? AND seq <= ?')
    .pluck();
  return {
    lastSeq,
    rowsBetween,
    prunable,
    isGone,
    insert: db.prepare<(number | string | null)[]>(
      `INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                             gone, keep_until_at, moved_to, handed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertDeletions: deletionsStatement(db, ROWS_A_STATEMENT),
    /** Statements for fewer rows; each size is prepared when first needed. */
    insertSomeDeletions(rows: number): Statement<[(number | string)[]]> {
      const known = some.get(rows) ?? deletionsStatement(db, rows);
      some.set(rows, known);
      return known;
    },
    endRetention: db.prepare<[number]>(
      'UPDATE removals SET keep_until_at = 0 WHERE seq = ? AND keep_until_at > 0',
    ),
    setRetention: db.prepare<[number, number]>('UPDATE removals SET keep_until_at = ? WHERE seq = ?'),
    markRestored: db.prepare<[number]>(`UPDATE removals SET keep_until_at = ${RESTORED} WHERE seq = ?`),
    endOverdueRetention: db.prepare<[number, number, number, number]>(
      `UPDATE removals SET keep_until_at = 0
       WHERE collection = ? AND seq > ? AND seq <= ? AND keep_until_at > 0 AND keep_until_at <= ? AND gone = 1
         AND NOT EXISTS (SELECT 1 FROM retained WHERE retained.seq = removals.seq)`,
    ),
    resetHanded: db.prepare<[number]>('UPDATE removals SET handed = 0 WHERE seq = ?'),
    deleteWithoutCopy: db.prepare<[number]>(
      'DELETE FROM removals WHERE seq = ? AND NOT EXISTS (SELECT 1 FROM retained AS k WHERE k.seq = removals.seq)',
    ),
    deletePruned: db.prepare<[number]>(
      `DELETE FROM removals WHERE seq = ? AND seq <= ${metaValue('pruned')}`,
    ),
    // Numbers below the mark are never used again: an expiry keeps its own even if the latest was erased.
    deleteSwept: db.prepare<[number], LoggedDocument>(
      `DELETE FROM removals
       WHERE seq = ? AND seq <= ${metaValue('swept')}
       RETURNING collection, id AS _id, revision`,
    ),
    swept: db.prepare<[number], LoggedDocument>(
      `SELECT collection, id AS _id, revision FROM removals WHERE seq = ? AND seq <= ${metaValue('swept')}`,
    ),
    deleteSomeThrough: db.prepare<[number, number]>(
      `DELETE FROM removals WHERE seq IN (
         SELECT seq FROM (SELECT seq, revision FROM removals ORDER BY seq LIMIT ?) WHERE revision <= ?)`,
    ),
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

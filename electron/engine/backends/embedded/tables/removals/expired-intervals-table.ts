import type { Database, Statement } from 'better-sqlite3';
import { READING_RULES_VERSION } from '../../../../../../shared/model/reading-rules.ts';
import { Meta } from '../meta.ts';
import type { ExpiredInterval } from './expired-interval.ts';
import type { ExpiredIntervals } from './expired-intervals.ts';

export type NewInterval = Omit<
  ExpiredInterval,
  'listed' | 'listedReference' | 'listedRow' | 'freed' | 'retired' | 'rules'
>;

/** A row number above all that SQLite gives. */
const AFTER_EVERY_ROW = Number.MAX_SAFE_INTEGER;

/**
 * The `expired_intervals` table, and `unlisted_retention` beside it. Written inside transactions of the caller; each
 * change is seen by `known`, the intervals of the writing connection, at once.
 */
export class ExpiredIntervalsTable {
  readonly known: ExpiredIntervals;
  readonly #meta: Meta;
  readonly #sql;

  constructor(db: Database, known: ExpiredIntervals) {
    this.known = known;
    this.#meta = new Meta(db);
    this.#sql = prepare(db);
  }

  /** Only an index whose entries the present reading rules made removes anything, here and in a mirror. */
  insert(interval: NewInterval): void {
    const { after } = interval;
    const row = { ...interval, listedReference: after, listedRow: AFTER_EVERY_ROW };
    this.#sql.insert.run(row);
    this.#changed([
      ...this.known.all,
      { ...row, listed: 0, freed: 0, retired: 0, rules: READING_RULES_VERSION },
    ]);
  }

  /** Records how far an interval is listed, and through which entry. */
  setListed(first: number, listed: number, { reference, row }: { reference: number; row: number }): void {
    this.#sql.setListed.run(listed, reference, row, first);
    this.#update(one => one.first === first, { listed, listedReference: reference, listedRow: row });
  }

  /** Marks the rows of all intervals up to a removal as freed. */
  setFreedThrough(seq: number): void {
    this.#sql.setFreedThrough.run(seq);
    this.#update(one => one.first <= seq && one.listed === one.documents, { freed: 1 });
  }

  /** Removes the mark of an interval whose entries are deleted. */
  removeMark(first: number): void {
    this.#sql.removeMark.run(first);
    this.#update(one => one.first === first, { through: -1 });
  }

  /** Marks the intervals of a table that no index has any more. */
  retire(table: number): void {
    this.#sql.retire.run(table);
    this.#update(one => one.table === table, { retired: 1 });
  }

  delete(first: number): void {
    this.#sql.delete.run(first);
    this.#changed(this.known.all.filter(one => one.first !== first));
  }

  deleteAll(): void {
    this.#sql.deleteAll.run();
    this.#sql.deleteRetention.run();
    this.#changed([]);
  }

  #update(isMeant: (interval: ExpiredInterval) => boolean, change: Partial<ExpiredInterval>): void {
    this.#changed(this.known.all.map(one => (isMeant(one) ? { ...one, ...change } : one)));
  }

  /** Records that the table has these intervals now. */
  #changed(all: readonly ExpiredInterval[]): void {
    const version = (this.#meta.number('intervals') ?? 0) + 1;
    this.#meta.set('intervals', version);
    this.known.set(all, version);
  }

  /** Sets until when a removal that is not listed yet is restorable. Returns false for any other. */
  setRetention(seq: number, keepUntilAt: number): boolean {
    const interval = this.known.at(seq);
    if (interval === null || seq < interval.first + interval.listed) return false;
    this.#sql.setRetention.run(seq, keepUntilAt);
    return true;
  }

  /** Removes and returns the settings of removals from one up to, but without, another. */
  takeRetention(from: number, to: number): { seq: number; keepUntilAt: number }[] {
    return this.#sql.takeRetention.all(from, to);
  }

  /** `seq` of the last removal of all intervals; 0 if there is none. */
  lastSeq(): number {
    return this.#sql.lastSeq.get() ?? 0;
  }
}

function prepare(db: Database) {
  const lastSeq: Statement<[], number | null> = db
    .prepare<[], number | null>('SELECT max(first + documents - 1) FROM expired_intervals')
    .pluck();
  return {
    lastSeq,
    insert: db.prepare<[NewInterval & { listedReference: number; listedRow: number }]>(
      `INSERT INTO expired_intervals (first, documents, revision, collection, source, index_table, definition, add_ms,
         after_reference, through_reference, last_row, removed_at, pass, keep_until_at, listed, listed_reference,
         listed_row, freed, retired, rules)
       VALUES (@first, @documents, @revision, @collection, @source, @table, @definition, @addMs, @after, @through,
               @lastRow, @removedAt, @pass, @keepUntilAt, 0, @listedReference, @listedRow, 0, 0,
               ${READING_RULES_VERSION})`,
    ),
    setListed: db.prepare<[number, number, number, number]>(
      'UPDATE expired_intervals SET listed = ?, listed_reference = ?, listed_row = ? WHERE first = ?',
    ),
    setFreedThrough: db.prepare<[number]>(
      'UPDATE expired_intervals SET freed = 1 WHERE first <= ? AND listed = documents',
    ),
    removeMark: db.prepare<[number]>('UPDATE expired_intervals SET through_reference = -1 WHERE first = ?'),
    retire: db.prepare<[number]>('UPDATE expired_intervals SET retired = 1 WHERE index_table = ?'),
    delete: db.prepare<[number]>('DELETE FROM expired_intervals WHERE first = ?'),
    deleteAll: db.prepare<[]>('DELETE FROM expired_intervals'),
    deleteRetention: db.prepare<[]>('DELETE FROM unlisted_retention'),
    setRetention: db.prepare<[number, number]>(
      'INSERT INTO unlisted_retention VALUES (?, ?) ON CONFLICT DO UPDATE SET keep_until_at = min(keep_until_at, excluded.keep_until_at)',
    ),
    takeRetention: db.prepare<[number, number], { seq: number; keepUntilAt: number }>(
      'DELETE FROM unlisted_retention WHERE seq >= ? AND seq < ? RETURNING seq, keep_until_at AS keepUntilAt',
    ),
  };
}

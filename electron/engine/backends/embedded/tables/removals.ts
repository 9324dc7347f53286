import type { ExpireAction } from '../../../../../shared/model/ttl-index.ts';
import type { Database, Statement } from '../file/database.ts';
import type { CatalogCollection } from './catalog.ts';
import { ACTUAL_LEVELS } from './count-levels.ts';
import type { Retained } from './retained-copies.ts';
import type { StoredBody } from './stored-json.ts';
import type { Transaction } from './transaction.ts';

export interface Removal {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  row: number;
  id: string;
  /** Epoch ms. */
  deadline: number;
  /** What was done; `gone`: the document is no longer where it was. */
  action: ExpireAction;
  gone: boolean;
  /** The text of a document that stays, as it was before it was changed: kept to be restored [X4]. */
  before?: StoredBody;
  /** Of a move: the collection it went to. */
  movedTo?: number;
  /** How many actions in a row had left it due at once before this one [A5]. */
  handed?: number;
}

/** Stored as places in this list. */
export const ACTIONS = ['delete', 'patch', 'replace', 'move'] as const satisfies readonly ExpireAction[];

/** Documents that are deleted at once by one source. */
export interface Deletions {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  entries: readonly { row: number; id: string; reference: number }[];
  /** From an entry's reference time to its deadline. */
  addMs: number;
}

/** Deletions that one statement writes down: half the time of one at a time. */
const ROWS_A_STATEMENT = 32;

/** The record of what expired: the log that is also the tombstones, and the counts by removal time [X2]. */
export class RemovalLog {
  #nextSequence: number;
  readonly #retained: Retained;
  readonly #sql;

  constructor(db: Database, retained: Retained) {
    this.#retained = retained;
    this.#sql = prepare(db);
    this.#nextSequence = nextSequence(db);
  }

  /** The number that the next removal gets. */
  get next(): number {
    return this.#nextSequence;
  }

  /** The same as `append` for documents of which nothing else is to be known. */
  appendDeletions(
    transaction: Transaction,
    collection: CatalogCollection,
    { source, entries, addMs }: Deletions,
    pass: number,
  ): void {
    const { revision, at } = transaction;
    transaction.noteRemovals(this.#nextSequence, entries.length);
    transaction.deletions.push({
      first: this.#nextSequence,
      collection: collection.id,
      rows: entries.map(({ row }) => row),
    });
    // A removal's position in its revision is what its number is beyond this.
    const first = this.#nextSequence - transaction.length;
    const keepUntil = this.#keepUntil(collection, at)(source);
    for (let i = 0; i < entries.length; i += ROWS_A_STATEMENT) {
      const some = entries.slice(i, i + ROWS_A_STATEMENT);
      const values: (number | string)[] = [
        revision,
        first,
        collection.id,
        source,
        addMs,
        at,
        pass,
        keepUntil,
      ];
      for (const { row, id, reference } of some) values.push(this.#nextSequence++, row, id, reference);
      if (some.length === ROWS_A_STATEMENT) this.#sql.appendDeletions.run(values);
      else this.#sql.appendSomeDeletions(some.length).run(values);
    }
    this.#count(collection, source, at, entries.length);
  }

  /** `pass` 0: completed by a write and not by the reaper [C4]. */
  append(
    transaction: Transaction,
    collection: CatalogCollection,
    removals: readonly Removal[],
    pass = 0,
  ): void {
    const { revision, at } = transaction;
    let position = transaction.length;
    transaction.noteRemovals(this.#nextSequence, removals.length);
    const bySource = new Map<number, number>();
    const keepUntil = this.#keepUntil(collection, at);
    for (const { source, row, id, deadline, action, gone, before, movedTo, handed } of removals) {
      const seq = this.#nextSequence++;
      const until = keepUntil(source);
      if (before !== undefined) this.#retained.keepBefore(seq, until, before);
      this.#sql.append.run(
        seq,
        revision,
        position++,
        collection.id,
        source,
        row,
        id,
        deadline,
        at,
        pass,
        ACTIONS.indexOf(action),
        gone ? 1 : 0,
        until,
        movedTo ?? null,
        handed ?? 0,
      );
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
    }
    for (const [source, documents] of bySource) this.#count(collection, source, at, documents);
  }

  #count({ id }: CatalogCollection, source: number, at: number, documents: number): void {
    for (const [level, { width }] of ACTUAL_LEVELS.entries())
      this.#sql.count.run(id, level, Math.floor(at / width), source, documents);
  }

  /** Until when what each source removes at `at` can be restored, looked up once for each. */
  #keepUntil({ indexes }: CatalogCollection, at: number): (source: number) => number {
    const known = new Map<number, number>();
    return source => {
      let until = known.get(source);
      if (until === undefined) {
        until = this.#retained.keepUntil(indexes.find(({ id }) => id === source) ?? null, at);
        known.set(source, until);
      }
      return until;
    };
  }
}

/** Never below a mark, even when the log above it is empty: a number is a tombstone, and names an expiry, only once. */
export function nextSequence(db: Database): number {
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM removals').pluck().get() ?? 0;
  const marks = db.prepare<[], number>(`SELECT value FROM meta WHERE key IN ('swept', 'pruned')`).pluck();
  return Math.max(last, ...marks.all()) + 1;
}

/** Writes down `rows` deletions: what they share, then number, row, `_id` and reference time of each. */
function deletionsStatement(db: Database, rows: number): Statement<[(number | string)[]]> {
  const values = Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ');
  return db.prepare<[(number | string)[]]>(
    `WITH shared (revision, first, collection, source, add_ms, at, pass, keep_until) AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?))
     INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                           gone, keep_until)
     SELECT each.column1, revision, each.column1 - first, collection, source, each.column2, each.column3,
            each.column4 + add_ms, at, pass, ${ACTIONS.indexOf('delete')}, 1, keep_until
     FROM shared CROSS JOIN (VALUES ${values}) AS each`,
  );
}

function prepare(db: Database) {
  const some = new Map<number, Statement<[(number | string)[]]>>();
  return {
    append: db.prepare<(number | string | null)[]>(
      `INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                             gone, keep_until, moved_to, handed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    appendDeletions: deletionsStatement(db, ROWS_A_STATEMENT),
    /** For fewer; each size is made when it is first needed. */
    appendSomeDeletions(rows: number): Statement<[(number | string)[]]> {
      const known = some.get(rows) ?? deletionsStatement(db, rows);
      some.set(rows, known);
      return known;
    },
    count: db.prepare<[number, number, number, number, number]>(
      `INSERT INTO actuals (collection, level, bucket, source, documents) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
    ),
  };
}

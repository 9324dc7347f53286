import type { ExpireAction } from '../../../../shared/model/ttl-index.ts';
import type { CatalogCollection } from './catalog.ts';
import type { Database, Statement } from './database.ts';
import { ACTUAL_LEVELS } from './levels.ts';
import type { Retained } from './retained.ts';
import type { Transaction } from './writer.ts';

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
  before?: string;
  /** Of a move: the collection it went to. */
  movedTo?: number;
}

/** Stored as places in this list. */
export const ACTIONS = ['delete', 'patch', 'replace', 'move'] as const satisfies readonly ExpireAction[];

/** The record of what expired: the log that is also the tombstones, and the counts by removal time [X2]. */
export class RemovalLog {
  #nextSequence: number;
  readonly #retained: Retained;
  readonly #append: Statement<
    [
      number,
      number,
      number,
      number,
      number,
      number,
      string,
      number,
      number,
      number,
      number,
      number,
      number,
      number | null,
    ]
  >;
  readonly #count: Statement<[number, number, number, number, number]>;

  constructor(db: Database, retained: Retained) {
    this.#retained = retained;
    this.#append = db.prepare(
      `INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass, action,
                             gone, keep_until, moved_to)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#count = db.prepare(
      `INSERT INTO actuals (collection, level, bucket, source, documents) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
    );
    this.#nextSequence = nextSequence(db);
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
    for (const { source, row, id, deadline, action, gone, before, movedTo } of removals) {
      const seq = this.#nextSequence++;
      const until = keepUntil(source);
      if (before !== undefined) this.#retained.keepBefore(seq, until, before);
      this.#append.run(
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
      );
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
    }
    for (const [source, documents] of bySource) {
      for (const [level, { width }] of ACTUAL_LEVELS.entries()) {
        this.#count.run(collection.id, level, Math.floor(at / width), source, documents);
      }
    }
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

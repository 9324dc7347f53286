import type { ExpireAction } from '../../../../shared/model/ttl-index.ts';
import type { CatalogCollection } from './catalog.ts';
import type { Database, Statement } from './database.ts';
import { ACTUAL_LEVELS } from './levels.ts';
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
}

/** Stored as places in this list. */
export const ACTIONS = ['delete', 'patch', 'replace', 'move'] as const satisfies readonly ExpireAction[];

/** The record of what expired: the log that is also the tombstones, and the counts by removal time [X2]. */
export class RemovalLog {
  #nextSequence: number;
  readonly #append: Statement<
    [number, number, number, number, number, number, string, number, number, number, number, number]
  >;
  readonly #count: Statement<[number, number, number, number, number]>;

  constructor(db: Database) {
    this.#append = db.prepare('INSERT INTO removals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
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
    const bySource = new Map<number, number>();
    for (const { source, row, id, deadline, action, gone } of removals) {
      this.#append.run(
        this.#nextSequence++,
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
      );
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
    }
    for (const [source, documents] of bySource) {
      for (const [level, { width }] of ACTUAL_LEVELS.entries()) {
        this.#count.run(collection.id, level, Math.floor(at / width), source, documents);
      }
    }
  }
}

/** Never below the sweep's mark, even when the log above it is empty: a number is a tombstone only once. */
function nextSequence(db: Database): number {
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM removals').pluck().get() ?? 0;
  const swept = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'swept'`).pluck().get() ?? 0;
  return Math.max(last, swept) + 1;
}

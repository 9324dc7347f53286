import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openEmbeddedStore } from '../../../../../electron/engine/backends/embedded/store.ts';
import type { BatchLimits } from '../../../../../electron/engine/expiry/expiry-store.ts';
import { newPass } from '../../../../../electron/engine/expiry/passes.ts';
import type { OnExpire, Schedule, TtlSource } from '../../../../../shared/model/ttl-index.ts';
import { on } from '../../../../support/documents.ts';
import { NOON } from '../../../../support/engine.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../../support/temporary.ts';

export interface IndexOptions {
  readonly source?: TtlSource;
  readonly onExpire?: OnExpire;
  readonly retention?: number | null;
  readonly schedule?: Schedule;
}

/** A store without a reaper: a test removes and sweeps by itself, on a clock that only it moves. */
export function openRemovingStore(
  collections: Readonly<Record<string, Readonly<Record<string, IndexOptions>>>>,
) {
  const file = temporaryStoreFile();
  const clock = createManualClock(NOON);
  const store = openEmbeddedStore({ file, clock, reads: 'inline' });
  onTestFinished(() => store.close());
  const build = () => {
    for (let target = store.pendingBackfills()[0]; target !== undefined; target = store.pendingBackfills()[0])
      store.backfill(target, 100);
  };
  const names = Object.keys(collections);
  for (const name of names) store.createCollection(name);
  for (const [collection, indexes] of Object.entries(collections))
    for (const [name, { source, onExpire, retention, schedule }] of Object.entries(indexes))
      store.createIndex(
        collection,
        {
          name,
          source: source ?? on(name),
          onExpire: onExpire ?? { action: 'delete' },
          schedule: schedule ?? { mode: 'exact' },
          limits: {},
          retention: retention ?? null,
        },
        { by: 'ada' },
      );
  build();
  const write = (collection: string, documents: readonly object[], mode: 'insert' | 'upsert' = 'insert') =>
    store.write(
      collection,
      documents.map((value, i) => ({ value, line: i + 1 })),
      { mode, atomic: true },
    );
  const sourceOf = (collection: string, index: string) => {
    const source = store.expiry
      .sources()
      .find(candidate => candidate.collection === collection && candidate.index === index);
    if (source === undefined) throw new Error(`there is no source ${collection}/${index}`);
    return source;
  };
  const passOf = (collection: string) =>
    newPass({ id: store.expiry.nextPassId(), collection, trigger: 'manual', at: clock.now() });
  const reap = (
    collection: string,
    index: string,
    limits: Partial<BatchLimits> = {},
    pass = passOf(collection),
  ) =>
    store.expiry.reap(
      sourceOf(collection, index),
      { cutoff: clock.now(), budgetMs: () => 1_000, maxDocuments: 10_000, isLast: true, ...limits },
      pass,
    );
  const ids = async (collection: string) => {
    const list = { collection, limit: 1_000, sort: '_id', order: 'asc', includeExpired: true } as const;
    return (await store.reads.documents(list, clock.now())).documents.map(({ _id }) => _id);
  };
  /** Runs SQL on a connection of its own. */
  const sql = (text: string): unknown[] => {
    const db = new Sqlite(file);
    try {
      const statement = db.prepare(text);
      if (statement.reader) return statement.raw().all();
      statement.run();
      return [];
    } finally {
      db.close();
    }
  };
  return { store, file, clock, write, sourceOf, passOf, reap, ids, sql };
}

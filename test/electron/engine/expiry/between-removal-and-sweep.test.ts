import { describe, expect, it } from 'vitest';
import type { EmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { on } from '../../../support/documents.ts';
import { DAY, NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const LIST = { collection: 'c', limit: 100, sort: '_id', order: 'asc', includeExpired: true } as const;

function withRemoved() {
  const file = temporaryStoreFile();
  const clock = createManualClock(NOON);
  const open = () => openEmbeddedStore({ file, clock, reads: 'inline' });
  const store = open();
  store.createCollection('c');
  for (const [name, field] of [
    ['one', 'a'],
    ['two', 'b'],
  ] as const) {
    const source = on(field);
    const rest = {
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    } as const;
    store.createIndex('c', { name, source, ...rest }, { by: 'ada' });
  }
  build(store);
  const documents = Array.from({ length: 40 }, (_, i) => ({
    value: { _id: `d${i}`, a: NOON - (i % 2), b: NOON + DAY + i },
    line: i + 1,
  }));
  store.write('c', [...documents, { value: { _id: 'stays', a: NOON + DAY }, line: 41 }], {
    mode: 'insert',
    atomic: true,
  });
  const source = store.expiry.sources().find(({ index }) => index === 'one');
  if (source === undefined) throw new Error('there is no such source');
  const pass = newPass({ id: 1, collection: 'c', trigger: 'manual', at: NOON });
  store.expiry.reap(source, { cutoff: NOON, budgetMs: () => 1_000, maxDocuments: 1_000, isLast: true }, pass);
  expect(store.unswept()).toBe(40);
  return { store, file, open };
}

function build(store: EmbeddedStore): void {
  for (let target = store.pendingBackfills()[0]; target !== undefined; target = store.pendingBackfills()[0])
    store.backfill(target, 100);
}

describe('between the removal of a document and the sweep that frees it', () => {
  for (const [what, change] of [
    [
      'a longer expireAfter',
      (store: EmbeddedStore) =>
        store.changeIndex(
          'c',
          { ...store.index('c', 'one'), source: on('a', { expireAfter: 86_400 }) },
          { by: 'ada' },
        ),
    ],
    ['dropping its index', (store: EmbeddedStore) => store.dropIndex('c', 'one', 'ada')],
    [
      'dropping every index',
      (store: EmbeddedStore) => {
        store.dropIndex('c', 'one', 'ada');
        store.dropIndex('c', 'two', 'ada');
      },
    ],
    [
      'an index created again, which reads every row',
      (store: EmbeddedStore) => {
        const before = store.index('c', 'one');
        store.createIndex('c', { ...before, name: 'three', source: on('b') }, { by: 'ada' });
        build(store);
      },
    ],
    [
      'observing only',
      (store: EmbeddedStore) =>
        store.changeIndex('c', { ...store.index('c', 'one'), schedule: { mode: 'observe' } }, { by: 'ada' }),
    ],
  ] as const) {
    it(`[A1, V1, X2] ${what} restores no removed document`, async () => {
      const { store, file, open } = withRemoved();
      change(store);
      build(store);
      const remains = async (one: EmbeddedStore) => {
        const { documents } = await one.reads.documents(LIST, NOON);
        const [summary] = await one.reads.summaries(['c'], NOON);
        return [documents.map(({ _id }) => _id), summary?.documents];
      };
      expect(await remains(store)).toEqual([['stays'], 1]);
      expect(store.setExpiration('c', ['d1'], null).failed).toMatchObject([{ code: 'DOCUMENT_NOT_FOUND' }]);
      await store.close();
      const again = open();
      expect(await remains(again)).toEqual([['stays'], 1]);
      for (let i = 0; i < 100 && again.expiry.sweep(100); i++);
      expect(again.unswept()).toBe(0);
      expect(await remains(again)).toEqual([['stays'], 1]);
      expect(
        again.write('c', [{ value: { _id: 'd1' }, line: 1 }], { mode: 'insert', atomic: true }),
      ).toMatchObject({
        inserted: 1,
        expiredOnArrival: 0,
      });
      await again.close();
      expect(disagreements(file)).toEqual([]);
    });
  }
});

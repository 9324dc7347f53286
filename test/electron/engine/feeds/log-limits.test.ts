import { expect, it, onTestFinished } from 'vitest';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { on } from '../../../support/documents.ts';
import { MINUTE, NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const MIB = 1024 * 1024;
const BY = { by: 'ada', isExpected: true } as const;
/** Their expiry is more than the log keeps, and more than one step deletes. */
const MANY = 70_000;

function openStore() {
  const clock = createManualClock(NOON);
  const store = openEmbeddedStore({
    file: temporaryStoreFile(),
    clock,
    reads: 'inline',
    intervalFrom: 1_000,
  });
  onTestFinished(() => store.close());
  store.settings.change({ logBytes: MIB });
  store.createCollection('c');
  store.createIndex(
    'c',
    {
      name: 'ttl',
      source: on('e', { expireAfter: 0 }),
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: 0,
    },
    BY,
  );
  for (const target of store.pendingBackfills()) store.backfill(target, 100);
  /** Writes documents that expire together after `ms`. */
  const write = (documents: number, ms: number) => {
    const lines = Array.from({ length: documents }, (_, i) => ({ value: { e: NOON + ms }, line: i + 1 }));
    store.write('c', lines, { mode: 'insert', atomic: false });
  };
  const expire = (ms: number) => {
    clock.advance(ms);
    const [now, { expiry }] = [clock.now(), store];
    const limits = {
      cutoff: now,
      budgetMs: () => 1_000,
      maxDocuments: Number.POSITIVE_INFINITY,
      isLast: true,
    };
    for (const source of expiry.sources())
      if (expiry.due(source, now) > 0)
        expiry.reap(
          source,
          limits,
          newPass({ id: expiry.nextPassId(), collection: 'c', trigger: 'manual', at: now }),
        );
    return store.revision;
  };
  const compact = () => {
    while (store.compactLog());
  };
  return { store, write, expire, compact };
}

it('[V3] two cliffs that the log cannot keep both leave the second one at the next compaction, whatever their size', async () => {
  const { store, write, expire, compact } = openStore();
  write(MANY, MINUTE);
  write(MANY, 2 * MINUTE);
  compact();
  write(1, 3 * MINUTE);
  const first = expire(MINUTE);
  const second = expire(MINUTE);
  compact();
  const page = (revision: number) =>
    store.reads.changes({ from: { revision, position: MANY - 1 }, collection: undefined, limit: 10 });
  expect((await page(second)).events.map(({ event }) => event.kind)).toEqual(['expire', 'end']);
  await expect(page(first)).rejects.toMatchObject({ code: 'REVISION_COMPACTED', data: { oldest: second } });
  // What is left is told as far below the limit: the revision that crosses it stays.
  expect((await store.reads.storage()).log).toBeLessThan(MIB / 10);
});

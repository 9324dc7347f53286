import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { on } from '../../../support/documents.ts';
import { NOON, SECOND } from '../../../support/engine.ts';
import { deletingIndex } from '../../../support/interval-steps.ts';
import { indexed } from '../../../support/stepped-store.ts';

const INTERVALS = 40;

/** A store in which each of many documents expired as an interval of its own, of which none is listed. */
function withIntervals() {
  let read = 0;
  const prepare = Sqlite.prototype.prepare;
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    if (!/^SELECT first, documents.* FROM expired_intervals/s.test(sql)) return statement;
    const { all } = statement;
    statement.all = () => {
      read += 1;
      return Reflect.apply(all, statement, []);
    };
    return statement;
  });
  onTestFinished(() => spy.mockRestore());
  const stepped = indexed(1);
  stepped.write(Array.from({ length: INTERVALS }, (_, i) => ({ _id: `k${i}`, exp: NOON + i + 1 })));
  for (let i = 0; i < INTERVALS; i += 1) {
    stepped.clock.advance(1);
    stepped.reap();
  }
  expect(stepped.store.unswept()).toBe(INTERVALS);
  return { stepped, reads: () => read };
}

it('[V1] intervals are read again only if they have changed, however many calls and refused writes there are', async () => {
  const { stepped, reads } = withIntervals();
  const { store } = stepped;
  const look = async () => {
    await store.reads.missing('c', ['k1']);
    const refused = () =>
      store.write(
        'c',
        [
          { value: { _id: 'new' }, line: 1 },
          { value: 'bad', line: 2 },
        ],
        { mode: 'upsert', atomic: true },
      );
    expect(refused).toThrow();
    stepped.write([{ _id: 'living', exp: NOON + SECOND }]);
  };
  await look();
  const before = reads();
  for (let i = 0; i < 20; i += 1) await look();
  expect(reads()).toBe(before);
  await store.close();
});

it('[R5] the writer does not read the intervals again for each one that is listed, freed and cleared', async () => {
  const { stepped, reads } = withIntervals();
  const before = reads();
  stepped.sweep(1_000_000);
  expect(stepped.store.unswept()).toBe(0);
  expect(reads() - before).toBeLessThan(5);
  await stepped.store.close();
});

it('[V1] another connection sees an interval, and its end, at its next snapshot', async () => {
  const { stepped } = withIntervals();
  const { store, clock } = stepped;
  const count = async () => (await store.reads.summaries(['c'], clock.now()))[0]?.documents;
  expect(await count()).toBe(0);
  store.changeIndex('c', deletingIndex(on('exp', { expireAfter: 3_600 })), { by: 'ada', isExpected: true });
  expect(await count()).toBe(0);
  stepped.sweep(1_000_000);
  stepped.write([{ _id: 'k1', exp: NOON }]);
  expect(await count()).toBe(1);
  await store.close();
});

import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { RowSet } from '../../../../electron/engine/backends/embedded/tables/documents/row-set.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

/** The cost of a refused write must not depend on the contents of the store: anyone who may write can repeat it. */

function many(documents: number, exp: number) {
  return Array.from({ length: documents }, (_, i) => ({ _id: `d${i}`, exp }));
}

/** Calls `work` while counting the statements that connections of this thread prepare. */
async function preparedBy(work: () => Promise<void>): Promise<number> {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  try {
    await work();
    return prepare.mock.calls.length;
  } finally {
    prepare.mockRestore();
  }
}

async function withIndex(collection = 'c') {
  const test = openTestEngine({ intervalFrom: 10 });
  await test.client.collections.create({ name: collection });
  await test.client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

describe('a refused write', () => {
  it('[C1] reads no removed document again that the sweep has not freed', async () => {
    const { client, engine, clock } = await withIndex();
    await client.reaper.pause({});
    await write(client, 'c', many(300, NOON + SECOND));
    clock.set(NOON + HOUR);
    // Written in one call without a pause for the sweep: each new document first removes the expired one with its `_id`.
    const options = { mode: 'insert', atomic: false } as const;
    const incoming = many(300, NOON + 2 * HOUR).map((value, i) => ({ line: i + 1, value }));
    engine.backend.write('c', incoming, options);
    expect(engine.backend.unswept()).toBe(300);
    const added = vi.spyOn(RowSet.prototype, 'add');
    const refused = () =>
      engine.backend.write('c', [{ line: 1, value: { _id: 'new' } }, ...incoming.slice(0, 1)], {
        mode: 'insert',
        atomic: true,
      });
    expect(refused).toThrow(/already|exists/);
    expect(added).not.toHaveBeenCalled();
    added.mockRestore();
    expect(engine.backend.unswept()).toBe(300);
    expect(await listIds(client, { collection: 'c', limit: 1_000 })).toHaveLength(300);
  });

  it('[C1] prepares the same few statements in a store with forty collections', async () => {
    const refuseOne = async (collections: number) => {
      const { client } = await withIndex();
      await write(client, 'c', [{ _id: 'a' }]);
      for (let i = 0; i < collections; i++) await client.collections.create({ name: `other ${i}` });
      const refuse = () => refusal(write(client, 'c', [{ _id: 'b' }, 'bad'], { atomic: true }));
      await refuse();
      return preparedBy(async () => {
        expect((await refuse()).code).toBe('INVALID_DOCUMENT');
      });
    };
    const few = await refuseOne(1);
    expect(await refuseOne(40)).toBe(few);
    expect(few).toBeLessThan(20);
  });

  it('[R4] leaves the rehearsed removal of another collection prepared', async () => {
    const removeAfter = async (refuse: boolean) => {
      const { client, clock, settle, engine } = await withIndex();
      await client.collections.create({ name: 'other' });
      await write(client, 'c', many(40, NOON + HOUR));
      clock.advance(31 * SECOND);
      await settle();
      expect(engine.backend.expiry.prepareNext(() => {})).toBe(false);
      if (refuse) await refusal(write(client, 'other', [{ _id: 'b' }, 'bad'], { atomic: true }));
      return preparedBy(async () => {
        clock.set(NOON + HOUR + 10);
        clock.advance(31 * SECOND);
        await settle();
        expect(engine.backend.unswept()).toBe(0);
      });
    };
    expect(await removeAfter(true)).toBe(await removeAfter(false));
  });
});

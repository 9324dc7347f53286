import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import { MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

/** Returns all `_id`s of a listing, read in pages of `limit`. */
async function all(client: Client, query: Omit<Parameters<Client['documents']['list']>[0], 'collection'>) {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await client.documents.list({
      collection: 'c',
      ...query,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.documents.map(({ _id }) => _id));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

async function fill(client: Client) {
  await client.collections.create({ name: 'c' });
  const body = Array.from({ length: 30 }, (_, i) => ({
    _id: `d${String(i).padStart(2, '0')}`,
    ...(i % 3 === 0 ? { a: NOON / SECOND + 600 + i } : {}),
    ...(i % 5 === 0 ? { b: NOON / SECOND + 900 + i } : {}),
  }));
  await client.documents.write({ params: { collection: 'c' }, body });
  await client.documents.setExpirations({ collection: 'c', ids: ['d01', 'd03'], set: { never: true } });
  await client.documents.setExpirations({ collection: 'c', ids: ['d02'], set: { after: 60 } });
  return (i: number) => `d${String(i).padStart(2, '0')}`;
}

describe('[X1] documents without a deadline', () => {
  for (const indexes of [[], ['a'], ['a', 'b']]) {
    it(`are listed after the others, each once, with ${indexes.length} indexes`, async () => {
      const { client, settle } = openTestEngine();
      const id = await fill(client);
      for (const field of indexes) {
        await client.ttlIndexes.create({ collection: 'c', source: { kind: 'field', field, expireAfter: 0 } });
        await settle();
      }
      const dated = (i: number) =>
        (indexes.includes('a') && i % 3 === 0 && i !== 3) ||
        (indexes.includes('b') && i % 5 === 0) ||
        i === 2;
      const everything = Array.from({ length: 30 }, (_, i) => i);
      const listed = await all(client, { sort: 'deadline', limit: 4 });
      const withDeadline = everything.filter(dated).length;
      expect(new Set(listed.slice(0, withDeadline))).toEqual(new Set(everything.filter(dated).map(id)));
      expect(listed).toHaveLength(30);
      expect(new Set(listed)).toHaveLength(30);
      const never = everything.filter(i => !dated(i) && i !== 1 && i !== 3).map(id);
      expect((await all(client, { state: 'never', limit: 4 })).sort()).toEqual(never);
    });
  }
});

describe('[R8] an expected preview', () => {
  it('stays valid if only time has passed, and not if documents were added', async () => {
    const { client, advance } = openTestEngine();
    await client.collections.create({ name: 'c' });
    const put = (from: number, count: number, at: number) =>
      client.documents.write({
        params: { collection: 'c' },
        body: Array.from({ length: count }, (_, i) => ({ _id: `d${from + i}`, at: at / SECOND })),
      });
    await put(0, 5, NOON - MINUTE);
    await put(5, 5, NOON + MINUTE);
    const source = { kind: 'field' as const, field: 'at', expireAfter: 0 };
    const seen = await client.ttlIndexes.preview({ collection: 'c', source });
    expect(seen.dueAtOnce).toBe(5);
    await advance(2 * MINUTE);
    const expected = { collection: 'c', source, expect: { dueAtOnce: 5, at: seen.at } };
    await expect(client.ttlIndexes.create({ ...expected, expect: { dueAtOnce: 5 } })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
      data: { preview: { dueAtOnce: 10 } },
    });
    await put(10, 3, NOON - MINUTE);
    await expect(client.ttlIndexes.create(expected)).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    for (let i = 10; i < 13; i++) await client.documents.delete({ collection: 'c', id: `d${i}` });
    await expect(client.ttlIndexes.create(expected)).resolves.toMatchObject({ name: 'at_0s' });
  });
});

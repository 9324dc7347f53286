import { describe, expect, it } from 'vitest';
import { EmbeddedReads } from '../../../../electron/engine/backends/embedded/embedded-reads.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { on, write } from '../../../support/documents.ts';
import { NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

/** How many documents expire at once, and in which collection, one after the other. */
const EXPIRED = [
  ['quiet', 2],
  ['busy', 40_000],
  ['quiet', 1],
  ['busy', 40_000],
] as const;
const QUIET = ['quiet2 0', 'quiet0 1', 'quiet0 0'];

async function expire(test: TestEngine, collection: string, ids: readonly string[]): Promise<void> {
  const exp = test.clock.now() + SECOND;
  for (let from = 0; from < ids.length; from += 5_000)
    await write(
      test.client,
      collection,
      ids.slice(from, from + 5_000).map(_id => ({ _id, exp })),
    );
  await test.advance(SECOND);
}

async function longHistory(): Promise<EmbeddedReads> {
  const test = openTestEngine();
  for (const name of ['quiet', 'busy']) {
    await test.client.collections.create({ name });
    await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  }
  for (const [i, [collection, count]] of EXPIRED.entries())
    await expire(
      test,
      collection,
      Array.from({ length: count }, (_, place) => `${collection}${i} ${place}`),
    );
  await write(test.client, 'busy', [{ _id: 'living', exp: NOON * 2 }]);
  await test.stop();
  return new EmbeddedReads(test.file, systemClock);
}

describe('eighty thousand expired documents of one collection, and three of another', () => {
  it('are listed completely, each collection by itself, however far apart they expired', async () => {
    const reads = await longHistory();
    const pages = async (collection: string | undefined, limit: number) => {
      const found: { collection: string; _id: string; id: string }[] = [];
      let before: string | undefined;
      do {
        const page = await reads.expired({ collection, limit, before }, NOON);
        found.push(...page.expired);
        before = page.next ?? undefined;
      } while (before !== undefined);
      return found;
    };
    const page = await reads.expired({ collection: 'quiet', limit: 100 }, NOON);
    expect(page.expired.map(({ _id }) => _id)).toEqual(QUIET);
    expect(page.next).toBeNull();
    expect((await pages('quiet', 1)).map(({ _id }) => _id)).toEqual(QUIET);
    const all = await pages(undefined, 1_000);
    expect(new Set(all.map(({ collection, _id }) => `${collection} ${_id}`)).size).toBe(80_003);
    const numbers = all.map(({ id }) => Number(id));
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    await reads.close();
  });

  it('[X3] let another read pass while they are searched', async () => {
    const reads = await longHistory();
    for (const query of [
      { collection: 'quiet', limit: 100 },
      { collection: 'busy', limit: 100, cause: 'deleted' },
    ] as const) {
      const order: string[] = [];
      await Promise.all([
        reads.expired(query, NOON).then(() => order.push('list')),
        reads
          .document({ collection: 'busy', id: 'living', includeExpired: false }, NOON)
          .then(() => order.push('document')),
      ]);
      expect(order).toEqual(['document', 'list']);
    }
    await reads.close();
  });
});

describe('a change log of more than two thousand revisions', () => {
  it('[X3] is searched for the name of a collection while another read passes', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await test.client.collections.create({ name: 'dropped' });
    await write(test.client, 'dropped', [{ _id: 'a' }]);
    for (let i = 0; i < 2_100; i += 1) test.engine.backend.put('c', 'a', { i });
    await test.client.collections.drop({ collection: 'dropped' });
    await test.stop();
    const reads = new EmbeddedReads(test.file, systemClock);
    expect(await reads.isInLog('dropped')).toBe(true);
    const order: string[] = [];
    await Promise.all([
      reads.isInLog('never').then(found => order.push(`${found}`)),
      reads
        .document({ collection: 'c', id: 'a', includeExpired: false }, NOON)
        .then(() => order.push('document')),
    ]);
    expect(order).toEqual(['document', 'false']);
    await reads.close();
  });
});

describe('more than a hundred collections', () => {
  it('[X3] are summarized, all of them, while another read passes', async () => {
    const test = openTestEngine();
    for (let i = 0; i < 120; i += 1) test.engine.backend.createCollection(`c${i}`);
    test.engine.backend.put('c1', 'a', {});
    await test.stop();
    const reads = new EmbeddedReads(test.file, systemClock);
    const order: string[] = [];
    const [summaries] = await Promise.all([
      reads.summaries(null, NOON).finally(() => order.push('summaries')),
      reads
        .document({ collection: 'c1', id: 'a', includeExpired: false }, NOON)
        .then(() => order.push('document')),
    ]);
    expect(order).toEqual(['document', 'summaries']);
    expect(summaries.map(({ name }) => name)).toEqual(Array.from({ length: 120 }, (_, i) => `c${i}`).sort());
    await reads.close();
  });
});

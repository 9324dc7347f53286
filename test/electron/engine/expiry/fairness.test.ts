import { describe, expect, it } from 'vitest';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

const MARK: OnExpire = { action: 'patch', patch: { markAt: null, marked: true } };
const DELETE: OnExpire = { action: 'delete' };

/** Creates a collection with one index per name, in this order of age, on the field `<name>At`. */
async function indexes(test: TestEngine, names: readonly ['mark' | 'gone', OnExpire][]): Promise<void> {
  await test.client.collections.create({ name: 'c' });
  for (const [name, onExpire] of names) {
    await test.client.ttlIndexes.create({ collection: 'c', name, source: on(`${name}At`), onExpire });
    await test.settle();
  }
}

/** Returns the changes of documents, in order. */
function acts(test: TestEngine): string[] {
  const done: string[] = [];
  test.engine.backend.onCommit(({ changes }) => {
    for (const change of changes)
      if (change.kind === 'expire') done.push(`${change.index} ${change.collection}${change.id}`);
  });
  return done;
}

describe('[R4] the order of a round', () => {
  it('is the order of the next deadlines, regardless of names and ages', async () => {
    const test = openTestEngine();
    const done = acts(test);
    for (const [name, ms] of [
      ['a', 30],
      ['b', 10],
      ['z', 20],
    ] as const) {
      await test.client.collections.create({ name });
      await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
      await test.settle();
      await write(test.client, name, [{ _id: '1', exp: NOON + ms }]);
    }
    test.clock.advance(SECOND);
    await test.settle();
    expect(done).toEqual(['exp b1', 'exp z1', 'exp a1']);
  });

  it('with two indexes due at once: the older index acts first, the other one on its result', async () => {
    const test = openTestEngine();
    const done = acts(test);
    await indexes(test, [
      ['mark', MARK],
      ['gone', DELETE],
    ]);
    const at = NOON + SECOND;
    await write(test.client, 'c', [{ _id: '1', markAt: at, goneAt: at }]);
    await test.advance(SECOND);
    expect(done).toEqual(['mark c1', 'gone c1']);
  });

  it('with the order reversed, the document is removed before it can be marked', async () => {
    const test = openTestEngine();
    const done = acts(test);
    await indexes(test, [
      ['gone', DELETE],
      ['mark', MARK],
    ]);
    const at = NOON + SECOND;
    await write(test.client, 'c', [{ _id: '1', markAt: at, goneAt: at }]);
    await test.advance(SECOND);
    expect(done).toEqual(['gone c1']);
  });

  it('explicit expirations act before any index', async () => {
    const test = openTestEngine();
    const done = acts(test);
    await indexes(test, [['gone', DELETE]]);
    await write(test.client, 'c', [
      { _id: '1', goneAt: NOON + SECOND },
      { _id: '2', goneAt: NOON + MINUTE },
    ]);
    await test.client.documents.setExpiration({ params: { collection: 'c', id: '2' }, body: { after: 1 } });
    await test.advance(SECOND);
    expect(done).toEqual(['explicit c2', 'gone c1']);
  });
});

describe('[R4] turns', () => {
  it('every due source gets one batch before any gets its second', async () => {
    const test = openTestEngine();
    const done = acts(test);
    await test.client.settings.update({ batchSize: 2 });
    for (const [name, documents] of [
      ['big', 6],
      ['small', 2],
    ] as const) {
      await test.client.collections.create({ name });
      await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
      await test.settle();
      await write(
        test.client,
        name,
        Array.from({ length: documents }, (_, i) => ({ _id: String(i), exp: NOON + SECOND })),
      );
    }
    await test.advance(SECOND);
    expect(done.map(act => act.replace(/\d$/, ''))).toEqual([
      ...['exp big', 'exp big', 'exp small', 'exp small'],
      ...['exp big', 'exp big', 'exp big', 'exp big'],
    ]);
  });
});

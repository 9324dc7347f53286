import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../electron/engine/platform/clock.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** A stopwatch that advances by `tickMs` per reading: a slow machine, or a costly expression. */
function slowEngine() {
  const clock = createManualClock(NOON);
  let elapsed = 0;
  const slow = { tickMs: 0 };
  const engineClock: Clock = {
    ...clock,
    elapsed: () => {
      elapsed += slow.tickMs;
      return elapsed;
    },
  };
  return { test: openTestEngine({ clock, engineClock }), slow };
}

/** Reads the clock some ten times if `doc.a` has a thousand items. */
const LONG = 'doc.a.all(x, [1, 2, 3, 4, 5].all(y, x >= 0.5))';
const items = Array.from({ length: 1_000 }, () => 1);
const DEADLINE = `!has(doc.a) || ${LONG} ? timestampMs(doc.exp) : null`;

async function withExpression(test: TestEngine) {
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({
    collection: 'c',
    name: 'ttl',
    source: { kind: 'expression', expression: DEADLINE },
  });
  await test.settle();
}

const documents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: `${i}`, exp: NOON + DAY }));

/** Returns how many documents each commit changed. */
function commitSizes(test: TestEngine): number[] {
  const sizes: number[] = [];
  test.engine.backend.onCommit(({ changes }) => sizes.push(changes.length));
  return sizes;
}

describe('writes under an index with an expression', () => {
  it('[R5, C1] in a batch, an import or a bulk change yield between documents', async () => {
    const { test, slow } = slowEngine();
    await withExpression(test);
    const sizes = commitSizes(test);
    slow.tickMs = 30;
    expect(await write(test.client, 'c', documents(20))).toMatchObject({ inserted: 20, rejected: [] });
    expect(sizes).toEqual(Array.from({ length: 20 }, () => 1));
    const ids = documents(20).map(({ _id }) => _id);
    await test.client.documents.setExpirations({ collection: 'c', ids, set: { after: 60 } });
    await test.client.documents.deleteMany({ collection: 'c', ids });
    expect(Math.max(...sizes)).toBe(1);
    expect(sizes.length).toBe(60);

    const job = await test.engine.imports.start(
      { collection: 'c', mode: 'insert', format: 'ndjson', create: false, subject: 'x', deadlines: 'none' },
      'ada',
    );
    const text = documents(20).map(one => `${JSON.stringify(one)}\n`);
    expect(await test.engine.imports.append(job.id, text.join(''))).toMatchObject({
      inserted: 20,
      committedLines: 20,
    });
    expect(Math.max(...sizes)).toBe(1);
    slow.tickMs = 0;
  });

  it('[C1] with atomic are still one commit, and so is an ordinary batch', async () => {
    const { test, slow } = slowEngine();
    await withExpression(test);
    const sizes = commitSizes(test);
    await write(test.client, 'c', documents(100));
    slow.tickMs = 30;
    await write(
      test.client,
      'c',
      documents(20).map(one => ({ ...one, _id: `b${one._id}` })),
      { atomic: true },
    );
    expect(sizes).toEqual([100, 20]);
    slow.tickMs = 0;
  });

  it('[D8] that take too long are refused with a typed error, and never stored without a deadline', async () => {
    const { test, slow } = slowEngine();
    await withExpression(test);
    slow.tickMs = 1_500;
    const put = test.client.documents.put({
      params: { collection: 'c', id: 'x' },
      body: { a: items, exp: NOON + DAY },
    });
    expect(await refusal(put)).toMatchObject({ code: 'EXPRESSION_TIMEOUT' });
    const mixed = [
      { _id: 'a', exp: NOON + DAY },
      { _id: 'b', a: items, exp: NOON + DAY },
      { _id: 'c', exp: NOON + DAY },
    ];
    expect(await refusal(write(test.client, 'c', mixed, { atomic: true }))).toMatchObject({
      code: 'EXPRESSION_TIMEOUT',
    });
    expect(await write(test.client, 'c', mixed)).toMatchObject({
      inserted: 2,
      rejected: [{ line: 2, code: 'EXPRESSION_TIMEOUT' }],
    });
    slow.tickMs = 0;
    expect(await listIds(test.client, { collection: 'c' })).toEqual(['a', 'c']);
    // With more time, the same document is written, with its deadline.
    await write(test.client, 'c', [mixed[1]]);
    expect(await test.client.documents.get({ collection: 'c', id: 'b' })).toMatchObject({
      deadlineAt: NOON + DAY,
    });
  });
});

describe('expired documents under an index with an expression', () => {
  it('[D8] whose restore takes too long are refused, all of them, and restored once there is time', async () => {
    const { test, slow } = slowEngine();
    await withExpression(test);
    const ids = ['a', 'b', 'c'];
    await write(
      test.client,
      'c',
      ids.map(_id => ({ _id, a: items, exp: NOON + SECOND })),
    );
    await test.advance(SECOND);
    const { expired } = await test.client.metrics.expired({});
    expect(expired).toHaveLength(3);
    const options = { onConflict: 'skip', choices: {}, expiration: { never: true } } as const;
    const restore = () =>
      test.engine.backend.expired.restore(
        expired.map(({ id }) => id),
        options,
      );
    slow.tickMs = 1_500;
    expect(restore).toThrow(expect.objectContaining({ code: 'EXPRESSION_TIMEOUT' }));
    slow.tickMs = 0;
    expect(await listIds(test.client, { collection: 'c' })).toEqual([]);
    expect(restore()).toMatchObject({ succeeded: 3 });
    expect(await listIds(test.client, { collection: 'c' })).toEqual(ids);
  });
});

describe('actions with an expression', () => {
  const action = { action: 'replace', expression: `${LONG} ? null : null` } as OnExpire;

  async function withAction(test: TestEngine, count: number, exp: number) {
    await test.client.collections.create({ name: 'c' });
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'ttl',
      source: on('exp'),
      onExpire: action,
    });
    await test.settle();
    await write(
      test.client,
      'c',
      Array.from({ length: count }, (_, i) => ({ _id: `${i}`, a: items, exp })),
    );
  }

  it('[A5, R4] that take too long are quarantined, also after a restart, and never retried', async () => {
    const { test, slow } = slowEngine();
    await withAction(test, 2, NOON + SECOND);
    slow.tickMs = 1_100;
    await test.advance(2 * SECOND);
    slow.tickMs = 0;
    const after = await test.reopen(SECOND);
    await after.advance(DAY);
    for (const id of ['0', '1']) {
      expect(await after.client.documents.get({ collection: 'c', id })).toMatchObject({
        state: 'quarantined',
      });
      expect(await after.client.documents.explain({ collection: 'c', id })).toMatchObject({
        candidates: [{ message: expect.stringContaining('took too long') }],
      });
    }
  });

  it('[R5] in a batch yield between documents', async () => {
    const { test, slow } = slowEngine();
    await withAction(test, 20, NOON + SECOND);
    const sizes = commitSizes(test);
    slow.tickMs = 10;
    await test.advance(2 * SECOND);
    slow.tickMs = 0;
    expect(sizes).toEqual(Array.from({ length: 20 }, () => 1));
  });
});

it('[M1] have a finite time to drain even if they only change documents', async () => {
  const { test, slow } = slowEngine();
  const { client } = test;
  await client.collections.create({ name: 'c' });
  const onExpire: OnExpire = { action: 'patch', patch: { exp: null } };
  await client.ttlIndexes.create({ collection: 'c', name: 'ttl', source: on('exp'), onExpire });
  await test.settle();
  await write(
    client,
    'c',
    [1, 2, 3].map(id => ({ _id: `${id}`, exp: NOON + SECOND })),
  );
  slow.tickMs = 10;
  await test.advance(2 * SECOND);
  slow.tickMs = 0;
  expect(test.engine.reaper.drainRate).toBeGreaterThan(0);
});

it('[R5] a step of an index build checks the clock after each document', async () => {
  const { test, slow } = slowEngine();
  await test.client.collections.create({ name: 'c' });
  await write(test.client, 'c', documents(20));
  const { backend, indexBuilds } = test.engine;
  await indexBuilds.stop();
  await test.client.ttlIndexes.create({
    collection: 'c',
    name: 'ttl',
    source: { kind: 'expression', expression: DEADLINE },
  });
  slow.tickMs = 3;
  expect(backend.backfill({ kind: 'index', collection: 'c', index: 'ttl' }, 2)).toEqual({
    rows: 1,
    finished: false,
  });
  slow.tickMs = 0;
});

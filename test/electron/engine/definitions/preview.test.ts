import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

const WEEK = 7 * DAY;

/** One value per document: instants around every horizon, and values that are not dates. */
const values = fc.array(
  fc.oneof(
    fc
      .constantFrom(-1, 0, 1, HOUR - 1, HOUR, HOUR + 1, DAY, DAY + 1, WEEK, WEEK + 1, 400 * DAY)
      .map(ms => NOON + ms),
    fc.integer({ min: -DAY, max: 2 * WEEK }).map(ms => NOON + ms),
    fc.constantFrom('no', true, 5, null),
  ),
  { minLength: 1, maxLength: 60 },
);

function horizons(deadlines: readonly number[], now: number) {
  const count = (least: number, most: number) =>
    deadlines.filter(at => at - now > least && at - now <= most).length;
  const past = Number.NEGATIVE_INFINITY;
  return {
    dueAtOnce: count(past, 0),
    nextHour: count(0, HOUR),
    nextDay: count(HOUR, DAY),
    nextWeek: count(DAY, WEEK),
    later: count(WEEK, Number.POSITIVE_INFINITY),
  };
}

/** Compares two previews without how they were computed. */
function effect({ elapsedMs: _, kind: _kind, samples: _samples, never, unreadable, ...rest }: Preview) {
  const reasons = never.reasons.map(({ reason, count }) => [reason, count]).sort();
  return { ...rest, never: { count: never.count, reasons }, unreadable: unreadable.count };
}

describe('a preview', () => {
  it('[X3] shows three samples if there are three documents: one of each kind first', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    const at = (ms: number) => new Date(NOON + ms).toISOString();
    await write(client, 'c', [
      { _id: 'past', exp: at(-DAY) },
      { _id: 'older', exp: at(-2 * DAY) },
      { _id: 'oldest', exp: at(-3 * DAY) },
      { _id: 'ahead', exp: at(DAY) },
    ]);
    const source = on('exp', { expireAfter: 3_600 });
    const ids = ({ samples }: Preview) => samples.map(({ _id }) => _id);
    const fresh = await client.ttlIndexes.preview({ collection: 'c', source });
    expect(ids(fresh)).toHaveLength(3);
    expect(ids(fresh).slice(0, 2)).toEqual(['past', 'ahead']);
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'far',
      source: on('exp', { expireAfter: 864_000 }),
    });
    await test.settle();
    const change = { collection: 'c', name: 'far' };
    // Unchanged: none of the four is due. Shortened: three of them are due.
    expect(
      ids(await client.ttlIndexes.preview({ ...change, source: on('exp', { expireAfter: 864_001 }) })),
    ).toHaveLength(3);
    const shortened = ids(await client.ttlIndexes.preview({ ...change, source }));
    expect(shortened).toHaveLength(3);
    expect(shortened).toContain('ahead');
  });

  it('[X3] of a new index predicts its effect exactly, and writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(0, 0.5, 3_600, 86_400), async (exps, expireAfter) => {
        const test = openTestEngine();
        const { client, engine } = test;
        await client.collections.create({ name: 'c' });
        await write(
          client,
          'c',
          exps.map((exp, i) => ({ _id: String(i), ...(exp === null ? {} : { exp }) })),
        );
        const { revision } = engine.backend;
        const source = on('exp', { expireAfter });
        const preview = await client.ttlIndexes.preview({ collection: 'c', source });
        expect(engine.backend.revision).toBe(revision);
        const deadlines = exps.flatMap(exp =>
          typeof exp === 'number' && exp > 1e11 ? [exp + expireAfter * SECOND] : [],
        );
        expect(preview).toMatchObject({
          ...horizons(deadlines, NOON),
          documents: exps.length,
          revision,
          at: NOON,
          kind: 'create',
        });
        const reasons = {
          'not a date': 'no',
          'wrong type': true,
          'wrong unit suspected': 5,
          'missing field': null,
        };
        for (const [reason, value] of Object.entries(reasons)) {
          const found = preview.never.reasons.find(one => one.reason === reason);
          expect(found?.count ?? 0).toBe(exps.filter(exp => exp === value).length);
        }
        const { dueAtOnce, nextHour, nextDay, nextWeek, later, never, bytes } = preview;
        expect(dueAtOnce + nextHour + nextDay + nextWeek + later + never.count).toBe(exps.length);
        expect(Object.values(bytes).reduce((a, b) => a + b, 0)).toBe(
          (await client.collections.get({ collection: 'c' })).bytes,
        );
        await client.ttlIndexes.create({ collection: 'c', source, name: 'exp', expect: { dueAtOnce } });
        await test.settle();
        expect((await client.metrics.get({ collection: 'c' })).removed).toBe(dueAtOnce);
        await test.advance(HOUR);
        expect((await client.metrics.get({ collection: 'c' })).removed).toBe(dueAtOnce + nextHour);
        await test.stop();
      }),
      { numRuns: 12 },
    );
  });

  it('[X3] of a changed expireAfter, computed from counts, equals a scan', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    const exps = fc.sample(values, { numRuns: 8, seed: 3 }).flat();
    await write(
      client,
      'c',
      exps.map((exp, i) => ({ _id: String(i), ...(exp === null ? {} : { exp }) })),
    );
    await client.documents.setExpirations({ collection: 'c', ids: ['0', '1'], set: { never: true } });
    await client.documents.setExpirations({ collection: 'c', ids: ['2'], set: { after: 5 } });
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'exp',
      source: on('exp', { expireAfter: 90 * 86_400 }),
    });
    await test.settle();
    for (const expireAfter of [0, 0.001, 3_599.5, 3_600, 86_400, 100 * 86_400]) {
      const source = on('exp', { expireAfter });
      const change = await client.ttlIndexes.preview({ collection: 'c', name: 'exp', source });
      const scan = await client.ttlIndexes.preview({ collection: 'c', source });
      expect([change.kind, scan.kind]).toEqual(['change', 'create']);
      expect(effect(change)).toEqual(effect(scan));
      expect(change.samples.length).toBeGreaterThan(0);
    }
  });

  it('[X3] of a drop predicts the effect of the other indexes', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    await write(client, 'c', [
      { _id: 'both', a: NOON + HOUR, b: NOON + DAY },
      { _id: 'a', a: NOON + HOUR },
      { _id: 'b', b: NOON + 2 * HOUR },
      { _id: 'pin', a: NOON + HOUR },
      { _id: 'hand' },
    ]);
    await client.documents.setExpirations({ collection: 'c', ids: ['pin'], set: { never: true } });
    await client.documents.setExpirations({ collection: 'c', ids: ['hand'], set: { after: 60 } });
    for (const name of ['a', 'b'])
      await client.ttlIndexes.create({ collection: 'c', name, source: on(name) });
    await test.settle();
    const preview = await client.ttlIndexes.preview({ collection: 'c', name: 'a', drop: true });
    expect(preview).toMatchObject({
      kind: 'drop',
      dueAtOnce: 0,
      nextHour: 1,
      nextDay: 2,
      never: { count: 2 },
      nextDeadlineAt: NOON + 60 * SECOND,
    });
    await client.ttlIndexes.drop({ collection: 'c', index: 'a' });
    await test.settle();
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      withDeadline: 3,
      nextDeadlineAt: NOON + 60 * SECOND,
    });
    const missing = client.ttlIndexes.preview({ collection: 'c', name: 'no', drop: true });
    expect((await refusal(missing)).code).toBe('TTL_INDEX_NOT_FOUND');
  });

  it('[X3, R8] outdated by more than 1 % refuses the change with the new preview, and nothing is changed', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    await write(
      client,
      'c',
      Array.from({ length: 100 }, (_, i) => ({ _id: String(i), exp: NOON - 1 - i })),
    );
    const create = (dueAtOnce: number) =>
      client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp'), expect: { dueAtOnce } });
    for (const seen of [0, 98, 102, 1_000]) {
      expect(await refusal(create(seen))).toMatchObject({
        code: 'EXPECTATION_FAILED',
        data: { preview: { dueAtOnce: 100 } },
      });
    }
    expect(await client.ttlIndexes.list({ collection: 'c' })).toEqual([]);
    await create(99);
    await test.settle();
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(0);
  });
});

describe('a definition', () => {
  const cases: readonly [string, unknown][] = [
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['−Infinity', Number.NEGATIVE_INFINITY],
    ['a negative number', -1],
    ['text', '60'],
    ['null', null],
    ['an object', { seconds: 60 }],
    ['a hundred years and a second', 100 * 365.25 * 86_400 + 1],
  ];
  for (const [what, expireAfter] of cases) {
    it(`[D1] with ${what} for expireAfter is refused by create, preview and change, and removes nothing`, async () => {
      const test = openTestEngine();
      const { client } = test;
      await client.collections.create({ name: 'c' });
      await write(client, 'c', [{ exp: NOON - DAY + HOUR }]);
      await client.ttlIndexes.create({
        collection: 'c',
        name: 'good',
        source: on('exp', { expireAfter: 86_400 }),
      });
      const wrong: ReturnType<typeof on> = { ...on('exp'), ...JSON.parse('{}') };
      Object.assign(wrong, { expireAfter });
      const codes = ['BAD_REQUEST', 'INVALID_TTL_INDEX'];
      expect(codes).toContain(
        (await refusal(client.ttlIndexes.create({ collection: 'c', name: 'x', source: wrong }))).code,
      );
      expect(codes).toContain(
        (await refusal(client.ttlIndexes.preview({ collection: 'c', source: wrong }))).code,
      );
      expect(codes).toContain(
        (await refusal(client.ttlIndexes.update({ collection: 'c', index: 'good', source: wrong }))).code,
      );
      await test.advance(SECOND);
      expect((await client.collections.get({ collection: 'c' })).documents).toBe(1);
      expect(await client.ttlIndexes.list({ collection: 'c' })).toMatchObject([
        { source: { expireAfter: 86_400 } },
      ]);
    });
  }

  it('[D1] reads a field of nested objects, and a fraction of a second', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'x',
      source: on('meta.life.until', { expireAfter: 1.25 }),
    });
    await test.settle();
    await write(client, 'c', [
      { _id: 'a', meta: { life: { until: NOON } } },
      { _id: 'dotted', 'meta.life.until': NOON },
      { _id: 'list', meta: [{ life: { until: NOON } }] },
      { _id: 'text', meta: 'x' },
    ]);
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({
      deadlineAt: NOON + 1_250,
    });
    expect(await client.ttlIndexes.get({ collection: 'c', index: 'x' })).toMatchObject({
      documents: 1,
      never: { count: 3 },
    });
    for (const field of ['', '.', 'a..b', 'a.']) {
      expect(
        (await refusal(client.ttlIndexes.create({ collection: 'c', name: 'y', source: on(field) }))).code,
      ).toBe('INVALID_TTL_INDEX');
    }
  });

  it('[D1] keeps its field and unit, since every document was read with them', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({ collection: 'c', name: 'x', source: on('a') });
    for (const source of [on('b'), on('a', { unit: 'seconds' })]) {
      const change = client.ttlIndexes.update({ collection: 'c', index: 'x', source });
      expect((await refusal(change)).code).toBe('INVALID_TTL_INDEX');
    }
  });
});

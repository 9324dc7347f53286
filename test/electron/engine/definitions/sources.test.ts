import { describe, expect, it } from 'vitest';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';

async function withSource(source: TtlSource, documents: readonly unknown[] = []) {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await write(client, 'c', documents);
  const index = await client.ttlIndexes.create({ collection: 'c', source });
  await test.settle();
  return {
    ...test,
    name: index.name,
    record: (id: string) => client.documents.get({ collection: 'c', id, includeExpired: true }),
    explain: (id: string) => client.documents.explain({ collection: 'c', id }),
    index: () => client.ttlIndexes.get({ collection: 'c', index: index.name }),
  };
}

const OWN: TtlSource = { kind: 'field', field: 'at', unit: 'milliseconds', expireAfterField: 'ttl' };
const LAST: TtlSource = { kind: 'lastModified', expireAfter: 3_600 };

describe('a TTL in each document', () => {
  it('[D2, D1] adds the seconds of another field, rounded to whole milliseconds', async () => {
    const { record, explain, name } = await withSource(OWN, [
      { _id: 'a', at: NOON, ttl: 90.25 },
      { _id: 'b', at: NOON, ttl: 0 },
    ]);
    expect(name).toBe('at_own');
    expect(await record('a')).toMatchObject({ deadlineAt: NOON + 90_250, deadlineFrom: 'at_own' });
    expect((await explain('a')).sentence).toContain('at_own counts the seconds of ttl from at');
    expect(await refusal(record('b'))).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });

  it('[D2, X1] that is missing, negative, text or not finite gives no deadline, counted by reason', async () => {
    const { index, explain } = await withSource(OWN, [
      { _id: 'a', at: NOON },
      { _id: 'b', at: NOON, ttl: -1 },
      { _id: 'd', at: NOON, ttl: '60' },
      { _id: 'e', ttl: 60 },
    ]);
    expect((await index()).never.reasons).toMatchObject([
      { reason: 'not a duration', count: 3, examples: ['a', 'b', 'd'] },
      { reason: 'missing field', count: 1, examples: ['e'] },
    ]);
    expect((await explain('b')).sentence).toContain('its own TTL, which at_own reads');
  });

  it('[X3] has an exact preview, and its definition is read back as given', async () => {
    const { client, index } = await withSource(OWN, [
      { _id: 'a', at: NOON - MINUTE, ttl: 30 },
      { _id: 'b', at: NOON, ttl: 1_800 },
      { _id: 'd', at: NOON, ttl: 'x' },
    ]);
    const other: TtlSource = { ...OWN, field: 'at' };
    expect(await client.ttlIndexes.preview({ collection: 'c', source: other })).toMatchObject({
      dueAtOnce: 0,
      nextHour: 1,
      never: { count: 1, reasons: [{ reason: 'not a duration' }] },
      samples: [
        { _id: 'b', value: NOON, deadlineAt: NOON + 30 * MINUTE },
        { _id: 'd', reason: 'not a duration' },
      ],
    });
    expect((await index()).source).toEqual(OWN);
    const both = { ...on('at'), expireAfterField: 'ttl' };
    // @ts-expect-error one or the other
    expect((await refusal(client.ttlIndexes.create({ collection: 'c', source: both }))).code).toBe(
      'BAD_REQUEST',
    );
  });
});

describe('the duration of an index', () => {
  for (const source of [OWN, { kind: 'expression', expression: 'updatedAt' }] satisfies TtlSource[]) {
    it(`[D2, D8] cannot be changed if it has none: ${source.kind}`, async () => {
      const { client, name } = await withSource(source);
      const change = client.ttlIndexes.update({ collection: 'c', index: name, expireAfter: 60 });
      expect(await refusal(change)).toMatchObject({
        code: 'INVALID_TTL_INDEX',
        message: expect.stringContaining('has no expireAfter'),
      });
    });
  }

  it('[D7] of a lastModified index can be changed, and applies to every document at once', async () => {
    const { client, name, record } = await withSource(LAST, [{ _id: 'a' }]);
    await client.ttlIndexes.update({ collection: 'c', index: name, expireAfter: 60 });
    expect(await record('a')).toMatchObject({ deadlineAt: NOON + MINUTE });
  });
});

describe('a lastModified index', () => {
  it('[D7, C2] is refreshed by every JSON write, and not by an explicit expiration', async () => {
    const { client, record, advance, name } = await withSource(LAST, [{ _id: 'a' }, { _id: 'b' }]);
    expect(name).toBe('lastModified_1h');
    await advance(30 * MINUTE);
    await write(client, 'c', [{ _id: 'a', n: 1 }], { mode: 'upsert' });
    const params = { collection: 'c', id: 'b' };
    await client.documents.setExpiration({ params, body: { never: true } });
    await client.documents.clearExpiration(params);
    expect(await record('a')).toMatchObject({
      updatedAt: NOON + 30 * MINUTE,
      deadlineAt: NOON + 90 * MINUTE,
    });
    expect(await record('b')).toMatchObject({ updatedAt: NOON, deadlineAt: NOON + HOUR });
    await advance(30 * MINUTE);
    expect(await listIds(client, { collection: 'c' })).toEqual(['a']);
    const { sentence } = await client.documents.explain({ collection: 'c', id: 'a' });
    expect(sentence).toContain('lastModified_1h counts 1 hour from the last write, ');
  });

  it('[D7] provides the order of updatedAt, merged with the documents that have an explicit expiration', async () => {
    const { client, clock, advance } = await withSource({ ...LAST, expireAfter: 86_400 });
    const ids = Array.from({ length: 300 }, (_, i) => `d${String(i).padStart(3, '0')}`);
    for (let i = 0; i < ids.length; i += 3) {
      await write(
        client,
        'c',
        ids.slice(i, i + 3).map(_id => ({ _id })),
      );
      clock.advance(10);
    }
    await client.documents.setExpirations({
      collection: 'c',
      ids: ids.filter((_, i) => i % 7 === 0),
      set: { never: true },
    });
    await client.documents.setExpirations({
      collection: 'c',
      ids: ids.filter((_, i) => i % 11 === 1),
      set: { after: 600 },
    });
    await write(client, 'c', [{ _id: 'd100' }, { _id: 'd007' }], { mode: 'upsert' });
    await advance(0);
    const query = { collection: 'c', sort: 'updatedAt' as const, limit: 17 };
    const written = new Set(['d100', 'd007']);
    const ascending = await listIds(client, query);
    expect(ascending.slice(0, -2).sort()).toEqual(ids.filter(id => !written.has(id)));
    expect(ascending.slice(0, -2)).toEqual([...ascending.slice(0, -2)].sort(byThree));
    expect(new Set(ascending.slice(-2))).toEqual(written);
    expect(await listIds(client, { ...query, order: 'desc' })).toEqual([...ascending].reverse());
    const soon = await listIds(client, { ...query, dueTo: clock.now() + HOUR });
    expect(soon.sort()).toEqual(ids.filter((_, i) => i % 11 === 1));
  });

  it('[D7] is required for that order: without one it is an error that names it', async () => {
    const { client } = await withSource(on('exp'));
    const { code, message } = await refusal(client.documents.list({ collection: 'c', sort: 'updatedAt' }));
    expect(code).toBe('BAD_REQUEST');
    expect(message).toContain('only a lastModified index keeps that order');
  });
});

/** Three documents share each instant; their order is undefined. */
function byThree(a: string, b: string): number {
  return Math.floor(Number(a.slice(1)) / 3) - Math.floor(Number(b.slice(1)) / 3);
}

describe('a page that starts at an _id', () => {
  it('[C1] starts there or at the next one, in either order', async () => {
    const { client } = await withSource(
      on('exp'),
      ['a', 'c', 'e', 'g'].map(_id => ({ _id })),
    );
    const from = (startAt: string, order: 'asc' | 'desc') =>
      listIds(client, { collection: 'c', startAt, order, limit: 1 });
    expect(await from('c', 'asc')).toEqual(['c', 'e', 'g']);
    expect(await from('d', 'asc')).toEqual(['e', 'g']);
    expect(await from('c', 'desc')).toEqual(['c', 'a']);
    expect(await from('d', 'desc')).toEqual(['c', 'a']);
    const wrong = client.documents.list({ collection: 'c', startAt: 'a', sort: 'deadline' });
    expect((await refusal(wrong)).code).toBe('BAD_REQUEST');
  });
});

describe('an expression index', () => {
  for (const [expression, document, deadlineAt] of [
    [
      'doc.should_delete ? timestamp(doc.expiration) : null',
      { should_delete: true, expiration: '2026-11-22' },
      Date.UTC(2026, 10, 22),
    ],
    ['doc.should_delete ? timestamp(doc.expiration) : null', { should_delete: false }, null],
    ['timestamp(doc.createdAt) + duration("10m")', { createdAt: NOON / SECOND }, NOON + 10 * MINUTE],
    ['updatedAt + duration(doc.plan == "free" ? "24h" : "720h")', { plan: 'free' }, NOON + DAY],
    ['updatedAt + duration(doc.plan == "free" ? "24h" : "720h")', { plan: 'paid' }, NOON + 30 * DAY],
    ['doc.ttl + 1', { ttl: NOON / SECOND }, NOON + SECOND],
    ['timestampMs(doc.ms)', { ms: NOON + HOUR }, NOON + HOUR],
    ['max(timestamp(doc.a), timestamp(doc.b))', { a: '2026-12-01', b: '2026-12-02' }, Date.UTC(2026, 11, 2)],
    [
      'doc.big == 9007199254740993 ? updatedAt + duration("1h") : null',
      { big: 9007199254740993n },
      NOON + HOUR,
    ],
  ] as const) {
    it(`[D8] gives ${deadlineAt === null ? 'none' : 'a deadline'}: ${expression}`, async () => {
      const { client, record, engine } = await withSource({ kind: 'expression', expression }, [
        { _id: 'a', ...document },
      ]);
      expect(await record('a')).toMatchObject({ deadlineAt });
      // Deletion finds the entries: none is left.
      await client.documents.delete({ collection: 'c', id: 'a' });
      expect(await engine.backend.reads.summaries(null, NOON)).toMatchObject([
        { documents: 0, withDeadline: 0 },
      ]);
    });
  }

  it('[D8] is refreshed by a write if it counts from updatedAt, and acts', async () => {
    const expression = 'updatedAt + duration("10m")';
    const { client, record, advance } = await withSource({ kind: 'expression', expression }, [{ _id: 'a' }]);
    await advance(5 * MINUTE);
    await write(client, 'c', [{ _id: 'a' }], { mode: 'upsert' });
    expect(await record('a')).toMatchObject({ deadlineAt: NOON + 15 * MINUTE });
    await advance(10 * MINUTE);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0 });
  });

  for (const [expression, line, column] of [
    ['doc.a +', 1, 8],
    ['timestamp(doc.a) + now', 1, 20],
    ['doc.a &&\n  nothing', 2, 3],
  ] as const) {
    it(`[D8] with a mistake is refused with its column: ${JSON.stringify(expression)}`, async () => {
      const { client } = await withSource(on('exp'));
      const source: TtlSource = { kind: 'expression', expression };
      for (const call of [
        client.ttlIndexes.create({ collection: 'c', source }),
        client.ttlIndexes.preview({ collection: 'c', source }),
      ]) {
        expect(await refusal(call)).toMatchObject({
          code: 'INVALID_TTL_INDEX',
          message: expect.stringMatching(/column/i),
          data: { expression, line, column },
        });
      }
    });
  }

  it('[D8, X1] that fails for a document gives it no deadline, counted with message and example', async () => {
    const source: TtlSource = { kind: 'expression', expression: 'timestamp(doc.a.b)' };
    const { client, index, explain, name } = await withSource(source, [
      { _id: 'bad', a: 1 },
      { _id: 'good', a: { b: '2026-12-01' } },
      { _id: 'text', a: { b: 'soon' } },
    ]);
    expect(name).toBe('expression');
    const { reasons } = (await index()).never;
    expect(reasons.map(({ count }) => count)).toEqual([1, 1]);
    for (const { examples, message } of reasons) {
      expect(message).toEqual(expect.any(String));
      const [candidate] = (await explain(examples[0] ?? '')).candidates;
      expect(candidate?.message).toBe(message);
    }
    const preview = await client.ttlIndexes.preview({ collection: 'c', source });
    expect(preview).toMatchObject({ later: 1, nextWeek: 0, never: { count: 2 } });
    expect(preview.never.reasons.map(({ message }) => message).sort()).toEqual(
      reasons.map(({ message }) => message).sort(),
    );
  });
});

describe('an index that only observes', () => {
  it('[R1, V1, X1, D9] counts the documents that it would remove, hides none and gives no deadline', async () => {
    const { client, index, name, record, explain, settle, advance } = await withSource(on('exp'), [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b' },
    ]);
    await client.ttlIndexes.update({ collection: 'c', index: name, schedule: { mode: 'observe' } });
    await settle();
    await advance(DAY);
    expect(await index()).toMatchObject({ state: 'observing', documents: 1, overdue: 1 });
    expect(await record('a')).toMatchObject({ state: 'never', deadlineAt: null, hidden: false });
    expect((await explain('a')).sentence).toBe(`It never expires: ${name} is only observing.`);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ withDeadline: 0, overdue: 0 });
    expect(await listIds(client, { collection: 'c', state: 'never' })).toEqual(['a', 'b']);
  });
});

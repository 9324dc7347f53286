import { describe, expect, it } from 'vitest';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { expired, WITHOUT_EXP, withAction } from './action-engine.ts';

describe('an action that leaves its document due', () => {
  const STUCK: OnExpire = { action: 'patch', patch: { tried: true } };

  it('[A5, R4] is rolled back for that document alone, which is counted and listed with the reason; others continue', async () => {
    const { client, record, advance, complaints, engine } = await withAction({
      action: 'replace',
      expression: 'doc.bad ? doc : without(doc, "exp")',
    });
    await write(client, 'c', [
      { _id: 'a', exp: NOON + SECOND, bad: true },
      { _id: 'b', exp: NOON + SECOND, bad: false },
      { _id: 'd', exp: NOON + 2 * SECOND, bad: false },
    ]);
    await advance(MINUTE);
    expect(complaints).toEqual([]);
    expect(await record('a')).toMatchObject({
      document: { _id: 'a', exp: NOON + SECOND, bad: true },
      updatedAt: NOON,
      state: 'quarantined',
      hidden: false,
    });
    expect((await record('b')).document).not.toHaveProperty('exp');
    expect((await record('d')).document).not.toHaveProperty('exp');
    const index = await client.ttlIndexes.get({ collection: 'c', index: 'ttl' });
    expect(index).toMatchObject({ documents: 0, overdue: 0, quarantined: 1, nextDeadlineAt: null });
    expect(index.never.reasons).toContainEqual({
      reason: 'quarantined',
      count: 1,
      examples: ['a'],
      message: expect.stringContaining('It would still be due, at'),
    });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ quarantined: 1, overdue: 0 });
    const list = { collection: 'c', state: 'quarantined' as const };
    expect((await client.documents.list(list)).documents).toMatchObject([{ _id: 'a' }]);
    const byReason = { collection: 'c', index: 'ttl', reason: 'quarantined' };
    expect((await client.documents.list(byReason)).documents).toMatchObject([{ _id: 'a' }]);
    expect(await client.documents.explain({ collection: 'c', id: 'a' })).toMatchObject({
      state: 'quarantined',
      waitsFor: 'quarantine',
      deadlineAt: NOON + SECOND,
      deadlineFrom: 'ttl',
      candidates: [{ from: 'ttl', reason: 'quarantined', message: expect.stringContaining('still be due') }],
    });
    expect((await client.reaper.passes({})).passes[0]).toMatchObject({ changed: 2, quarantined: 1 });
    expect(engine.reaper.status).toMatchObject({ nextWakeAt: null, problem: null });
  });

  for (const [what, onExpire, body, words] of [
    [
      'changes its _id',
      { action: 'replace', expression: 'merge(doc, {"_id": "z"})' },
      {},
      'would change _id',
    ],
    ['fails', { action: 'replace', expression: 'merge(doc, {"n": doc.absent.n})' }, {}, 'absent'],
    [
      'does not give a document',
      { action: 'replace', expression: 'doc.a' },
      { a: 1 },
      'should give a document',
    ],
    [
      'gives a document that is too large',
      { action: 'replace', expression: '{"all": [doc.big, doc.big, doc.big]}' },
      { big: 'x'.repeat(6 * 1024 * 1024) },
      'the most is 16 MiB',
    ],
    [
      'gives a number that JSON cannot represent',
      { action: 'replace', expression: 'merge(without(doc, "exp"), {"a": doc.a * 1e300})' },
      { a: 1e300 },
      'cannot hold',
    ],
  ] satisfies [string, OnExpire, object, string][]) {
    it(`[A5] quarantines a document if it ${what}`, async () => {
      const { client, record, advance, complaints } = await withAction(onExpire);
      await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, ...body }]);
      await advance(MINUTE);
      expect(complaints).toEqual([]);
      expect(await record('a')).toMatchObject({ state: 'quarantined', document: { exp: NOON + SECOND } });
      const { sentence } = await client.documents.explain({ collection: 'c', id: 'a' });
      expect(sentence.toLowerCase()).toContain(words.toLowerCase());
    });
  }

  it('[A5] quarantines two alternating documents, which the index table alone would not reveal', async () => {
    const { client, record, advance } = await withAction({
      action: 'replace',
      expression: 'merge(doc, {"a": doc.a == 1 ? 2 : 1})',
    });
    await write(client, 'c', [
      { _id: 'x', exp: NOON + SECOND, a: 1 },
      { _id: 'y', exp: NOON + SECOND, a: 2 },
    ]);
    await advance(MINUTE);
    expect(await record('x')).toMatchObject({ document: { a: 1 }, state: 'quarantined' });
    expect(await record('y')).toMatchObject({ document: { a: 2 }, state: 'quarantined' });
    expect(await expired(client)).toEqual([]);
  });

  it('[A5] is retried when the document is written or set by hand or its index changes, and not before', async () => {
    const { client, record, advance, reopen } = await withAction(STUCK);
    const ids = ['a', 'b', 'd', 'e'];
    await write(
      client,
      'c',
      ids.map(_id => ({ _id, exp: NOON + SECOND })),
    );
    await advance(DAY);
    expect(await client.ttlIndexes.get({ collection: 'c', index: 'ttl' })).toMatchObject({ quarantined: 4 });
    expect((await client.reaper.run({})).quarantined).toBe(0);
    await write(client, 'c', [{ _id: 'a', exp: NOON + 2 * DAY }], { mode: 'upsert' });
    expect(await record('a')).toMatchObject({ state: 'live' });
    await client.documents.setExpiration({ params: { collection: 'c', id: 'b' }, body: { after: 60 } });
    expect(await record('b')).toMatchObject({ deadlineFrom: 'explicit', state: 'soon' });
    await client.documents.delete({ collection: 'c', id: 'd' });
    expect(await client.ttlIndexes.get({ collection: 'c', index: 'ttl' })).toMatchObject({
      quarantined: 1,
      documents: 1,
    });
    const again = await reopen();
    expect(await again.client.documents.get({ collection: 'c', id: 'e' })).toMatchObject({
      state: 'quarantined',
    });
    await again.client.ttlIndexes.update({ collection: 'c', index: 'ttl', onExpire: WITHOUT_EXP });
    await again.settle();
    expect((await again.client.documents.get({ collection: 'c', id: 'e' })).document).toEqual({
      _id: 'e',
      freed: true,
    });
  });

  it('[A5, X3] is released by a longer expireAfter, as the preview predicts', async () => {
    const { client, record, advance } = await withAction(STUCK);
    await write(client, 'c', [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + 5 * DAY },
    ]);
    await advance(MINUTE);
    const source = on('exp', { expireAfter: 86_400 });
    expect(await client.ttlIndexes.preview({ collection: 'c', name: 'ttl', source })).toMatchObject({
      dueAtOnce: 0,
      nextDay: 1,
      nextWeek: 1,
      never: { count: 0 },
    });
    await client.ttlIndexes.update({ collection: 'c', index: 'ttl', expireAfter: 86_400 });
    expect(await record('a')).toMatchObject({ deadlineAt: NOON + SECOND + DAY, state: 'live' });
  });

  it('[A5, R8] counts for the circuit breaker if a change makes it due again', async () => {
    const { client, advance, settle } = await withAction(STUCK);
    await client.settings.update({ breakerDocuments: 2 });
    await write(
      client,
      'c',
      ['a', 'b', 'd', 'e'].map(_id => ({ _id, exp: NOON + SECOND })),
    );
    await advance(MINUTE);
    await client.ttlIndexes.update({ collection: 'c', index: 'ttl', limits: { batchSize: 7 } });
    expect(await client.reaper.get({})).toMatchObject({ holds: [] });
    await client.ttlIndexes.update({ collection: 'c', index: 'ttl', onExpire: { action: 'delete' } });
    await settle();
    expect(await client.reaper.get({})).toMatchObject({ holds: [{ collection: 'c', due: 4 }] });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 4 });
    await client.reaper.confirm({ collection: 'c' });
    await settle();
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, quarantined: 0 });
  });

  it('[A5, D9] by one index does not stop the actions of other indexes', async () => {
    const { client, record, advance } = await withAction(STUCK);
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'later',
      source: on('exp', { expireAfter: 3_600 }),
    });
    await advance(0);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ deadlineFrom: 'later', deadlineAt: NOON + SECOND + HOUR });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      withDeadline: 1,
      quarantined: 1,
      overdue: 0,
      nextDeadlineAt: NOON + SECOND + HOUR,
    });
    await advance(HOUR);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, quarantined: 0 });
  });

  it('[A5, R1] ends with the patch of another index, after which its index acts at its next tick', async () => {
    const { client, record, advance, complaints } = await withAction({ action: 'move', to: 'archive' });
    await client.ttlIndexes.update({
      collection: 'c',
      index: 'ttl',
      schedule: { mode: 'every', everyMs: 7 * SECOND },
    });
    await write(client, 'archive', [{ _id: 'a' }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'marks',
      source: { kind: 'lastModified', expireAfter: 1_289 },
      onExpire: { action: 'patch', patch: { mark: 1 } },
      schedule: { mode: 'every', everyMs: HOUR },
    });
    const byMove = () => client.ttlIndexes.get({ collection: 'c', index: 'ttl' });
    await advance(HOUR - SECOND);
    expect(await byMove()).toMatchObject({ overdue: 0, quarantined: 1 });
    for (let hour = 1; hour <= 3; hour++) {
      await advance(SECOND);
      expect(await record('a')).toMatchObject({ updatedAt: NOON + hour * HOUR });
      expect(await byMove()).toMatchObject({ overdue: 1, quarantined: 0 });
      await advance(7 * SECOND);
      expect(await byMove()).toMatchObject({ overdue: 0, quarantined: 1 });
      await advance(HOUR - 8 * SECOND);
    }
    expect(complaints).toEqual([]);
  });
});

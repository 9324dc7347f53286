import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

/** Creates collections `c` and `archive`, and the index `ttl` in `c`. */
async function withAction(onExpire: OnExpire, source: TtlSource = on('exp')) {
  const test = openTestEngine();
  const { client } = test;
  await client.collections.create({ name: 'archive' });
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'ttl', source, onExpire });
  await test.settle();
  return {
    ...test,
    document: async (id: string, collection = 'c') =>
      (await client.documents.get({ collection, id, includeExpired: true })).document,
    record: (id: string, collection = 'c') => client.documents.get({ collection, id, includeExpired: true }),
  };
}

async function expired(client: Client) {
  const { expired: found } = await client.metrics.expired({});
  return found.map(({ _id, collection, index, action, deadlineAt }) => ({
    _id,
    collection,
    index,
    action,
    deadlineAt,
  }));
}

const WITHOUT_EXP: OnExpire = { action: 'patch', patch: { exp: null, freed: true } };

describe('patch on expiry', () => {
  it('[A2, C2, R2] changes the document in place at its deadline, and sets updatedAt', async () => {
    const { client, record, advance } = await withAction(WITHOUT_EXP);
    await write(client, 'c', [{ _id: 'a', exp: NOON + HOUR, big: 9007199254740993n, nested: { keep: [1] } }]);
    await advance(HOUR - 1);
    expect((await record('a')).document).toHaveProperty('exp');
    await advance(1);
    expect(await record('a')).toMatchObject({
      document: { _id: 'a', freed: true, big: 9007199254740993n, nested: { keep: [1] } },
      updatedAt: NOON + HOUR,
      deadlineAt: null,
      state: 'never',
    });
    expect((await record('a')).document).not.toHaveProperty('exp');
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1, overdue: 0 });
  });

  it('[X2, R7, V4] counts as an expiry and is reported with its action', async () => {
    const { client, advance, engine } = await withAction(WITHOUT_EXP);
    const reported: unknown[] = [];
    engine.backend.onCommit(({ changes }) =>
      reported.push(...changes.filter(({ kind }) => kind === 'expire')),
    );
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    const span = { collection: 'c', from: NOON, to: NOON + MINUTE, buckets: 1 };
    expect((await client.timeline.get(span)).buckets).toMatchObject([{ expired: 1, due: 0 }]);
    expect(await expired(client)).toEqual([
      { _id: 'a', collection: 'c', index: 'ttl', action: 'patch', deadlineAt: NOON + SECOND },
    ]);
    const [pass] = (await client.reaper.passes({})).passes;
    expect(pass).toMatchObject({ removed: 0, changed: 1, quarantined: 0, byIndex: { ttl: 1 } });
    expect(reported).toMatchObject([{ id: 'a', index: 'ttl', action: 'patch', lagMs: 0, pass: pass?.id }]);
  });

  it('[V1] leaves a due document visible and marked while the reaper is stopped', async () => {
    const { client, advance } = await withAction(WITHOUT_EXP);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await client.documents.get({ collection: 'c', id: 'a' })).toMatchObject({
      state: 'paused',
      hidden: false,
    });
    const explained = await client.documents.explain({ collection: 'c', id: 'a' });
    expect(explained.sentence).toContain('It is still visible, unchanged: the reaper is paused');
    expect(await write(client, 'c', [{ _id: 'a' }])).toMatchObject({
      rejected: [{ code: 'DOCUMENT_EXISTS' }],
    });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 1 });
  });

  it('[A2] whose deadline recurs acts again, once per deadline', async () => {
    const source: TtlSource = { kind: 'lastModified', expireAfter: 60 };
    const { client, advance } = await withAction({ action: 'patch', patch: { idle: true } }, source);
    await write(client, 'c', [{ _id: 'a' }]);
    await advance(3 * MINUTE);
    expect((await expired(client)).map(({ deadlineAt }) => deadlineAt)).toEqual([
      NOON + 3 * MINUTE,
      NOON + 2 * MINUTE,
      NOON + MINUTE,
    ]);
  });
});

describe('replace on expiry', () => {
  it('[A3] stores the result of its expression, or removes the document if that is null', async () => {
    const { client, record, advance } = await withAction({
      action: 'replace',
      expression: 'doc.keep ? merge(without(doc, "exp"), {"was": doc.exp, "at": now}) : null',
    });
    await write(client, 'c', [
      { _id: 'a', exp: NOON + SECOND, keep: true },
      { _id: 'b', exp: NOON + SECOND, keep: false },
    ]);
    await advance(MINUTE);
    expect((await record('a')).document).toEqual({
      _id: 'a',
      keep: true,
      was: NOON + SECOND,
      at: new Date(NOON + SECOND).toISOString(),
    });
    expect(await refusal(record('b'))).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    const [pass] = (await client.reaper.passes({})).passes;
    expect(pass).toMatchObject({ removed: 1, changed: 1 });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1 });
  });

  it('[A3] releases a claim and keeps its message, which can be claimed again', async () => {
    const { client, document, advance } = await withAction(
      { action: 'replace', expression: 'merge(without(doc, "c.e"), {"c": {"id": null}})' },
      on('c.e', { unit: 'seconds' }),
    );
    const claim = (at: number) => ({ _id: 'm', body: 'hello', c: { id: 'claim 1', e: at / SECOND } });
    await write(client, 'c', [claim(NOON + 30 * SECOND)]);
    await advance(MINUTE);
    expect(await document('m')).toEqual({ _id: 'm', body: 'hello', c: { id: null } });
    await write(client, 'c', [claim(NOON + 2 * MINUTE)], { mode: 'upsert' });
    await advance(MINUTE);
    expect(await document('m')).toEqual({ _id: 'm', body: 'hello', c: { id: null } });
    expect(await expired(client)).toHaveLength(2);
  });

  it('[A3] keeps the _id if the new document has none', async () => {
    const { client, document, advance } = await withAction({
      action: 'replace',
      expression: '{"gone": true}',
    });
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await document('a')).toEqual({ _id: 'a', gone: true });
  });
});

describe('move on expiry', () => {
  const MOVE: OnExpire = { action: 'move', to: 'archive' };

  it('[A4, C2] inserts the document unchanged into the other collection in one revision', async () => {
    const { client, record, advance, engine } = await withAction(MOVE);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, big: 12345678901234567890n }]);
    const { revision } = engine.backend;
    await advance(MINUTE);
    expect(engine.backend.revision).toBe(revision + 1);
    expect(await record('a', 'archive')).toMatchObject({
      document: { _id: 'a', exp: NOON + SECOND, big: 12345678901234567890n },
      updatedAt: NOON,
    });
    expect(await refusal(record('a'))).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, bytes: 0 });
    expect(await client.collections.get({ collection: 'archive' })).toMatchObject({ documents: 1 });
    expect(await expired(client)).toMatchObject([{ _id: 'a', collection: 'c', action: 'move' }]);
  });

  it('[V1] hides the document from its deadline on', async () => {
    const { client, advance } = await withAction(MOVE);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect((await client.documents.list({ collection: 'c' })).documents).toEqual([]);
    expect((await client.documents.list({ collection: 'c', includeExpired: true })).documents).toMatchObject([
      { _id: 'a', hidden: true },
    ]);
  });

  it('[C4] is completed by a write of the same _id: the holder is archived, the new document is fresh', async () => {
    const { client, document, advance } = await withAction(MOVE);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, old: true }]);
    await advance(MINUTE);
    expect(await write(client, 'c', [{ _id: 'a', young: true }])).toMatchObject({
      inserted: 1,
      rejected: [],
    });
    expect(await document('a', 'archive')).toMatchObject({ old: true });
    expect(await document('a')).toEqual({ _id: 'a', young: true });
    expect((await client.metrics.expired({})).expired).toMatchObject([{ action: 'move', pass: 0 }]);
  });

  it('[A5] that finds the _id in use leaves the document where it is', async () => {
    const { client, record, advance } = await withAction(MOVE);
    await write(client, 'archive', [{ _id: 'a', there: true }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined', hidden: false });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'archive has a document with this _id already',
    );
    // A write retries the action.
    await client.documents.delete({ collection: 'archive', id: 'a' });
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, again: true }], { mode: 'upsert' });
    await advance(MINUTE);
    expect(await record('a', 'archive')).toMatchObject({ document: { again: true } });
  });

  it('[A4, C4] takes over the _id of a hidden document there, after completing its action', async () => {
    const { client, document, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', name: 'purge', source: on('until') });
    await advance(0);
    await client.reaper.pause({ collection: 'archive' });
    await write(client, 'archive', [{ _id: 'a', until: NOON + 1 }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, young: true }]);
    await advance(MINUTE);
    expect(await document('a', 'archive')).toMatchObject({ young: true });
    expect(await expired(client)).toMatchObject([
      { collection: 'c', index: 'ttl' },
      { collection: 'archive', index: 'purge', action: 'delete' },
    ]);
  });

  it('[A5, R9] that finds the _id of a document due and held there leaves it until it is confirmed', async () => {
    const { client, engine, document, record, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', name: 'purge', source: on('until') });
    await advance(0);
    await write(client, 'archive', [{ _id: 'a', until: NOON + 1, held: true }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    engine.backend.holds.place({ collection: 'archive', cause: 'import', by: 'ada' });
    await advance(MINUTE);
    expect(await document('a', 'archive')).toMatchObject({ held: true });
    expect(await record('a')).toMatchObject({ state: 'quarantined', hidden: false });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'archive has a document with this _id already, and what is due in archive is held',
    );
  });

  it('[A5] leaves a document that would be due there immediately', async () => {
    const { client, record, advance } = await withAction(MOVE);
    await client.ttlIndexes.create({ collection: 'archive', source: on('exp') });
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined' });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'It would be due in archive immediately.',
    );
  });

  it('[A4] of documents that two collections move to each other terminates', async () => {
    const { client, advance, complaints } = await withAction(MOVE);
    await client.ttlIndexes.create({
      collection: 'archive',
      source: on('exp'),
      onExpire: { action: 'move', to: 'c' },
    });
    await advance(0);
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await write(client, 'archive', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(MINUTE);
    expect(complaints).toEqual([]);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 1, quarantined: 1 });
    expect(await client.collections.get({ collection: 'archive' })).toMatchObject({
      documents: 1,
      quarantined: 1,
    });
  });

  it('[A4] to an unknown collection or to its own is refused; if the target is dropped, the document is quarantined', async () => {
    const { client, record, advance } = await withAction(MOVE);
    for (const to of ['nowhere', 'c']) {
      const wrong = { collection: 'c', source: on('other'), onExpire: { action: 'move' as const, to } };
      expect(await refusal(client.ttlIndexes.create(wrong))).toMatchObject({ code: 'INVALID_TTL_INDEX' });
      const change = { collection: 'c', index: 'ttl', onExpire: wrong.onExpire };
      expect(await refusal(client.ttlIndexes.update(change))).toMatchObject({ code: 'INVALID_TTL_INDEX' });
    }
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await client.collections.drop({ collection: 'archive' });
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({ state: 'quarantined' });
    expect((await client.documents.explain({ collection: 'c', id: 'a' })).sentence).toContain(
      'The collection archive to move it to no longer exists',
    );
  });
});

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
    ['gives no document', { action: 'replace', expression: 'doc.a' }, { a: 1 }, 'should give a document'],
    [
      'makes it too large',
      { action: 'replace', expression: '{"all": [doc.big, doc.big, doc.big]}' },
      { big: 'x'.repeat(6 * 1024 * 1024) },
      'the most is 16 MiB',
    ],
    [
      'makes a number that JSON has not',
      { action: 'replace', expression: 'merge(without(doc, "exp"), {"a": doc.a * 1e300})' },
      { a: 1e300 },
      'cannot hold',
    ],
  ] satisfies [string, OnExpire, object, string][]) {
    it(`[A5] quarantines a document where it ${what}`, async () => {
      const { client, record, advance, complaints } = await withAction(onExpire);
      await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND, ...body }]);
      await advance(MINUTE);
      expect(complaints).toEqual([]);
      expect(await record('a')).toMatchObject({ state: 'quarantined', document: { exp: NOON + SECOND } });
      const { sentence } = await client.documents.explain({ collection: 'c', id: 'a' });
      expect(sentence.toLowerCase()).toContain(words.toLowerCase());
    });
  }

  it('[A5] quarantines two alternating documents, which a check of the table alone would not detect', async () => {
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

  it('[A5, D9] of one index leaves the document to the other indexes', async () => {
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
});

describe('invalid actions', () => {
  for (const [what, onExpire, words] of [
    ['a patch of _id', { action: 'patch', patch: { _id: 'b' } }, 'cannot change _id'],
    [
      'a patch with a number JSON has not',
      { action: 'patch', patch: { a: Number.NaN } },
      'JSON cannot represent',
    ],
    ['an expression that does not compile', { action: 'replace', expression: 'merge(doc, ' }, 'Column'],
    [
      'an expression that gives no document',
      { action: 'replace', expression: '1 + 1' },
      'should give a document',
    ],
  ] satisfies [string, OnExpire, string][]) {
    it(`[A2, A3] ${what} is an error when the index is created`, async () => {
      const { client } = await withAction({ action: 'delete' });
      const create = client.ttlIndexes.create({ collection: 'c', source: on('other'), onExpire });
      const { code, message } = await refusal(create);
      expect(code).toBe('INVALID_TTL_INDEX');
      expect(message).toContain(words);
      const set = client.documents.setExpiration({
        params: { collection: 'c', id: 'a' },
        body: { after: 60, onExpire },
      });
      expect(await refusal(set)).toMatchObject({ code: 'INVALID_EXPIRATION' });
    });
  }
});

describe('[A6] the check and the action are one transaction', () => {
  for (const onExpire of [
    { action: 'delete' },
    WITHOUT_EXP,
    { action: 'replace', expression: '{"replaced": true}' },
    { action: 'move', to: 'archive' },
  ] satisfies OnExpire[]) {
    it(`a refresh committed before the ${onExpire.action} is respected`, async () => {
      const { client, record, advance, engine } = await withAction(onExpire);
      await write(client, 'c', [
        { _id: 'a', exp: NOON + MINUTE },
        { _id: 'b', exp: NOON + MINUTE },
      ]);
      // The reaper has selected the due documents; before it acts, a write postpones one deadline.
      const { expiry } = engine.backend;
      const reap = expiry.reap.bind(expiry);
      const before: (number | null)[] = [];
      expiry.reap = (source, limits, pass) => {
        if (before.length === 0) {
          before.push(expiry.nextDeadline(source));
          engine.backend.setExpiration('c', ['a'], { at: NOON + DAY });
        }
        return reap(source, limits, pass);
      };
      await advance(MINUTE);
      expect(before).toEqual([NOON + MINUTE]);
      expect(await record('a')).toMatchObject({
        document: { _id: 'a', exp: NOON + MINUTE },
        deadlineAt: NOON + DAY,
      });
      expect(await expired(client)).toMatchObject([{ _id: 'b', action: onExpire.action }]);
    });
  }
});

describe('two indexes due at once', () => {
  it('[D9, A2, A4] act in turn: first the patch, then the move of its result', async () => {
    const { client, document, advance } = await withAction(
      { action: 'patch', patch: { p: null, patched: true } },
      on('p'),
    );
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'mover',
      source: on('m'),
      onExpire: { action: 'move', to: 'archive' },
    });
    await advance(0);
    await write(client, 'c', [{ _id: 'a', p: NOON + SECOND, m: NOON + SECOND }]);
    await advance(MINUTE);
    expect(await document('a', 'archive')).toEqual({ _id: 'a', m: NOON + SECOND, patched: true });
    expect((await expired(client)).map(({ index, action }) => [index, action])).toEqual([
      ['mover', 'move'],
      ['ttl', 'patch'],
    ]);
  });

  it('[V1, C4] of which the later one hides: a write completes that one', async () => {
    const { client, document, advance } = await withAction({ action: 'patch', patch: { p: null } }, on('p'));
    await client.ttlIndexes.create({ collection: 'c', name: 'deleter', source: on('m') });
    await advance(0);
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'a', p: NOON + SECOND, m: NOON + 2 * SECOND }]);
    await advance(SECOND);
    expect(await write(client, 'c', [{ _id: 'a' }])).toMatchObject({
      rejected: [{ code: 'DOCUMENT_EXISTS' }],
    });
    await advance(SECOND);
    expect(await write(client, 'c', [{ _id: 'a', young: true }])).toMatchObject({ inserted: 1 });
    expect(await document('a')).toEqual({ _id: 'a', young: true });
    expect(await expired(client)).toEqual([
      { _id: 'a', collection: 'c', index: 'deleter', action: 'delete', deadlineAt: NOON + 2 * SECOND },
    ]);
  });
});

describe('an explicit expiration with its own action', () => {
  const set = (client: Client, id: string, body: { after: number; onExpire?: OnExpire }) =>
    client.documents.setExpiration({ params: { collection: 'c', id }, body });

  it('[E1, A5] acts once and is cleared by that; then the indexes govern again', async () => {
    const { client, record, document, advance } = await withAction({ action: 'delete' });
    await write(client, 'c', [
      { _id: 'a', exp: NOON + DAY },
      { _id: 'b', exp: NOON + DAY },
      { _id: 'd', exp: NOON + DAY },
      { _id: 'e', exp: NOON + DAY },
    ]);
    await set(client, 'a', {
      after: 1,
      onExpire: { action: 'patch', patch: { due: true, n: 9007199254740993n } },
    });
    await set(client, 'b', {
      after: 1,
      onExpire: { action: 'replace', expression: 'merge(doc, {"due": true})' },
    });
    await set(client, 'd', { after: 1, onExpire: { action: 'move', to: 'archive' } });
    await set(client, 'e', { after: 1, onExpire: { action: 'delete' } });
    await advance(MINUTE);
    expect(await record('a')).toMatchObject({
      document: { due: true, n: 9007199254740993n },
      deadlineAt: NOON + DAY,
      deadlineFrom: 'ttl',
    });
    expect(await record('b')).toMatchObject({ document: { due: true }, deadlineFrom: 'ttl' });
    expect(await document('d', 'archive')).toEqual({ _id: 'd', exp: NOON + DAY });
    expect((await expired(client)).map(({ _id, index, action }) => [_id, index, action]).sort()).toEqual([
      ['a', 'explicit', 'patch'],
      ['b', 'explicit', 'replace'],
      ['d', 'explicit', 'move'],
      ['e', 'explicit', 'delete'],
    ]);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 2,
      withDeadline: 2,
    });
  });

  it('[X2, E1] among many without one keeps every count correct', async () => {
    const { client, advance, stop, file } = await withAction({ action: 'delete' });
    await client.ttlIndexes.create({ collection: 'c', name: 'other', source: on('other') });
    const ids = Array.from({ length: 90 }, (_, i) => `d${i}`);
    await write(
      client,
      'c',
      ids.map((_id, i) => ({ _id, exp: NOON + DAY, other: i % 2 === 0 ? NOON + 2 * DAY : 'never' })),
    );
    const onExpire: OnExpire = { action: 'patch', patch: { exp: null } };
    const stuck: OnExpire = { action: 'replace', expression: 'doc.absent' };
    for (const [i, id] of ids.entries()) {
      // The first few have all kinds of actions, the others none: one transaction takes both code paths.
      const action = i < 30 ? [{ onExpire }, { onExpire: stuck }, {}][i % 3] : {};
      await set(client, id, { after: 10 + i / 10, ...action });
    }
    await client.reaper.pause({});
    await advance(HOUR);
    await client.reaper.resume({});
    await advance(0);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 20,
      quarantined: 10,
      withDeadline: 5,
    });
    await stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[E1, A5] that fails is quarantined: no index acts on it until it is set again', async () => {
    const { client, record, advance } = await withAction({ action: 'delete' });
    await write(client, 'archive', [{ _id: 'a' }]);
    await write(client, 'c', [{ _id: 'a', exp: NOON + HOUR }]);
    await set(client, 'a', { after: 1, onExpire: { action: 'move', to: 'archive' } });
    await advance(DAY);
    expect(await record('a')).toMatchObject({ state: 'quarantined', hidden: false });
    const summary = await client.collections.get({ collection: 'c' });
    expect(summary).toMatchObject({ quarantined: 1, pinned: 0, withDeadline: 0 });
    expect((await client.documents.list({ collection: 'c', state: 'quarantined' })).documents).toHaveLength(
      1,
    );
    await set(client, 'a', { after: 1 });
    await advance(MINUTE);
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0, quarantined: 0 });
  });

  it('[E2] restarts from now with its action; without a duration that is an error', async () => {
    const { client, record, advance } = await withAction({ action: 'delete' });
    await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }]);
    const keepAlive = (id: string) => client.documents.keepAlive({ collection: 'c', id });
    await set(client, 'a', { after: 60, onExpire: { action: 'patch', patch: { late: true } } });
    await advance(50 * SECOND);
    expect(await keepAlive('a')).toMatchObject({ deadlineAt: NOON + 110 * SECOND, deadlineFrom: 'explicit' });
    await advance(59 * SECOND);
    expect((await record('a')).document).toEqual({ _id: 'a' });
    await advance(SECOND);
    expect(await record('a')).toMatchObject({ document: { late: true }, deadlineAt: null });
    expect(await refusal(keepAlive('a'))).toMatchObject({ code: 'NO_EXPIRATION' });
    const params = { collection: 'c', id: 'b' };
    await client.documents.setExpiration({ params, body: { never: true } });
    expect(await refusal(keepAlive('b'))).toMatchObject({ code: 'NO_EXPIRATION' });
    await client.documents.setExpiration({ params, body: { at: NOON + DAY } });
    expect(await refusal(keepAlive('b'))).toMatchObject({ code: 'NO_EXPIRATION' });
    expect(await refusal(keepAlive('no'))).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });
});

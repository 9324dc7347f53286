import { describe, expect, it } from 'vitest';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { expired, WITHOUT_EXP, withAction } from './action-engine.ts';

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

  it('[A2] acts again if its deadline recurs, once per deadline', async () => {
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

  it('[A3] releases a claimed message and keeps it, so that it can be claimed again', async () => {
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

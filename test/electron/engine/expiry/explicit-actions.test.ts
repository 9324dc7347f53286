import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../shared/contract/index.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { expired, withAction } from './action-engine.ts';

describe('an explicit expiration with its own action', () => {
  const set = (client: Client, id: string, body: { after: number; onExpire?: OnExpire }) =>
    client.documents.setExpiration({ params: { collection: 'c', id }, body });

  it('[E1, A5] acts once and is then cleared; from then on the indexes govern again', async () => {
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

  it('[X2, E1] among many without an action keeps every count correct', async () => {
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

  it('[E1, A5] that fails quarantines the document: no index acts until the expiration is set again', async () => {
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

  it('[E2] restarts from now with its action, and fails without a duration', async () => {
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

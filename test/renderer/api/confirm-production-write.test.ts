import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../renderer/api/client.ts';
import {
  answerWrite,
  confirm,
  Declined,
  declineAll,
  distrust,
  trustedFor,
  writeQuestion,
  writeSummary,
} from '../../../renderer/api/confirm-production-write.ts';
import { setLiveState } from '../../../renderer/api/live-store.ts';
import { NotConnected } from '../../../renderer/api/not-connected.ts';
import { StoreSession } from '../../../renderer/api/store-session.ts';
import type { Transport } from '../../../renderer/api/transport.ts';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';

const record = (id: string, environment: ConnectionRecord['environment']): ConnectionRecord => ({
  id,
  name: id,
  colour: 1,
  environment,
  readOnly: false,
  target: { kind: 'file', file: `/${id}` },
  state: { is: 'open' },
});

const PUT = ['documents', 'put'];
const once = () => ({ isConfirmed: false });
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

beforeEach(() =>
  setLiveState({ connections: [record('home', 'development'), record('live', 'production')] }),
);
afterEach(async () => {
  for (let i = 0; i < 3; i += 1) {
    declineAll();
    await turns();
  }
  distrust('live');
});

describe('writeSummary', () => {
  it.each([
    [['documents', 'put']],
    [['collections', 'drop']],
    [['ttlIndexes', 'create']],
    [['reaper', 'pause']],
    [['imports', 'append']],
    [['jobs', 'cancel']],
  ])('returns the summary of %j, which writes', path => {
    expect(writeSummary(path)).not.toBeNull();
  });

  it.each([
    [['documents', 'list']],
    [['ttlIndexes', 'preview']],
    [['live', 'watch']],
    // Needs configure, but changes nothing.
    [['tokens', 'list']],
    [['connections', 'remove']],
    [['no', 'such']],
  ])('returns null for %j, which does not write', path => {
    expect(writeSummary(path)).toBeNull();
  });
});

describe('confirmation of writes to production', () => {
  const live = { connection: 'live', hasEnded: false };

  it('is not required in development, and not for reads', async () => {
    await confirm({ connection: 'home', hasEnded: false }, PUT, {}, once());
    await confirm(live, ['documents', 'list'], {}, once());
    expect(writeQuestion.get()).toBeNull();
  });

  it('holds a write until it is confirmed', async () => {
    let isDone = false;
    const held = confirm(live, PUT, { params: { collection: 'a' } }, once()).then(() => {
      isDone = true;
    });
    await turns();
    expect(isDone).toBe(false);
    expect(writeQuestion.get()).toMatchObject({ connection: { id: 'live' }, path: PUT });
    answerWrite('yes');
    await held;
    expect(writeQuestion.get()).toBeNull();
  });

  it('rejects a declined write, and requests confirmation of the next one', async () => {
    const refused = confirm(live, PUT, {}, once());
    await turns();
    answerWrite('no');
    await expect(refused).rejects.toBeInstanceOf(Declined);
    const next = confirm(live, PUT, {}, once());
    await turns();
    expect(writeQuestion.get()).not.toBeNull();
    answerWrite('yes');
    await next;
  });

  it('requests one confirmation for the calls of one action', async () => {
    const act = once();
    const all = Promise.all([1, 2, 3].map(() => confirm(live, PUT, {}, act)));
    await turns();
    answerWrite('yes');
    await all;
    expect(writeQuestion.get()).toBeNull();
  });

  it('requests confirmations of two actions one after the other', async () => {
    const first = confirm(live, PUT, { nth: 1 }, once());
    const second = confirm(live, PUT, { nth: 2 }, once());
    await turns();
    expect(writeQuestion.get()?.input).toEqual({ nth: 1 });
    answerWrite('yes');
    await first;
    await turns();
    expect(writeQuestion.get()?.input).toEqual({ nth: 2 });
    answerWrite('yes');
    await second;
  });

  it('requests no confirmation once a connection is trusted, until the trust is withdrawn', async () => {
    const first = confirm(live, PUT, {}, once());
    await turns();
    answerWrite('trusted');
    await first;
    await confirm(live, PUT, {}, once());
    expect(trustedFor('live')).toBeGreaterThan(14 * 60_000);
    distrust('live');
    expect(trustedFor('live')).toBeNull();
  });
});

describe('a call of an ended session', () => {
  function transportAnswering(answer: Promise<unknown>): Transport {
    return { link: { call: () => answer }, closed: new Promise(() => {}), close: () => {} };
  }

  it('rejects although its answer arrived', async () => {
    const session = new StoreSession('home');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    session.transport = transportAnswering(promise);
    const client = clientOf(() => session, once);
    const asked = client.collections.list();
    await turns();
    session.end();
    resolve([]);
    await expect(asked).rejects.toThrow('changed connections');
  });

  it('is not sent to the next connection', async () => {
    const here = new StoreSession('home');
    here.transport = transportAnswering(Promise.resolve([]));
    const client = clientOf(() => here, once);
    here.end();
    await expect(client.collections.list()).rejects.toBeInstanceOf(NotConnected);
  });

  it('is not sent when its confirmation is answered later', async () => {
    const session = new StoreSession('live');
    session.transport = transportAnswering(Promise.resolve({}));
    const client = clientOf(() => session, once);
    const asked = client.collections.drop({ collection: 'a' });
    await turns();
    session.end();
    declineAll();
    await expect(asked).rejects.toBeInstanceOf(Declined);
  });
});

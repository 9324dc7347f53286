import { expect, it, vi } from 'vitest';
import type { Client } from '../../../shared/contract/index.ts';
import { openTestConnections } from '../../support/connections.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 20_000 };

const countsOf = async (client: Client) =>
  Object.fromEntries((await client.collections.list()).map(({ name, documents }) => [name, documents]));

const mirrorOf = async (client: Client) => (await client.store.info()).remote?.mirror?.is;

/** A Redis server with six keys, connected. */
async function connected(...options: readonly string[]) {
  const server = await startRedis(...options);
  const redis = await openTestConnection(server.uri);
  for (const key of ['session:1', 'session:2', 'session:3', 'cart/1', 'cart/2', 'other'])
    await redis.command('SET', key, 'v');
  const all = await openTestConnections();
  const { id } = await all.client().connections.add({
    name: 'cache',
    target: { kind: 'redis', uri: server.uri },
  });
  /** Closing a connection closes the ports of its clients. */
  const reopened = async () => {
    await all.client().connections.close({ id });
    await all.client().connections.open({ id });
    return all.client(id);
  };
  return { all, id, client: all.client(id), redis, reopened };
}

const runs = runsHere('settings of the mirror of a Redis server', NEEDS_REDIS);

it.runIf(runs)(
  'keys are grouped by a chosen separator and by patterns, also after the connection is opened again',
  async () => {
    const { client, reopened } = await connected();
    expect(await client.mirror.settings()).toEqual({
      paused: false,
      readsPerSecond: null,
      mostKeys: 20_000_000,
      grouping: { separator: null, patterns: [] },
    });
    await vi.waitFor(async () => expect(await countsOf(client)).toHaveProperty('session', 3), PATIENT);
    const grouping = { separator: '/', patterns: [{ name: 'logins', pattern: 'session:*' }] };
    expect(await client.mirror.change({ grouping })).toMatchObject({ grouping });
    const regrouped = { cart: 2, logins: 3, '(no prefix)': 1 };
    await vi.waitFor(async () => expect(await countsOf(client)).toEqual(regrouped), PATIENT);
    const again = await reopened();
    expect(await again.mirror.settings()).toMatchObject({ grouping });
    await vi.waitFor(async () => expect(await countsOf(again)).toEqual(regrouped), PATIENT);
    await again.mirror.change({ grouping: { separator: '', patterns: [] } });
    await vi.waitFor(async () => expect(await countsOf(again)).toEqual({ '(no prefix)': 6 }), PATIENT);
  },
  60_000,
);

it.runIf(runs)(
  'no keys are read while the mirror is paused, also after the connection is opened again',
  async () => {
    const { client, redis, reopened } = await connected();
    await vi.waitFor(async () => expect(await countsOf(client)).toHaveProperty('session', 3), PATIENT);
    expect(await client.mirror.change({ paused: true })).toMatchObject({ paused: true });
    await vi.waitFor(async () => expect(await mirrorOf(client)).toBe('paused'), PATIENT);
    await redis.command('SET', 'session:4', 'v');
    const again = await reopened();
    await vi.waitFor(async () => expect(await mirrorOf(again)).toBe('paused'), PATIENT);
    expect(await countsOf(again)).toHaveProperty('session', 3);
    await again.mirror.change({ paused: false, readsPerSecond: 1_000 });
    await vi.waitFor(async () => expect(await countsOf(again)).toHaveProperty('session', 4), PATIENT);
    expect(await again.mirror.settings()).toMatchObject({ paused: false, readsPerSecond: 1_000 });
  },
  60_000,
);

it.runIf(runs)(
  '[P1, P2] notifications are turned on by a caller with configure, and never on a read-only connection',
  async () => {
    const { all, id, client } = await connected();
    await vi.waitFor(async () => expect(await mirrorOf(client)).toBe('as of'), PATIENT);
    const denied = { code: 'PERMISSION_DENIED' };
    const writer = all.client(id, { user: 'ada', permission: 'write', from: 'machine' });
    await expect(writer.mirror.enableNotifications()).rejects.toMatchObject(denied);
    await expect(writer.mirror.change({ paused: true })).rejects.toMatchObject(denied);
    expect((await client.mirror.enableNotifications()).flags).toContain('E');
    await vi.waitFor(async () => expect(await mirrorOf(client)).toBe('live'), PATIENT);
    await all.client().connections.change({ id, readOnly: true });
    await expect(all.client(id).mirror.enableNotifications()).rejects.toMatchObject({ code: 'READ_ONLY' });
  },
  60_000,
);

it('the settings of a mirror are refused for a store of Sandglass', async () => {
  const all = await openTestConnections();
  const refused = { code: 'NOT_SUPPORTED', data: { feature: 'mirror' } };
  await expect(all.client().mirror.settings()).rejects.toMatchObject(refused);
  await expect(all.client().mirror.change({ paused: true })).rejects.toMatchObject(refused);
});

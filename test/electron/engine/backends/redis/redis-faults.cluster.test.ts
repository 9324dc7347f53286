import { describe, expect, it, vi } from 'vitest';
import type { RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { openTestConnections } from '../../../../support/connections.ts';
import { NEEDS_REDIS, startRedis } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const IN_AN_HOUR = Date.now() + 3_600_000;
const NOTIFIES = ['--notify-keyspace-events', 'KEA'];
const MIB = 1024 * 1024;

async function keysOf(backend: RedisBackend, collection: string): Promise<number> {
  const [found] = await backend.reads.summaries([collection], Date.now());
  return found?.documents ?? 0;
}

describe.runIf(runsHere('faults of Redis', NEEDS_REDIS))('a Redis server', { timeout: 90_000 }, () => {
  it('with a changed password is reported with what to do, and works again with the new one', async () => {
    const server = await startRedis(...NOTIFIES, '--requirepass', 'former');
    const at = (password: string) => server.uri.replace('redis://', `redis://:${password}@`);
    const admin = await openTestConnection(at('former'));
    await admin.command('SET', 's:1', 'v', 'PXAT', IN_AN_HOUR);
    const all = await openTestConnections();
    const target = { kind: 'redis' as const, uri: server.uri, secret: 'former' };
    const { id } = await all.client().connections.add({ name: 'cache', target });
    const unreachable = async () => (await all.client(id).store.info()).remote?.unreachable ?? null;
    await vi.waitFor(async () => expect(await unreachable()).toBeNull(), { timeout: 30_000 });
    await admin.command('CONFIG', 'SET', 'requirepass', 'latter');
    // Sandglass's connections only: the administrator logs in again.
    await admin.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await admin.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await vi.waitFor(
      async () => expect((await unreachable())?.reason).toMatch(/open it with the new one.*WRONGPASS/),
      { timeout: 30_000 },
    );
    await all.client().connections.open({ id, secret: 'latter' });
    await vi.waitFor(
      async () => {
        const { remote } = await all.client(id).store.info();
        expect(remote).toMatchObject({ unreachable: null, mirror: { is: 'live' } });
      },
      { timeout: 30_000 },
    );
    expect(await all.client(id).collections.list()).toMatchObject([{ name: 's', documents: 1 }]);
  });

  it('without memory refuses edits with a typed error in the middle of many, and still changes deadlines', async () => {
    const server = await startRedis(...NOTIFIES);
    const application = await openTestConnection(server.uri);
    const ids = Array.from({ length: 300 }, (_, i) => `s:${i}`);
    await application.pipeline(ids.map(id => ['SET', id, 'v', 'PXAT', IN_AN_HOUR]));
    const { backend } = await openTestRedis(server.uri);
    await mirrored(backend, 'live');
    const outcomes: string[] = [];
    for (const [i, id] of ids.slice(0, 10).entries()) {
      if (i === 5) await application.command('CONFIG', 'SET', 'maxmemory', 1);
      const edited = backend.put('s', id, { _id: id, type: 'string', value: 'edited' });
      outcomes.push(
        await edited.then(
          () => 'written',
          ({ code }: { code: string }) => code,
        ),
      );
    }
    expect(outcomes).toEqual([...Array(5).fill('written'), ...Array(5).fill('OUT_OF_MEMORY')]);
    const values = await application.pipeline(ids.slice(0, 10).map(id => ['GET', id]));
    expect(values.map(one => ('reply' in one ? String(one.reply) : ''))).toEqual([
      ...Array(5).fill('edited'),
      ...Array(5).fill('v'),
    ]);
    // PEXPIREAT needs no memory: a full server can be given deadlines, which is what it needs.
    const changed = await backend.setExpiration('s', ids, { at: IN_AN_HOUR + 1_000 }, { job: 'j' });
    expect(changed).toMatchObject({ succeeded: 300, failed: [] });
    const { undo } = backend;
    expect(await undo?.setBack('j', undo.page('j', '', 500))).toMatchObject({ succeeded: 300, failed: [] });
    expect(await backend.delete('s', ids)).toMatchObject({ succeeded: 300 });
  });

  it('that is frozen is shown as stale within seconds, and as live without a scan once it replies', async () => {
    const server = await startRedis(...NOTIFIES);
    const application = await openTestConnection(server.uri);
    await application.command('SET', 's:1', 'v', 'PXAT', IN_AN_HOUR);
    const { backend } = await openTestRedis(server.uri);
    await mirrored(backend, 'live');
    const { mirror: before } = backend.remote;
    const frozenAt = Date.now();
    server.freeze();
    await mirrored(backend, 'stale');
    expect(Date.now() - frozenAt).toBeLessThan(8_000);
    expect(backend.remote.mirror).toMatchObject({ is: 'stale', reason: 'the server does not reply' });
    const since = backend.remote.mirror?.is === 'stale' ? backend.remote.mirror.since : 0;
    expect(Math.abs(since - frozenAt)).toBeLessThan(4_000);
    server.thaw();
    await mirrored(backend, 'live');
    expect(backend.remote.mirror).toEqual(before);
    await application.command('SET', 's:2', 'v', 'PXAT', IN_AN_HOUR);
    await eventually(async () => expect(await keysOf(backend, 's')).toBe(2));
  });

  it('that is a replica refuses changes with a typed error, and is followed after it is promoted', async () => {
    const master = await startRedis(...NOTIFIES);
    const replica = await startRedis(...NOTIFIES);
    const [onMaster, onReplica] = [
      await openTestConnection(master.uri),
      await openTestConnection(replica.uri),
    ];
    await onMaster.command('SET', 's:1', 'v', 'PXAT', IN_AN_HOUR);
    await onReplica.command('REPLICAOF', '127.0.0.1', master.port);
    await eventually(async () => expect(await onReplica.command('DBSIZE')).toBe(1), 30_000);
    const { backend } = await openTestRedis(replica.uri);
    await mirrored(backend, 'live');
    const refused = await backend.setExpiration('s', ['s:1'], { at: IN_AN_HOUR + 1 });
    expect(refused).toMatchObject({ succeeded: 0, failed: [{ _id: 's:1', code: 'READ_ONLY' }] });
    await onReplica.command('REPLICAOF', 'NO', 'ONE');
    const promotedAt = Date.now();
    await eventually(() => {
      const { mirror } = backend.remote;
      expect(mirror?.is === 'live' ? mirror.scannedAt : 0).toBeGreaterThan(promotedAt);
    }, 30_000);
    await onReplica.command('SET', 's:2', 'v', 'PX', 200);
    await eventually(async () => {
      const { expired } = await backend.reads.expired({ limit: 10 }, Date.now());
      expect(expired).toMatchObject([{ _id: 's:2', cause: 'expired' }]);
    });
    expect(await backend.setExpiration('s', ['s:1'], { at: IN_AN_HOUR + 1 })).toMatchObject({ succeeded: 1 });
  });

  it('shows the beginning of a value of 100 MB, keeps its deadline, and is not blocked by it', async () => {
    const server = await startRedis(...NOTIFIES);
    const application = await openTestConnection(server.uri);
    await application.command('SETRANGE', 'big:1', 100 * MIB - 1, 'x');
    await application.command('PEXPIREAT', 'big:1', IN_AN_HOUR);
    const { backend } = await openTestRedis(server.uri);
    await mirrored(backend, 'live');
    const query = { collection: 'big', id: 'big:1', includeExpired: false };
    const { document, clipped, deadlineAt, bytes } = await backend.reads.document(query, Date.now());
    expect({ clipped, deadlineAt, partOf: document.partOf }).toEqual({
      clipped: true,
      deadlineAt: IN_AN_HOUR,
      partOf: 100 * MIB,
    });
    expect(String(document.value).length).toBeLessThan(2 * MIB);
    expect(bytes).toBeGreaterThanOrEqual(100 * MIB);
    expect(await backend.delete('big', ['big:1'])).toMatchObject({ succeeded: 1 });
    expect(await application.command('DBSIZE')).toBe(0);
  });

  it('with keys that are not UTF-8 is listed, changed and emptied by their base64', async () => {
    const server = await startRedis(...NOTIFIES);
    const application = await openTestConnection(server.uri);
    const key = Buffer.from([0x73, 0x3a, 0xff, 0x00, 0x0d, 0x0a]);
    await application.command('SET', key, 'v', 'PXAT', IN_AN_HOUR);
    const { backend } = await openTestRedis(server.uri);
    await mirrored(backend, 'live');
    const id = `base64:${key.toString('base64')}`;
    expect(await keysOf(backend, 's')).toBe(1);
    expect(await backend.setExpiration('s', [id], null)).toMatchObject({ succeeded: 1 });
    expect(await application.command('PEXPIRETIME', key)).toBe(-1);
    await backend.put('s', id, { _id: id, type: 'string', value: 'base64:/wA=' });
    expect(await application.command('GET', key)).toEqual(Buffer.from([0xff, 0x00]));
    expect(await backend.delete('s', [id])).toMatchObject({ succeeded: 1, failed: [] });
  });
});

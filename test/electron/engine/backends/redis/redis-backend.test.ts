import { describe, expect, it, onTestFinished } from 'vitest';
import type { Commit } from '../../../../../electron/engine/backends/backend.ts';
import type { Command } from '../../../../../electron/engine/backends/redis/connection/command-connection.ts';
import type { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import { listOf, textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import type { RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { NEEDS_REDIS, startRedis } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { startTcpProxy } from '../../../../support/tcp-proxy.ts';

const IN_AN_HOUR = Date.now() + 3_600_000;
const NOTIFYING = ['--notify-keyspace-events', 'Eg$lszxen'];

async function counts(backend: RedisBackend): Promise<Record<string, [number, number]>> {
  const summaries = await backend.reads.summaries(null, Date.now());
  return Object.fromEntries(summaries.map(one => [one.name, [one.documents, one.withDeadline]]));
}

async function deadlineOf(
  backend: RedisBackend,
  collection: string,
  id: string,
): Promise<number | null | undefined> {
  const page = await backend.reads.documents(
    { collection, limit: 1_000, sort: '_id', order: 'asc', includeExpired: true },
    0,
  );
  return page.documents.find(one => one._id === id)?.deadlineAt;
}

/** Starts a server with some keys, and opens it. */
async function opened(...commands: Command[]) {
  const server = await startRedis(...NOTIFYING, '--enable-debug-command', 'local');
  const connection = await openTestConnection(server.uri);
  await run(connection, ...commands);
  const { backend, meters, mirrorFile } = await openTestRedis(server.uri);
  await mirrored(backend, 'live');
  return { server, connection, backend, meters, mirrorFile };
}

async function run(connection: RedisConnection, ...commands: Command[]): Promise<void> {
  for (const outcome of await connection.pipeline(commands)) if ('error' in outcome) throw outcome.error;
}

describe.runIf(runsHere('mirrors of Redis', NEEDS_REDIS))('a Redis server', () => {
  it('is mirrored: its prefixes are collections, its keys have their deadlines and types', async () => {
    const { backend } = await opened(
      ['SET', 'session:1', 'v', 'PXAT', IN_AN_HOUR],
      ['SET', 'session:2', 'v'],
      ['HSET', 'user:1', 'f', 'v'],
      ['SET', 'alone', 'v'],
    );
    expect(await counts(backend)).toEqual({ session: [2, 1], user: [1, 0], '(no prefix)': [1, 0] });
    expect(await deadlineOf(backend, 'session', 'session:1')).toBe(IN_AN_HOUR);
    expect(backend.remote).toMatchObject({
      uri: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+\/0$/),
      server: expect.stringMatching(/^Redis \d+\.\d+\.\d+$/),
      unreachable: null,
      mirror: { is: 'live' },
    });
  });

  it('is followed: every way in which a deadline changes', async () => {
    const { backend, connection } = await opened(['SET', 'k:1', 'v']);
    const steps: [Command[], number | null | undefined][] = [
      [[['PEXPIREAT', 'k:1', IN_AN_HOUR]], IN_AN_HOUR],
      [[['PERSIST', 'k:1']], null],
      [[['SET', 'k:1', 'v', 'PXAT', IN_AN_HOUR + 1]], IN_AN_HOUR + 1],
      [[['SET', 'k:1', 'v', 'KEEPTTL']], IN_AN_HOUR + 1],
      [[['SET', 'k:1', 'v']], null],
      [[['GETEX', 'k:1', 'PXAT', IN_AN_HOUR + 2]], IN_AN_HOUR + 2],
      [[['APPEND', 'k:1', 'more']], IN_AN_HOUR + 2],
      [
        [
          ['RENAME', 'k:1', 'k:2'],
          ['RENAME', 'k:2', 'k:1'],
        ],
        IN_AN_HOUR + 2,
      ],
      [
        [
          ['SET', 'k:3', 'x'],
          ['COPY', 'k:3', 'k:1', 'REPLACE'],
        ],
        null,
      ],
      [
        [
          ['SADD', 's:1', 'a'],
          ['SUNIONSTORE', 'k:1', 's:1'],
          ['PEXPIREAT', 'k:1', IN_AN_HOUR + 3],
        ],
        IN_AN_HOUR + 3,
      ],
      [[['DEL', 'k:1']], undefined],
      [[['LPUSH', 'k:1', 'a']], null],
      [[['LPOP', 'k:1']], undefined],
      [
        [
          ['XADD', 'k:1', '*', 'a', 'b'],
          ['PEXPIREAT', 'k:1', IN_AN_HOUR],
        ],
        IN_AN_HOUR,
      ],
      [[['MOVE', 'k:1', 1]], undefined],
    ];
    for (const [commands, deadline] of steps) {
      await run(connection, ...commands);
      await eventually(async () =>
        expect(await deadlineOf(backend, 'k', 'k:1'), JSON.stringify(commands)).toBe(deadline),
      );
    }
  });

  it('whose key expires: the key is removed, with its lag by the clock of the server', async () => {
    const { backend, connection, meters } = await opened(['SET', 'k:1', 'v'], ['SET', 'k:2', 'v']);
    const at = Date.now() + 300;
    await run(connection, ['PEXPIREAT', 'k:1', at]);
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [1, 0] }));
    const { expired } = await backend.reads.expired({ limit: 10 }, Date.now());
    expect(expired).toMatchObject([{ _id: 'k:1', collection: 'k', cause: 'expired', deadlineAt: at }]);
    const lag = meters.of('k').lag.sinceOpen().maxMs;
    expect(meters.of('k').counts.total.removed).toBe(1);
    expect(lag).toBeGreaterThanOrEqual(0);
    expect(lag).toBeLessThan(2_000);
  });

  it('whose keys are deleted or evicted: neither counts as an expiry', async () => {
    const { backend, connection, meters } = await opened(['SET', 'k:1', 'v', 'PXAT', IN_AN_HOUR]);
    await run(connection, ['DEL', 'k:1']);
    await eventually(async () => expect(await counts(backend)).toEqual({}));
    await run(connection, ['SET', 'k:2', 'v', 'PXAT', IN_AN_HOUR]);
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [1, 1] }));
    await run(
      connection,
      ['CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl'],
      ['CONFIG', 'SET', 'maxmemory', 1],
    );
    await connection.pipeline([['SET', 'k:3', 'v']]);
    await eventually(async () => expect(await counts(backend)).toEqual({}));
    expect(meters.of('k').counts.total.removed).toBe(0);
    expect((await backend.reads.expired({ limit: 10, cause: 'expired' }, Date.now())).expired).toEqual([]);
    const { expired } = await backend.reads.expired({ limit: 10 }, Date.now());
    expect(expired.map(({ _id, isEvicted }) => [_id, isEvicted === true])).toEqual([
      ['k:2', true],
      ['k:1', false],
    ]);
  });

  it('notes a write that keeps the deadline of a key whose value was read, once for each read', async () => {
    const { backend, connection } = await opened(
      ['SET', 'k:1', 'first', 'PXAT', IN_AN_HOUR],
      ['SET', 'k:2', 'first'],
      ['RPUSH', 'k:3', 'first'],
    );
    const commits: Commit[] = [];
    backend.onCommit(commit => commits.push(commit));
    const written = () => commits.flatMap(({ changes }) => changes.map(({ kind, id }) => `${kind} ${id}`));
    const read = (id: string) => backend.reads.document({ collection: 'k', id, includeExpired: true }, 0);
    await read('k:1');
    await read('k:3');
    await run(
      connection,
      ['SET', 'k:1', 'second', 'KEEPTTL'],
      ['SET', 'k:2', 'second'],
      ['RPUSH', 'k:3', 'second'],
    );
    await eventually(() => expect(written()).toEqual(['update k:1', 'update k:3']));
    expect((await read('k:1')).document).toMatchObject({ value: 'second' });
    await run(connection, ['SET', 'k:3', 'third', 'KEEPTTL'], ['SET', 'k:1', 'third', 'KEEPTTL']);
    await eventually(() => expect(written().slice(2)).toContain('update k:1'));
    await run(connection, ['SET', 'k:1', 'fourth', 'KEEPTTL'], ['SET', 'k:9', 'new']);
    await eventually(() => expect(written()).toContain('insert k:9'));
    expect(written().filter(one => one === 'update k:1')).toHaveLength(2);
  });

  it('is scanned again after FLUSHALL, which sends no notifications', async () => {
    const { backend, connection } = await opened(['SET', 'k:1', 'v'], ['SET', 'k:2', 'v']);
    await run(connection, ['FLUSHALL'], ['SET', 'other:1', 'v']);
    await eventually(async () => expect(await counts(backend)).toEqual({ other: [1, 0] }));
    await mirrored(backend, 'live');
  });

  it('whose notifications are off is scanned at an interval, and reports that; they can be turned on here', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri);
    await run(connection, ['SET', 'k:1', 'v']);
    const { backend } = await openTestRedis(server.uri, { follower: { rescanEveryMs: 200 } });
    await mirrored(backend, 'as of');
    await run(connection, ['SET', 'k:2', 'v'], ['DEL', 'k:1']);
    await eventually(async () => expect(await deadlineOf(backend, 'k', 'k:2')).toBeNull());
    // The end of the scan removes the keys that it has not found.
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [1, 0] }));
    await eventually(() =>
      expect(backend.remote.findings).toContainEqual(expect.objectContaining({ id: 'notifications off' })),
    );
    await backend.mirror.enableNotifications?.();
    await mirrored(backend, 'live');
    const [, flags] = listOf(await connection.command('CONFIG', 'GET', 'notify-keyspace-events'));
    expect([...textOf(flags)].sort()).toEqual([...'$Eeglnsxz']);
    await run(connection, ['CONFIG', 'SET', 'notify-keyspace-events', '']);
    await mirrored(backend, 'as of');
  });

  it('that is killed keeps its mirrored figures, and is followed again after its restart', async () => {
    const { backend, server } = await opened(['SET', 'k:1', 'v', 'PXAT', IN_AN_HOUR]);
    await server.kill();
    await eventually(() => expect(backend.remote.unreachable).toMatchObject({ reason: expect.any(String) }));
    expect(backend.remote.mirror).toMatchObject({ is: 'stale' });
    expect(await counts(backend)).toEqual({ k: [1, 1] });
    await expect(
      backend.reads.document({ collection: 'k', id: 'k:1', includeExpired: false }, Date.now()),
    ).rejects.toMatchObject({
      code: 'CONNECTION_NOT_OPEN',
    });
    await server.start();
    const connection = await openTestConnection(server.uri);
    await run(connection, ['SET', 'new:1', 'v']);
    await mirrored(backend, 'live');
    expect(backend.remote.unreachable).toBeNull();
    await eventually(async () => expect(await counts(backend)).toEqual({ new: [1, 0] }));
    // Followed, and not only scanned.
    await run(connection, ['SET', 'new:2', 'v']);
    await eventually(async () => expect(await counts(backend)).toEqual({ new: [2, 0] }));
  });

  it('that cannot be reached is opened with its mirrored keys, and followed once it is running', async () => {
    const { backend, server, mirrorFile } = await opened(['SET', 'k:1', 'v']);
    await backend.close();
    await server.kill();
    const { backend: later } = await openTestRedis(server.uri, { mirrorFile });
    expect(await counts(later)).toEqual({ k: [1, 0] });
    expect(later.remote).toMatchObject({
      mirror: { is: 'stale' },
      unreachable: { since: expect.any(Number) },
    });
    await server.start();
    await mirrored(later, 'live');
    await eventually(async () => expect(await counts(later)).toEqual({}));
  });

  it('that refuses the password is not opened', async () => {
    const server = await startRedis('--requirepass', 'hunter2');
    await expect(openTestRedis(server.uri, { secret: 'wrong' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const { backend } = await openTestRedis(server.uri, { secret: 'hunter2' });
    await mirrored(backend, 'as of');
    expect(backend.remote.uri).not.toContain('hunter2');
  });

  it('has its values read and edited, with the TTL kept', async () => {
    const { backend, connection } = await opened(['HSET', 'k:1', 'a', '1'], ['PEXPIREAT', 'k:1', IN_AN_HOUR]);
    const query = { collection: 'k', id: 'k:1', includeExpired: false };
    expect(await backend.reads.document(query, Date.now())).toMatchObject({
      document: { _id: 'k:1', type: 'hash', value: { a: '1' } },
      deadlineAt: IN_AN_HOUR,
    });
    const commits: Commit[] = [];
    onTestFinished(backend.onCommit(commit => commits.push(commit)));
    await backend.put('k', 'k:1', { _id: 'k:1', type: 'hash', value: { a: '2', b: '3' } });
    expect(commits.flatMap(({ changes }) => changes)).toContainEqual({
      collection: 'k',
      kind: 'update',
      id: 'k:1',
    });
    expect(await backend.reads.document(query, Date.now())).toMatchObject({
      document: { value: { a: '2', b: '3' } },
      deadlineAt: IN_AN_HOUR,
    });
    expect(await connection.command('PEXPIRETIME', 'k:1')).toBe(IN_AN_HOUR);
    await expect(backend.put('k', 'new', { type: 'string', value: 'v' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    await expect(backend.put('k', 'k:1', { a: 1 })).rejects.toMatchObject({ code: 'INVALID_DOCUMENT' });
  });

  it('has deadlines set and cleared, and keys deleted; the mirror has them at once', async () => {
    const { backend, connection } = await opened(
      ['SET', 'k:1', 'v'],
      ['SET', 'k:2', 'v'],
      ['SET', 'other:1', 'v'],
    );
    const ids = ['k:1', 'other:1', 'missing'];
    expect(await backend.setExpiration('k', ids, { at: IN_AN_HOUR })).toMatchObject({
      succeeded: 1,
      failed: [
        { _id: 'other:1', code: 'DOCUMENT_NOT_FOUND' },
        { _id: 'missing', code: 'DOCUMENT_NOT_FOUND' },
      ],
    });
    expect(await deadlineOf(backend, 'k', 'k:1')).toBe(IN_AN_HOUR);
    expect(await connection.command('PEXPIRETIME', 'k:1')).toBe(IN_AN_HOUR);
    await backend.setExpiration('k', ['k:2'], { after: 60 });
    const after = (await deadlineOf(backend, 'k', 'k:2')) ?? 0;
    expect(Math.abs(after - Date.now() - 60_000)).toBeLessThan(2_000);
    await backend.setExpiration('k', ['k:1'], { never: true });
    await backend.setExpiration('k', ['k:2'], null);
    expect(await counts(backend)).toMatchObject({ k: [2, 0] });
    await expect(backend.setExpiration('k', ['k:1'], { at: 1 })).rejects.toMatchObject({
      code: 'INVALID_EXPIRATION',
    });
    expect(await backend.delete('k', ['k:1'])).toMatchObject({ succeeded: 1, failed: [] });
    expect(await counts(backend)).toMatchObject({ k: [1, 0] });
    expect(await connection.command('EXISTS', 'k:1')).toBe(0);
  });

  it('that is opened read-only is not written', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri);
    await run(connection, ['SET', 'k:1', 'v']);
    const { backend } = await openTestRedis(server.uri, { readOnly: true });
    await mirrored(backend, 'as of');
    const refused = expect.objectContaining({ code: 'READ_ONLY' });
    await expect(backend.delete('k', ['k:1'])).rejects.toEqual(refused);
    await expect(backend.setExpiration('k', ['k:1'], null)).rejects.toEqual(refused);
    await expect(backend.put('k', 'k:1', { type: 'string', value: 'x' })).rejects.toEqual(refused);
    await expect(backend.mirror.enableNotifications?.()).rejects.toEqual(refused);
  });

  it('is not read for a key past its mirrored deadline, so that the lag stays the server’s own', async () => {
    const { backend, connection } = await opened(['SET', 'k:1', 'v']);
    await run(connection, ['DEBUG', 'SET-ACTIVE-EXPIRE', 0], ['PEXPIRE', 'k:1', 50]);
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [1, 1] }));
    await new Promise(resolve => setTimeout(resolve, 100));
    await run(connection, ['CONFIG', 'RESETSTAT']);
    const record = await backend.reads.document(
      { collection: 'k', id: 'k:1', includeExpired: true },
      Date.now(),
    );
    expect(record).toMatchObject({ state: 'overdue', document: { _id: 'k:1', type: 'string' } });
    expect(textOf(await connection.command('INFO', 'stats'))).toContain('expired_keys:0');
  });

  it('with keys that are not UTF-8 and keys over 512 bytes is mirrored', async () => {
    const bytes = Buffer.from([0x6b, 0x3a, 0xff]);
    const long = Buffer.from(`k:${'x'.repeat(600)}`);
    const { backend, connection } = await opened(
      ['SET', bytes, 'v'],
      ['SET', long, 'v'],
      ['SET', 'k:1', 'v'],
    );
    expect(await counts(backend)).toEqual({ k: [3, 0] });
    await backend.setExpiration('k', ['base64:azr/'], { at: IN_AN_HOUR });
    expect(await connection.command('PEXPIRETIME', bytes)).toBe(IN_AN_HOUR);
    const page = await backend.reads.documents(
      { collection: 'k', limit: 10, sort: '_id', order: 'asc', includeExpired: false },
      0,
    );
    const hashed = page.documents.find(one => one._id.startsWith('sha256:'))?._id ?? '';
    expect((await backend.setExpiration('k', [hashed], { at: IN_AN_HOUR })).failed).toMatchObject([
      { code: 'BAD_REQUEST' },
    ]);
  });

  it('with 10,000 prefixes is mirrored', async () => {
    const server = await startRedis(...NOTIFYING);
    const connection = await openTestConnection(server.uri);
    await run(connection, [
      'EVAL',
      "for i = 1, 20000 do redis.call('SET', 'p'..(i % 10000)..':'..i, 'v') end",
      0,
    ]);
    const { backend } = await openTestRedis(server.uri);
    await mirrored(backend, 'live');
    const summaries = await backend.reads.summaries(null, Date.now());
    expect(summaries).toHaveLength(10_000);
    expect(summaries.every(({ documents }) => documents === 2)).toBe(true);
  }, 60_000);

  it('that changes while it is scanned is mirrored in its final state', async () => {
    const server = await startRedis(...NOTIFYING);
    const connection = await openTestConnection(server.uri);
    const fill = "for i = 1, 30000 do redis.call('SET', 'k:'..i, 'v', 'PXAT', ARGV[1]) end";
    await run(connection, ['EVAL', fill, 0, IN_AN_HOUR]);
    const { backend } = await openTestRedis(server.uri);
    for (let i = 1; i <= 3_000; i += 3) {
      await run(
        connection,
        ['DEL', `k:${i}`],
        ['PEXPIREAT', `k:${i + 1}`, IN_AN_HOUR + i],
        ['SET', `new:${i}`, 'v'],
      );
    }
    await mirrored(backend, 'live');
    await eventually(async () =>
      expect(await counts(backend)).toEqual({ k: [29_000, 29_000], new: [1_000, 0] }),
    );
    for (const i of [1, 301, 2_998]) {
      expect(await deadlineOf(backend, 'k', `k:${i}`)).toBeUndefined();
      const query = { collection: 'k', id: `k:${i + 1}`, includeExpired: false };
      const { deadlineAt } = await backend.reads.document(query, Date.now());
      expect(deadlineAt).toBe(IN_AN_HOUR + i);
    }
  }, 60_000);

  it('that answers slowly is mirrored, and its round trip is measured', async () => {
    const server = await startRedis(...NOTIFYING);
    const connection = await openTestConnection(server.uri);
    await run(connection, ['SET', 'k:1', 'v', 'PXAT', IN_AN_HOUR]);
    const proxy = await startTcpProxy(server.port);
    proxy.delay(100);
    const { backend } = await openTestRedis(server.uri.replace(`:${server.port}`, `:${proxy.port}`));
    await mirrored(backend, 'live');
    expect(await counts(backend)).toEqual({ k: [1, 1] });
    expect(backend.remote.roundTripMs).toBeGreaterThanOrEqual(100);
  });

  it('whose keys change faster than they may be read again is scanned again', async () => {
    const server = await startRedis(...NOTIFYING);
    const connection = await openTestConnection(server.uri);
    await run(connection, ['SET', 'k:1', 'v']);
    const { backend } = await openTestRedis(server.uri, { follower: { changedKeysPerSecond: 100 } });
    await mirrored(backend, 'live');
    const fill = "for i = 1, 60000 do redis.call('SET', 'k:'..i, 'v') end";
    await run(connection, ['EVAL', fill, 0]);
    await eventually(() =>
      expect(backend.remote.mirror).toMatchObject({ reason: expect.stringMatching(/more keys changed/) }),
    );
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [60_000, 0] }), 30_000);
  }, 60_000);

  it('that is a replica accepts no writes, and no lag is measured', async () => {
    const master = await startRedis();
    const server = await startRedis(...NOTIFYING, '--replicaof', '127.0.0.1', String(master.port));
    const onMaster = await openTestConnection(master.uri);
    await run(onMaster, ['SET', 'k:1', 'v'], ['SET', 'k:2', 'v']);
    const { backend, meters } = await openTestRedis(server.uri);
    // Its first copy of the master's data comes without notifications.
    await eventually(async () => expect(await counts(backend)).toEqual({ k: [2, 0] }), 20_000);
    await mirrored(backend, 'live');
    await run(onMaster, ['PEXPIRE', 'k:2', 500]);
    const { failed } = await backend.setExpiration('k', ['k:1'], { at: IN_AN_HOUR });
    expect(failed).toMatchObject([{ code: 'READ_ONLY' }]);
    await eventually(async () => expect((await counts(backend)).k?.[0]).toBe(1));
    // The master sends an expiry to a replica as a deletion.
    expect((await backend.reads.expired({ limit: 10 }, Date.now())).expired).toMatchObject([
      { _id: 'k:2', cause: 'expired' },
    ]);
    expect(meters.of('k').lag.sinceOpen().count).toBe(0);
    expect(backend.remote.findings).toContainEqual(expect.objectContaining({ id: 'replica' }));
  });
});

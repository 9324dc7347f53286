import { describe, expect, it } from 'vitest';
import type { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import { integerOf, textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { KeyReader, type ReadKey } from '../../../../../electron/engine/backends/redis/scan/key-reader.ts';
import { scanKeys } from '../../../../../electron/engine/backends/redis/scan/key-scan.ts';
import { ScanPace } from '../../../../../electron/engine/backends/redis/scan/scan-pace.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS, redisOfSuite, startRedis } from '../../../../support/redis.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

/** Fills a database with `count` keys, every tenth without a deadline. */
async function fill(connection: RedisConnection, count: number): Promise<void> {
  const set = `for i = 1, ARGV[1] do
    if i % 10 == 0 then redis.call('SET', 'k:'..i, 'v') else redis.call('SET', 'k:'..i, 'v', 'PXAT', 4102444800000 + i) end
  end`;
  await connection.command('EVAL', set, 0, count);
}

async function all(connection: RedisConnection, reader: KeyReader, pace = new ScanPace(() => null)) {
  const found = new Map<string, ReadKey>();
  const batches: { done: number; total: number }[] = [];
  await scanKeys({
    reader,
    probe: connection,
    pace,
    clock: systemClock,
    signal: new AbortController().signal,
    onBegin: () => {},
    onKeys: (keys, progress) => {
      for (const key of keys) found.set(key.key.toString('latin1'), key);
      batches.push(progress);
    },
  });
  return { found, batches };
}

describe.runIf(runsHere('scans of Redis', NEEDS_REDIS))('keys of Redis', () => {
  const redis = redisOfSuite('--enable-debug-command', 'local');

  async function emptied(): Promise<RedisConnection> {
    const connection = await openTestConnection(redis.uri);
    await connection.command('FLUSHALL');
    await connection.command('DEBUG', 'SET-ACTIVE-EXPIRE', 1);
    return connection;
  }

  /** Modes by the server's version and the user's permission. Before 7.0 the deadline comes from PTTL and TIME. */
  const modes = [
    { mode: 'by scripts', hasExpireTime: true, usesScripts: true },
    { mode: 'in pipelines', hasExpireTime: true, usesScripts: false },
    { mode: 'by scripts before Redis 7.0', hasExpireTime: false, usesScripts: true },
    { mode: 'in pipelines before Redis 7.0', hasExpireTime: false, usesScripts: false },
  ];

  it.each(modes)('are all found with deadline and type, $mode', async mode => {
    const connection = await emptied();
    await fill(connection, 10_000);
    await connection.command('HSET', 'a hash', 'f', 'v');
    const { found, batches } = await all(connection, new KeyReader(connection, mode));
    expect(found.size).toBe(10_001);
    expect(found.get('a hash')).toMatchObject({ deadlineAt: null, type: 'hash' });
    expect(found.get('k:10')).toMatchObject({ deadlineAt: null, type: 'string' });
    const deadline = found.get('k:11')?.deadlineAt ?? 0;
    expect(Math.abs(deadline - 4_102_444_800_011)).toBeLessThanOrEqual(mode.hasExpireTime ? 0 : 50);
    expect(batches.at(-1)).toEqual({ done: 10_001, total: 10_001 });
    expect(batches.length).toBeGreaterThan(1);
  });

  it.each(modes)('that do not exist are left out of a read, $mode', async mode => {
    const connection = await emptied();
    await connection.command('SET', 'here', 'v');
    const read = await new KeyReader(connection, mode).read([Buffer.from('gone'), Buffer.from('here')]);
    expect(read).toEqual([{ key: Buffer.from('here'), deadlineAt: null, type: 'string' }]);
  });

  it('past their deadline are not read: only SCAN itself deletes them', async () => {
    const connection = await emptied();
    await connection.command('DEBUG', 'SET-ACTIVE-EXPIRE', 0);
    await fill(connection, 100);
    for (let i = 1; i <= 50; i++) await connection.command('PEXPIRE', `k:${i}`, 1);
    await systemClock.sleep(5);
    const { found } = await all(connection, new KeyReader(connection, { hasExpireTime: true }));
    expect([...found.keys()].sort()).toEqual(Array.from({ length: 50 }, (_, i) => `k:${i + 51}`).sort());
  });

  it('that are not UTF-8 are read byte for byte', async () => {
    const connection = await emptied();
    const key = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x24]);
    await connection.command('SET', key, 'v');
    const { found } = await all(connection, new KeyReader(connection, { hasExpireTime: true }));
    expect([...found.values()].map(one => one.key)).toEqual([key]);
  });

  it('that the user may not read are left out; without permission for scripts, pipelines are used', async () => {
    const server = await startRedis();
    const admin = await openTestConnection(server.uri);
    await admin.command('MSET', 'mine:1', 'v', 'mine:2', 'v', 'other:1', 'v');
    for (const [user, rights] of Object.entries({ ada: ['+@all'], bob: ['+@all', '-@scripting'] })) {
      await admin.command('ACL', 'SETUSER', user, 'on', '>p', '~mine:*', ...rights);
      const connection = await openTestConnection(server.uri.replace('redis://', `redis://${user}:p@`));
      const { found } = await all(connection, new KeyReader(connection, { hasExpireTime: true }));
      expect([...found.keys()].sort()).toEqual(['mine:1', 'mine:2']);
    }
  });

  it('are scanned no faster than the setting allows', async () => {
    const connection = await emptied();
    await fill(connection, 1_000);
    const startedAt = performance.now();
    const reader = new KeyReader(connection, { hasExpireTime: true });
    const { batches } = await all(connection, reader, new ScanPace(() => 1_000));
    expect(performance.now() - startedAt).toBeGreaterThan(700);
    // A slow scan shows its progress.
    expect(batches.length).toBeGreaterThan(1);
  });

  it('are scanned until it is cancelled', async () => {
    const connection = await emptied();
    await fill(connection, 20_000);
    const cancel = new AbortController();
    let batches = 0;
    const scan = scanKeys({
      reader: new KeyReader(connection, { hasExpireTime: true }),
      probe: connection,
      pace: new ScanPace(() => null),
      clock: systemClock,
      signal: cancel.signal,
      onBegin: () => {},
      onKeys: () => {
        batches++;
        cancel.abort();
      },
    });
    await expect(scan).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(batches).toBe(1);
  });

  it('are scanned without blocking the server for long: no command takes over 5 ms', async () => {
    const connection = await emptied();
    await fill(connection, 20_000);
    await connection.command('CONFIG', 'SET', 'slowlog-log-slower-than', 5_000);
    await connection.command('SLOWLOG', 'RESET');
    const { found } = await all(connection, new KeyReader(connection, { hasExpireTime: true }));
    expect(found.size).toBe(20_000);
    const slow = integerOf(await connection.command('SLOWLOG', 'LEN'));
    // Another process may take the CPU in the middle of a command.
    expect(slow).toBeLessThan(10);
    expect(textOf(await connection.command('PING'))).toBe('PONG');
  });
});

describe('the pace of a scan', () => {
  it('reads fewer keys at once when steps take long, and more when they are short', () => {
    const pace = new ScanPace(() => null);
    pace.pinged(0.2);
    for (let i = 0; i < 20; i++) pace.stepped(pace.count, 0.3);
    expect(pace.count).toBe(36);
    for (let i = 0; i < 20; i++) pace.stepped(pace.count, 5);
    expect(pace.count).toBe(25);
  });

  it('waits longer and longer while a PING takes long, and stops waiting when it does not', () => {
    const pace = new ScanPace(() => null);
    pace.pinged(0.2);
    expect(pace.stepped(100, 0.5)).toBe(0);
    for (let i = 0; i < 3; i++) pace.pinged(10);
    expect(pace.stepped(100, 0.5)).toBe(4);
    for (let i = 0; i < 20; i++) pace.pinged(10);
    expect(pace.stepped(100, 0.5)).toBe(5);
    for (let i = 0; i < 20; i++) pace.pinged(0.2);
    expect(pace.stepped(100, 0.5)).toBe(0);
  });

  it('keeps to the keys per second of the setting', () => {
    expect(new ScanPace(() => 1_000).stepped(100, 20)).toBe(80);
  });
});

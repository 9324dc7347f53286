import { describe, expect, it } from 'vitest';
import { notificationCoverage } from '../../../../../electron/engine/backends/redis/server/notify-flags.ts';
import { ServerClock } from '../../../../../electron/engine/backends/redis/server/server-clock.ts';
import {
  readIdentity,
  readServerFacts,
  readSilentChanges,
} from '../../../../../electron/engine/backends/redis/server/server-facts.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS, startRedis } from '../../../../support/redis.ts';
import { openTestConnection, ready } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const known = (value: unknown) => ({ is: 'known', value });

describe.runIf(runsHere('facts of a Redis server', NEEDS_REDIS))('facts of a Redis server', () => {
  it('are read', async () => {
    const server = await startRedis('--notify-keyspace-events', 'KEA', '--maxmemory', '64mb');
    const connection = await openTestConnection(server.uri);
    await connection.command('SET', 'a', '1');
    await connection.command('SET', 'b', '1', 'EX', 100);
    expect(await readServerFacts(connection)).toEqual({
      identity: known({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        runId: expect.stringMatching(/^[0-9a-f]{40}$/),
        role: 'master',
        source: '',
        mode: 'standalone',
        name: 'redis',
      }),
      databases: known([{ database: 0, keys: 2, withDeadline: 1 }]),
      notifyFlags: known('AKE'),
      maxMemory: known(64 * 1024 * 1024),
      maxMemoryPolicy: known('noeviction'),
      activeExpireEffort: known(1),
      databaseCount: known(16),
      usedMemory: known(expect.any(Number)),
      evictedKeys: known(0),
    });
  });

  it('that the user may not read are reported as such, and the others are read', async () => {
    const server = await startRedis();
    const admin = await openTestConnection(server.uri);
    await admin.command('ACL', 'SETUSER', 'ada', 'on', '>p', '~*', '+@read', '+select', '+info');
    const connection = await openTestConnection(server.uri.replace('redis://', 'redis://ada:p@'));
    const facts = await readServerFacts(connection);
    expect(facts.identity.is).toBe('known');
    expect(facts.maxMemoryPolicy).toEqual({ is: 'refused', reason: expect.stringMatching(/NOPERM/) });
    expect(facts.notifyFlags.is).toBe('refused');
  });

  it('show a restart and a replica', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri);
    const before = await readIdentity(connection);
    await server.kill();
    await server.start();
    await ready(connection);
    const after = await readIdentity(connection);
    expect(after).not.toEqual(before);
    await connection.command('REPLICAOF', '127.0.0.1', '1');
    expect(await readIdentity(connection)).toMatchObject({ value: { role: 'replica' } });
  });

  it('count the commands that empty a database without a notification', async () => {
    const connection = await openTestConnection((await startRedis()).uri);
    expect(await readSilentChanges(connection)).toEqual(known(0));
    await connection.command('FLUSHALL');
    await connection.command('FLUSHDB', 'ASYNC');
    await connection.command('SWAPDB', 0, 1);
    expect(await readSilentChanges(connection)).toEqual(known(3));
  });

  it('include its clock, ± half the round trip', async () => {
    const connection = await openTestConnection((await startRedis()).uri);
    const ahead = { ...systemClock, now: () => systemClock.now() - 3_600_000 };
    const clock = new ServerClock(ahead);
    const { offsetMs, plusMinusMs } = await clock.measure(connection);
    expect(plusMinusMs).toBeLessThan(1_000);
    expect(Math.abs(offsetMs - 3_600_000)).toBeLessThanOrEqual(plusMinusMs + 2);
  });
});

it.each([
  ['', true, { isComplete: false, expiries: false, wanted: 'Eg$lszxen' }],
  ['', false, { isComplete: false, expiries: false, wanted: 'Eg$lszxeht' }],
  ['KEA', true, { isComplete: true, expiries: true, wanted: 'KEA' }],
  ['KEA', false, { isComplete: true, expiries: true, wanted: 'KEA' }],
  ['Ex', true, { isComplete: false, expiries: true, wanted: 'Exg$lszen' }],
  ['KA', true, { isComplete: false, expiries: false, wanted: 'KAE' }],
  ['Eg$lszxen', true, { isComplete: true, expiries: true, wanted: 'Eg$lszxen' }],
  ['Eg$lszxen', false, { isComplete: false, expiries: true, wanted: 'Eg$lszxenht' }],
  // SUNIONSTORE would replace a key unseen.
  ['Eg$lzxen', true, { isComplete: false, expiries: true, wanted: 'Eg$lzxens' }],
])('notify-keyspace-events %j (class for new keys: %s)', (flags, hasNewKeyClass, coverage) => {
  expect(notificationCoverage(flags, hasNewKeyClass)).toEqual(coverage);
});

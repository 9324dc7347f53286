import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { type Deployment, startSentinelTrio } from '../../../../support/redis-cluster.ts';
import { openTestConnection, silentLog } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { temporaryStoreFile } from '../../../../support/temporary.ts';

const IN_AN_HOUR = Date.now() + 3_600_000;
const ids = Array.from({ length: 300 }, (_, i) => `session:${i}`);

describe.runIf(runsHere('Redis Sentinel', NEEDS_REDIS))('a master of Redis Sentinel', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await startSentinelTrio();
  });
  afterAll(() => deployment.stop());

  it('is refused if the sentinels do not know its name, and if none of them can be reached', async () => {
    const open = (uri: string) =>
      openRedis({
        uri,
        mirrorFile: temporaryStoreFile(),
        clock: systemClock,
        log: silentLog,
        meters: new MeterRegistry(),
        readOnly: false,
      });
    await expect(open(deployment.uri.replace('/main', '/other'))).rejects.toMatchObject({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(/no master named other/),
    });
    const { backend } = await openTestRedis('redis+sentinel://127.0.0.1:1/main');
    expect(backend.remote.unreachable).not.toBeNull();
    await eventually(() => expect(backend.remote.unreachable?.reason).toMatch(/no sentinel can be reached/));
  });

  it('is mirrored, changed, and found again after it is killed: nothing is lost, and nothing wrong is shown', async () => {
    const application = await openTestConnection(deployment.uri);
    await application.pipeline(ids.map(id => ['SET', id, 'v', 'PXAT', IN_AN_HOUR]));
    await application.command('WAIT', 1, 5_000);
    const { backend } = await openTestRedis(deployment.uri);
    await mirrored(backend, 'live');
    expect(await count(backend)).toBe(ids.length);
    const seen = new Set<string>();
    const shown: number[] = [];
    backend.onRemoteChange(() => {
      const { mirror, unreachable } = backend.remote;
      seen.add(mirror?.is ?? '');
      if (unreachable !== null) seen.add('unreachable');
      if (mirror?.is === 'live') void count(backend).then(found => shown.push(found));
    });
    const [master, replica] = deployment.servers;
    await master?.server.kill();
    await eventually(async () => expect(await replica?.admin.isToMaster()).toBe(true), 30_000);
    await mirrored(backend, 'live');
    expect([...seen]).toEqual(expect.arrayContaining(['stale', 'unreachable', 'scanning', 'live']));
    expect(shown).toEqual(shown.map(() => ids.length));
    expect((await backend.reads.expired({ limit: 10 }, Date.now())).expired).toEqual([]);
    // Writes go to the new master, and what applications write there is followed.
    const result = await backend.setExpiration('session', ids, { at: IN_AN_HOUR + 1_000 });
    expect(result).toMatchObject({ succeeded: ids.length, failed: [] });
    expect(await replica?.admin.command('PEXPIRETIME', 'session:1')).toBe(IN_AN_HOUR + 1_000);
    await replica?.admin.command('DEL', 'session:1');
    await eventually(async () => expect(await count(backend)).toBe(ids.length - 1));
    // The former master returns as a replica, and is not taken for the master.
    await master?.server.start();
    await eventually(async () => expect(await master?.admin.isToMaster()).toBe(false), 30_000);
    await backend.delete('session', ids.slice(2, 4));
    expect(await replica?.admin.command('EXISTS', 'session:2', 'session:3')).toBe(0);
  });
});

async function count(backend: RedisBackend): Promise<number> {
  const [session] = await backend.reads.summaries(['session'], Date.now());
  return session?.documents ?? 0;
}

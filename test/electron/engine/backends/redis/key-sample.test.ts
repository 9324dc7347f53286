import { describe, expect, it } from 'vitest';
import { KeySample } from '../../../../../electron/engine/backends/redis/keys/key-sample.ts';
import type { RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { NEEDS_REDIS, redisOfSuite } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const KEYS = 8_000;
const IN_AN_HOUR = Date.now() + 3_600_000;
const keys = Array.from({ length: KEYS }, (_, i) => `s:${i}`);

describe('a sample of keys', () => {
  it('has every key up to the limit, and about as many as the limit above it', () => {
    const sample = new KeySample();
    const chosen = () => keys.filter(key => sample.has(Buffer.from(key))).length;
    expect([sample.choose(KEYS, KEYS), sample.oneIn, chosen()]).toEqual([false, 1, KEYS]);
    expect([sample.choose(KEYS, 2_000), sample.oneIn]).toEqual([true, 4]);
    expect(chosen()).toBeGreaterThan(1_800);
    expect(chosen()).toBeLessThan(2_200);
    expect(sample.choose(KEYS, 2_000)).toBe(false);
  });
});

describe.runIf(runsHere('samples of Redis', NEEDS_REDIS))('a server with more keys than are mirrored', () => {
  const redis = redisOfSuite('--notify-keyspace-events', 'KEA');
  const count = async (backend: RedisBackend) =>
    (await backend.reads.summaries(['s'], Date.now()))[0]?.documents ?? 0;

  it('is mirrored in part, as capability and state have it, until the limit is raised', async () => {
    const application = await openTestConnection(redis.uri);
    await application.pipeline(keys.map(key => ['SET', key, 'v', 'PXAT', IN_AN_HOUR]));
    const { backend } = await openTestRedis(redis.uri);
    await mirrored(backend, 'live');
    expect([await count(backend), backend.remote.sampledOneIn]).toEqual([KEYS, undefined]);
    expect(backend.capabilities.features.mirror).toEqual({ is: 'yes' });
    backend.mirror.change({ mostKeys: 2_000 });
    await eventually(() => expect(backend.remote).toMatchObject({ sampledOneIn: 4, mirror: { is: 'live' } }));
    const sampled = await count(backend);
    expect(sampled).toBeGreaterThan(1_800);
    expect(sampled).toBeLessThan(2_200);
    expect(backend.capabilities.features.mirror).toEqual({
      is: 'sampled',
      because: expect.stringMatching(/one in 4 is read/),
    });
    // Notifications are followed for the keys of the sample, and no other.
    await application.command('UNLINK', ...keys.slice(0, 4_000));
    await eventually(async () => expect(await count(backend)).toBeLessThan(1_200));
    const { expired } = await backend.reads.expired({ limit: 1_000 }, Date.now());
    expect(expired.length).toBeGreaterThan(800);
    await application.pipeline(keys.slice(0, 4_000).map(key => ['SET', key, 'v', 'PXAT', IN_AN_HOUR]));
    await eventually(async () => expect(await count(backend)).toBe(sampled));
    backend.mirror.change({ mostKeys: 20_000_000 });
    await eventually(async () => expect(await count(backend)).toBe(KEYS));
    expect(backend.remote.sampledOneIn).toBeUndefined();
  });
});

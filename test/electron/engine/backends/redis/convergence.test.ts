import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../../electron/engine/backends/redis/connection/command-connection.ts';
import type { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import type { RedisBackend } from '../../../../../electron/engine/backends/redis/redis-backend.ts';
import { KeyReader } from '../../../../../electron/engine/backends/redis/scan/key-reader.ts';
import { Random } from '../../../../support/random.ts';
import { NEEDS_REDIS, startRedis } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const KEYS = 300;

/** Random writes to random keys of each type, with and without a deadline; some keys expire at once. */
function randomCommands(random: Random): Command[] {
  const key = () => `${random.pick(['a', 'b', 'c'])}:${random.between(1, KEYS)}`;
  const ms = () => random.pick([20, 200, 3_600_000, 7_200_000]) + random.between(0, 99);
  const ways: (() => Command)[] = [
    () => ['SET', key(), 'v'],
    () => ['SET', key(), 'v', 'PX', ms()],
    () => ['SET', key(), 'v', 'XX', 'KEEPTTL'],
    () => ['DEL', key()],
    () => ['UNLINK', key()],
    () => ['PEXPIRE', key(), ms()],
    () => ['PERSIST', key()],
    () => ['RENAME', key(), key()],
    () => ['COPY', key(), key(), 'REPLACE'],
    () => ['LPUSH', key(), 'a'],
    () => ['LPOP', key()],
    () => ['SADD', key(), 'a', 'b'],
    () => ['SPOP', key()],
    () => ['SUNIONSTORE', key(), key(), key()],
    () => ['HSET', key(), 'f', 'v'],
    () => ['HDEL', key(), 'f'],
    () => ['ZADD', key(), 1, 'a'],
    () => ['XADD', key(), '*', 'f', 'v'],
    () => ['GETEX', key(), 'PX', ms()],
    () => ['GETDEL', key()],
  ];
  return Array.from({ length: 50 }, () => random.pick(ways)());
}

async function onServer(connection: RedisConnection): Promise<Map<string, string>> {
  const reader = new KeyReader(connection, { hasExpireTime: true });
  const found = new Map<string, string>();
  for (let cursor: string | null = null; ; ) {
    const { keys, next } = await reader.scan(cursor, 1_000);
    for (const { key, deadlineAt, type } of keys) found.set(key.toString(), `${deadlineAt} ${type}`);
    if (next === null) return found;
    cursor = next;
  }
}

async function inMirror(backend: RedisBackend): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const collection of backend.collectionNames()) {
    const query = { collection, limit: 1_000, sort: '_id', order: 'asc', includeExpired: true } as const;
    const { documents } = await backend.reads.documents(query, 0);
    for (const { _id, deadlineAt, document } of documents) found.set(_id, `${deadlineAt} ${document.type}`);
  }
  return found;
}

describe.runIf(runsHere('histories of Redis', NEEDS_REDIS))('any history of a Redis server', () => {
  it.each([1, 2, 3, 4])(
    'is mirrored in its final state: seed %i',
    async seed => {
      const random = new Random(seed);
      const server = await startRedis('--notify-keyspace-events', seed % 2 === 0 ? 'Eg$lszxen' : 'KEA');
      const connection = await openTestConnection(server.uri);
      for (let i = 0; i < 20; i++) await connection.pipeline(randomCommands(random));
      // Scanned while it changes.
      const { backend } = await openTestRedis(server.uri);
      for (let i = 0; i < 60; i++) {
        await connection.pipeline(randomCommands(random));
        if (i === 20) await connection.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        if (i === 30 && seed > 2) await connection.command('FLUSHALL');
        if (i === 40) await connection.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      }
      await eventually(async () => {
        expect(Object.fromEntries(await inMirror(backend))).toEqual(
          Object.fromEntries(await onServer(connection)),
        );
      }, 30_000);
      await mirrored(backend, 'live');
      // Followed, and not only scanned.
      await connection.pipeline(randomCommands(random));
      await eventually(async () => {
        expect(Object.fromEntries(await inMirror(backend))).toEqual(
          Object.fromEntries(await onServer(connection)),
        );
      });
    },
    60_000,
  );
});

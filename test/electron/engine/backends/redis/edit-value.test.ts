import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../../electron/engine/backends/redis/connection/command-connection.ts';
import type { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import { integerOf, textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { editValue } from '../../../../../electron/engine/backends/redis/values/edit-value.ts';
import { readValue } from '../../../../../electron/engine/backends/redis/values/redis-value.ts';
import type { JsonValue } from '../../../../../shared/model/json/json.ts';
import { NEEDS_REDIS, redisOfSuite, startRedis } from '../../../../support/redis.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

/** A value of each type, and every way in which it can be changed. */
const TYPES: readonly { type: string; make: Command; edits: readonly JsonValue[] }[] = [
  { type: 'string', make: ['SET', 'k', 'before'], edits: ['after', '', 'ä€😀', 'base64:/wA=', '{"a":1}'] },
  {
    type: 'hash',
    make: ['HSET', 'k', 'a', '1', 'b', '2'],
    edits: [
      { a: '1', b: '3' },
      { a: '1', b: '2', c: '3' },
      { b: '2' },
      { z: 'all others removed' },
      { 'base64:/w==': 'base64:/wA=' },
    ],
  },
  {
    type: 'list',
    make: ['RPUSH', 'k', 'a', 'b', 'c'],
    edits: [['a', 'x', 'c'], ['a', 'b', 'c', 'd', 'e'], ['a'], ['x', 'y', 'z']],
  },
  { type: 'set', make: ['SADD', 'k', 'a', 'b'], edits: [['a', 'b', 'c'], ['a'], ['x']] },
  {
    type: 'zset',
    make: ['ZADD', 'k', 1, 'a', 2, 'b'],
    edits: [
      [
        ['a', 1],
        ['b', 7.5],
      ],
      [['b', 2]],
      [
        ['x', '-inf'],
        ['y', 1e300],
      ],
    ],
  },
  { type: 'stream', make: ['XADD', 'k', '1-1', 'a', '1'], edits: [[['1-1', { a: '1' }]], []] },
];
const ways = TYPES.flatMap(({ type, make, edits }) => edits.map(value => ({ type, make, value })));

async function deadlineOf(connection: RedisConnection): Promise<number> {
  return integerOf(await connection.command('PEXPIRETIME', 'k'));
}

async function exists(connection: RedisConnection): Promise<boolean> {
  return integerOf(await connection.command('EXISTS', 'k')) === 1;
}

const edit = (type: string, value: JsonValue | undefined) => ({
  id: 'k',
  key: Buffer.from('k'),
  type,
  value,
});

async function emptied(uri: string): Promise<RedisConnection> {
  const connection = await openTestConnection(uri);
  await connection.command('FLUSHALL');
  return connection;
}

describe.runIf(runsHere('editing values in Redis', NEEDS_REDIS))('a value that is edited in Redis', () => {
  const redis = redisOfSuite('--enable-debug-command', 'local');

  it.each(ways)('keeps its TTL: $type to $value', async ({ type, make, value }) => {
    const connection = await emptied(redis.uri);
    await connection.command(...make);
    await connection.command('PEXPIREAT', 'k', Date.now() + 60_000);
    const deadline = await deadlineOf(connection);
    await editValue(connection, edit(type, value));
    expect(await deadlineOf(connection)).toBe(deadline);
    expect((await readValue(connection, Buffer.from('k')))?.value).toEqual(value);
  });

  it.each(ways)('stays without a TTL: $type to $value', async ({ type, make, value }) => {
    const connection = await emptied(redis.uri);
    await connection.command(...make);
    await editValue(connection, edit(type, value));
    expect(await deadlineOf(connection)).toBe(-1);
  });

  it.each(ways)('is not restored after it expired: $type to $value', async ({ type, make, value }) => {
    const connection = await emptied(redis.uri);
    // Active expiry is off: the edit is the first access after the deadline.
    await connection.command('DEBUG', 'SET-ACTIVE-EXPIRE', 0);
    await connection.command(...make);
    await connection.command('PEXPIRE', 'k', 1);
    await new Promise(resolve => setTimeout(resolve, 5));
    await expect(editValue(connection, edit(type, value))).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    expect(await exists(connection)).toBe(false);
  });

  it.each(ways)('is not overwritten once it has another type: $type to $value', async ({ type, value }) => {
    const connection = await emptied(redis.uri);
    const other = type === 'string' ? ['LPUSH', 'k', 'x'] : ['SET', 'k', 'x'];
    await connection.command(other[0] ?? '', ...other.slice(1), ...(type === 'string' ? [] : ['EX', 60]));
    const before = await readValue(connection, Buffer.from('k'));
    await expect(editValue(connection, edit(type, value))).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
    });
    expect(await readValue(connection, Buffer.from('k'))).toEqual(before);
  });

  it('without permission for scripts: a string keeps its TTL and is not restored, others are refused', async () => {
    const server = await startRedis();
    const admin = await openTestConnection(server.uri);
    await admin.command('ACL', 'SETUSER', 'ada', 'on', '>p', '~*', '+@all', '-@scripting');
    const connection = await openTestConnection(server.uri.replace('redis://', 'redis://ada:p@'));
    await connection.command('SET', 'k', 'before', 'PX', 60_000);
    const deadline = await deadlineOf(connection);
    await editValue(connection, edit('string', 'after'));
    expect(await deadlineOf(connection)).toBe(deadline);
    expect(textOf(await connection.command('GET', 'k'))).toBe('after');
    await connection.command('DEL', 'k');
    await expect(editValue(connection, edit('string', 'x'))).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    expect(await exists(connection)).toBe(false);
    await connection.command('LPUSH', 'k', 'a');
    await expect(editValue(connection, edit('list', ['b']))).rejects.toMatchObject({
      data: { redis: 'NOPERM' },
    });
  });

  it('is refused while the server has no memory left, and does not change', async () => {
    const connection = await openTestConnection((await startRedis('--maxmemory', '3mb')).uri);
    await connection.command('SET', 'k', 'before', 'PX', 60_000);
    await connection.command('CONFIG', 'SET', 'maxmemory', '1');
    for (const value of ['after', 'x'.repeat(100_000)]) {
      await expect(editValue(connection, edit('string', value))).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
      });
    }
    expect(textOf(await connection.command('GET', 'k'))).toBe('before');
  });

  it('is refused by a replica', async () => {
    const connection = await openTestConnection((await startRedis()).uri);
    await connection.command('SET', 'k', 'before');
    await connection.command('REPLICAOF', '127.0.0.1', '1');
    await expect(editValue(connection, edit('string', 'after'))).rejects.toMatchObject({ code: 'READ_ONLY' });
  });

  it.each<[string, JsonValue | undefined, RegExp]>([
    ['hash', {}, /delete it/],
    ['list', [], /delete it/],
    ['set', [], /delete it/],
    ['hash', ['a'], /an object of texts/],
    ['hash', { a: { b: '1' } }, /Write JSON as a text/],
    ['list', 'a', /an array/],
    ['zset', [['a', '1.2.3']], /\[member, score\]/],
    ['zset', [['a', '.']], /\[member, score\]/],
    ['zset', [['a', 'many']], /\[member, score\]/],
    ['zset', [['a', 1, 2]], /\[member, score\]/],
    ['string', null, /is a text/],
    ['string', undefined, /is a text/],
    ['stream', [['1-1']], /\[id, \{field: value\}\]/],
    ['stream', [['1-1', { a: 'changed' }]], /removed, but not added or changed/],
    ['stream', [['9-9', { a: '1' }]], /removed, but not added or changed/],
    ['ReJSON-RL', 'x', /type ReJSON-RL cannot be changed/],
  ])('of the type %s cannot be %j', async (type, value, message) => {
    const connection = await emptied(redis.uri);
    const make = TYPES.find(one => one.type === type)?.make ?? (['SET', 'k', 'x'] as const);
    await connection.command(...make);
    const before = await readValue(connection, Buffer.from('k'));
    await expect(editValue(connection, edit(type, value))).rejects.toMatchObject({
      code: 'INVALID_DOCUMENT',
      message: expect.stringMatching(message),
    });
    expect(await readValue(connection, Buffer.from('k'))).toEqual(before);
  });

  it('of more elements than are shown is not cut', async () => {
    const connection = await emptied(redis.uri);
    await connection.command('RPUSH', 'k', ...Array.from({ length: 1_001 }, (_, i) => i));
    await expect(editValue(connection, edit('list', ['a']))).rejects.toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
    });
    expect(await connection.command('LLEN', 'k')).toBe(1_001);
  });
});

describe.runIf(runsHere('reading values in Redis', NEEDS_REDIS))('a value that is read from Redis', () => {
  const redis = redisOfSuite();

  it('of 100 MB is read in part, without blocking the server', async () => {
    const connection = await emptied(redis.uri);
    await connection.command('SETRANGE', 'k', 100_000_000, 'x');
    const startedAt = performance.now();
    const value = await readValue(connection, Buffer.from('k'));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(value).toMatchObject({ type: 'string', length: 100_000_001, isPartial: true });
    expect(String(value?.value).length).toBe(1_048_576);
  });

  it('of 100,000 elements is read in part', async () => {
    const connection = await emptied(redis.uri);
    const fill = "for i = 1, 100000 do redis.call('HSET', 'k', i, 'value') end";
    await connection.command('EVAL', fill, 0);
    const value = await readValue(connection, Buffer.from('k'));
    expect(value).toMatchObject({ type: 'hash', length: 100_000, isPartial: true });
    const fields = Object.keys(value?.value ?? {}).length;
    expect(fields).toBeGreaterThanOrEqual(900);
    expect(fields).toBeLessThan(1_100);
  });

  it('whose elements are large is read in part', async () => {
    const connection = await emptied(redis.uri);
    for (let i = 0; i < 20; i++) await connection.command('RPUSH', 'k', Buffer.alloc(1_000_000, 'x'));
    const value = await readValue(connection, Buffer.from('k'));
    expect(value).toMatchObject({ type: 'list', length: 20, isPartial: true });
    expect(JSON.stringify(value?.value).length).toBeLessThan(2_200_000);
  });

  it('is not cut inside a character', async () => {
    const connection = await emptied(redis.uri);
    await connection.command('SET', 'k', `a${'€'.repeat(400_000)}`);
    const value = await readValue(connection, Buffer.from('k'));
    expect(value?.value).toBe(`a${'€'.repeat(349_525)}`);
  });

  it('of each type is read', async () => {
    const connection = await emptied(redis.uri);
    for (const { type, make } of TYPES) {
      await connection.command('DEL', 'k');
      await connection.command(...make);
      expect(await readValue(connection, Buffer.from('k'))).toMatchObject({ type, isPartial: false });
    }
    expect(await readValue(connection, Buffer.from('missing'))).toBeNull();
  });
});

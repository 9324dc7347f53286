import { describe, expect, it } from 'vitest';
import {
  type ChosenKey,
  changeKeys,
  type KeyChange,
} from '../../../../../electron/engine/backends/redis/changes/bulk-change.ts';
import {
  CLEAR_DEADLINE,
  DELETE_KEY,
  deadlineChange,
} from '../../../../../electron/engine/backends/redis/changes/key-changes.ts';
import type { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import { integerOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { NEEDS_REDIS, redisOfSuite, startRedis } from '../../../../support/redis.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { startTcpProxy } from '../../../../support/tcp-proxy.ts';

const IN_AN_HOUR = Date.now() + 3_600_000;
const NOW = { hasExpireTime: true, serverNow: () => Date.now() };
const chosen = (...ids: string[]): ChosenKey[] => ids.map(id => ({ id, key: Buffer.from(id) }));
const many = (count: number) => chosen(...Array.from({ length: count }, (_, i) => `k:${i}`));

async function deadlines(connection: RedisConnection, keys: readonly ChosenKey[]): Promise<number[]> {
  const outcomes = await connection.pipeline(keys.map(({ key }) => ['PEXPIRETIME', key]));
  return outcomes.map(outcome => ('reply' in outcome ? integerOf(outcome.reply) : Number.NaN));
}

async function fill(connection: RedisConnection, keys: readonly ChosenKey[]): Promise<void> {
  await connection.pipeline(keys.map(({ key }) => ['SET', key, 'v', 'PXAT', IN_AN_HOUR]));
}

describe.runIf(runsHere('bulk changes in Redis', NEEDS_REDIS))('a change of many keys', () => {
  const redis = redisOfSuite();

  async function emptied() {
    const connection = await openTestConnection(redis.uri);
    await connection.command('FLUSHALL');
    return { connection, context: { connection, clock: systemClock } };
  }

  it('sets a deadline, and lists the missing keys', async () => {
    const { connection, context } = await emptied();
    const keys = many(250);
    await fill(connection, keys);
    await connection.command('DEL', 'k:7');
    const at = IN_AN_HOUR + 5_000;
    const { changed, failed, left } = await changeKeys(context, keys, deadlineChange(at, NOW));
    expect(changed).toHaveLength(249);
    expect(failed).toEqual([
      { _id: 'k:7', code: 'DOCUMENT_NOT_FOUND', message: 'There is no key k:7: it expired or was deleted.' },
    ]);
    expect(left).toBe(0);
    expect(await deadlines(connection, keys)).toEqual(keys.map(({ id }) => (id === 'k:7' ? -2 : at)));
  });

  it('clears deadlines, never deletes, and does not change a key without one', async () => {
    const { connection, context } = await emptied();
    await connection.pipeline([
      ['SET', 'with', 'v', 'EX', 100],
      ['SET', 'without', 'v'],
    ]);
    const keys = chosen('with', 'without', 'gone');
    const { changed, failed } = await changeKeys(context, keys, CLEAR_DEADLINE);
    expect(changed.map(({ id }) => id).sort()).toEqual(['with', 'without']);
    expect(failed).toMatchObject([{ _id: 'gone', code: 'DOCUMENT_NOT_FOUND' }]);
    expect(await deadlines(connection, keys)).toEqual([-1, -1, -2]);
  });

  it.each([
    ['NX', ['none'], { none: 'new', early: 'same', late: 'same' }],
    ['XX', ['early', 'late'], { none: 'same', early: 'new', late: 'new' }],
    ['GT', ['early'], { none: 'same', early: 'new', late: 'same' }],
    ['LT', ['late', 'none'], { none: 'new', early: 'same', late: 'new' }],
  ] as const)('changes only the keys that %s admits', async (only, expected, after) => {
    const { connection, context } = await emptied();
    const at = IN_AN_HOUR;
    const before = { none: -1, early: at - 60_000, late: at + 60_000 };
    await connection.pipeline([
      ['SET', 'none', 'v'],
      ['SET', 'early', 'v', 'PXAT', before.early],
      ['SET', 'late', 'v', 'PXAT', before.late],
    ]);
    const keys = chosen('none', 'early', 'late');
    const { changed, failed } = await changeKeys(context, keys, deadlineChange(at, { ...NOW, only }));
    expect(changed.map(({ id }) => id).sort()).toEqual([...expected]);
    for (const { code, message } of failed) {
      expect(code).toBe('EXPECTATION_FAILED');
      expect(message).toMatch(/^Left unchanged: /);
    }
    expect(await deadlines(connection, keys)).toEqual([
      after.none === 'new' ? at : before.none,
      after.early === 'new' ? at : before.early,
      after.late === 'new' ? at : before.late,
    ]);
  });

  it('deletes; missing keys count as deleted', async () => {
    const { connection, context } = await emptied();
    await connection.command('SET', 'a', 'v');
    const { changed, failed } = await changeKeys(context, chosen('a', 'gone'), DELETE_KEY);
    expect(changed).toHaveLength(2);
    expect(failed).toEqual([]);
    expect(await connection.command('DBSIZE')).toBe(0);
  });

  it('stops between two pipelines, and returns the number of remaining keys', async () => {
    const { connection, context } = await emptied();
    const keys = many(1_000);
    await fill(connection, keys);
    let asked = 0;
    const isOver = () => ++asked === 3;
    const { changed, left } = await changeKeys(context, keys, DELETE_KEY, { isOver });
    expect({ changed: changed.length, left }).toEqual({ changed: 300, left: 700 });
    expect(await connection.command('DBSIZE')).toBe(700);
  });

  const changes: [string, KeyChange, (found: number) => boolean][] = [
    [
      'that sets a deadline',
      deadlineChange(IN_AN_HOUR + 60_000, NOW),
      found => found === IN_AN_HOUR + 60_000,
    ],
    [
      'that sets later deadlines',
      deadlineChange(IN_AN_HOUR + 60_000, { ...NOW, only: 'GT' }),
      found => found === IN_AN_HOUR + 60_000,
    ],
    [
      'that sets a deadline, before Redis 7.0',
      deadlineChange(IN_AN_HOUR + 60_000, { ...NOW, hasExpireTime: false }),
      found => found === IN_AN_HOUR + 60_000,
    ],
    ['that clears deadlines', CLEAR_DEADLINE, found => found === -1],
    ['that deletes', DELETE_KEY, found => found === -2],
  ];

  it.each(changes)(
    '%s is reported exactly when the connection is cut in the middle',
    async (_, change, isDone) => {
      const server = await startRedis();
      const direct = await openTestConnection(server.uri);
      const proxy = await startTcpProxy(server.port);
      const connection = await openTestConnection(server.uri.replace(`:${server.port}`, `:${proxy.port}`));
      const keys = many(1_000);
      await fill(direct, keys);
      // 250 replies of 4 bytes: in the third pipeline.
      proxy.cutAfter(1_000);
      const context = { connection, clock: systemClock };
      const { changed, failed } = await changeKeys(context, keys, change);
      const found = await deadlines(direct, keys);
      expect(changed.map(({ id }) => id)).toEqual(
        keys.filter((_key, i) => isDone(found[i] ?? 0)).map(({ id }) => id),
      );
      expect(changed.length + failed.length).toBe(1_000);
      // The server executed all of the third pipeline, whose replies were cut.
      expect(changed.length).toBe(300);
      expect(failed[0]).toMatchObject({ _id: 'k:300', code: 'CONNECTION_NOT_OPEN' });
    },
  );

  it('reports an unknown outcome if the server does not answer again', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri);
    const keys = many(300);
    await fill(connection, keys);
    let pipelines = 0;
    const killed: Promise<void>[] = [];
    const isOver = () => {
      if (++pipelines === 2) killed.push(server.kill());
      return false;
    };
    const context = { connection, clock: systemClock };
    const { changed, failed } = await changeKeys(context, keys, CLEAR_DEADLINE, { isOver });
    await Promise.all(killed);
    expect(changed.length + failed.length).toBe(300);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['CONNECTION_NOT_OPEN']));
  });

  it('is refused key by key on a replica, and without permission', async () => {
    const server = await startRedis();
    const admin = await openTestConnection(server.uri);
    await fill(admin, chosen('a'));
    await admin.command('ACL', 'SETUSER', 'ada', 'on', '>p', '~*', '+@read', '+select');
    const reader = await openTestConnection(server.uri.replace('redis://', 'redis://ada:p@'));
    const refused = await changeKeys({ connection: reader, clock: systemClock }, chosen('a'), DELETE_KEY);
    expect(refused.failed).toMatchObject([{ _id: 'a', code: 'PERMISSION_DENIED' }]);
    await admin.command('REPLICAOF', '127.0.0.1', '1');
    const context = { connection: admin, clock: systemClock };
    expect((await changeKeys(context, chosen('a'), DELETE_KEY)).failed).toMatchObject([
      { code: 'READ_ONLY' },
    ]);
  });
});

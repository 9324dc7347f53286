import { describe, expect, it } from 'vitest';
import type { ExpirationSetting } from '../../../../../shared/contract/documents.ts';
import { NEEDS_REDIS, redisOfSuite } from '../../../../support/redis.ts';
import { eventually, mirrored, openTestRedis } from '../../../../support/redis-backend.ts';
import { openTestConnection } from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const HOUR = 3_600_000;
const IN_AN_HOUR = Date.now() + HOUR;
const ids = (count: number) => Array.from({ length: count }, (_, i) => `s:${String(i).padStart(4, '0')}`);

describe.runIf(runsHere('undo in Redis', NEEDS_REDIS))('a bulk change of deadlines', () => {
  const redis = redisOfSuite('--notify-keyspace-events', 'KEA');

  async function opened(keys: readonly string[]) {
    const application = await openTestConnection(redis.uri);
    await application.command('FLUSHALL');
    await application.pipeline(keys.map(key => ['SET', key, 'v', 'PXAT', IN_AN_HOUR]));
    const { backend } = await openTestRedis(redis.uri, { mostUndoable: 500 });
    await mirrored(backend, 'live');
    const { undo } = backend;
    if (undo === null) throw new Error('no undo');
    return { application, backend, undo };
  }

  it('is set back only where the deadline is still its own', async () => {
    const keys = ids(6);
    const { application, backend, undo } = await opened(keys);
    await backend.setExpiration('s', keys, { at: IN_AN_HOUR + HOUR }, { job: 'j' });
    expect(undo.kept('j')).toBe(6);
    await application.command('PERSIST', 's:0001');
    await application.command('DEL', 's:0002');
    const { succeeded, failed } = await undo.setBack('j', undo.page('j', '', 100));
    expect(succeeded).toBe(4);
    expect(failed).toMatchObject([
      { _id: 's:0001', code: 'EXPECTATION_FAILED' },
      { _id: 's:0002', code: 'DOCUMENT_NOT_FOUND' },
    ]);
    expect(await application.command('PEXPIRETIME', 's:0000')).toBe(IN_AN_HOUR);
    expect(await application.command('PEXPIRETIME', 's:0001')).toBe(-1);
    expect(undo.kept('j')).toBe(2);
  });

  it('is never undone to a deadline that has passed, which would delete the key', async () => {
    const { application, backend, undo } = await opened(ids(1));
    await application.command('PEXPIRE', 's:0000', 400);
    const deadline = async () =>
      (await backend.reads.explain('s', 's:0000', Date.now())).deadlineAt ?? Infinity;
    await eventually(async () => expect(await deadline()).toBeLessThan(IN_AN_HOUR));
    await backend.setExpiration('s', ids(1), { at: IN_AN_HOUR }, { job: 'past' });
    const [kept] = undo.page('past', '', 1);
    await eventually(() => expect(Date.now()).toBeGreaterThan((kept?.before ?? Infinity) + 50));
    const { succeeded, failed } = await undo.setBack('past', undo.page('past', '', 10));
    expect(succeeded).toBe(0);
    expect(failed).toMatchObject([
      { code: 'EXPECTATION_FAILED', message: expect.stringMatching(/previous deadline has passed/) },
    ]);
    expect(await application.command('PEXPIRETIME', 's:0000')).toBe(IN_AN_HOUR);
  });

  it('is forgotten when later changes need the room', async () => {
    const keys = ids(300);
    const first = await opened(keys);
    await first.backend.setExpiration('s', keys, { at: IN_AN_HOUR + HOUR }, { job: 'one' });
    expect(first.undo.kept('one')).toBe(300);
    await first.backend.setExpiration('s', keys.slice(0, 250), { at: IN_AN_HOUR + 2 * HOUR }, { job: 'two' });
    expect([first.undo.kept('one'), first.undo.kept('two')]).toEqual([0, 250]);
  });

  it('continues with the first key that it has not reached, whatever keys are gone', async () => {
    const keys = ids(350);
    const { application, backend } = await opened(keys);
    const gone = Array.from({ length: 150 }, (_, i) => `s:gone-${i}`);
    let asked = 0;
    const part = [...keys, ...gone];
    const changed = new Set<string>();
    for (let from = 0; from < part.length; ) {
      asked = 0;
      const rest = part.slice(from);
      const result = await backend.setExpiration(
        's',
        rest,
        { at: IN_AN_HOUR + HOUR },
        { isOver: () => ++asked > 0 },
      );
      for (const { _id } of result.failed) changed.add(_id);
      from += rest.length - (result.left ?? 0);
    }
    expect(changed).toEqual(new Set(gone));
    const found = await application.pipeline(keys.map(key => ['PEXPIRETIME', key]));
    expect(new Set(found.map(one => 'reply' in one && one.reply))).toEqual(new Set([IN_AN_HOUR + HOUR]));
  });
});

describe.runIf(runsHere('undo in Redis without notifications', NEEDS_REDIS))('an undone bulk change', () => {
  const redis = redisOfSuite();

  it('sets back the deadlines that the server had, and not those of an older scan', async () => {
    const application = await openTestConnection(redis.uri);
    const keys = ids(4);
    await application.pipeline(keys.map(key => ['SET', key, 'v', 'PXAT', IN_AN_HOUR]));
    await application.command('PERSIST', 's:0003');
    const { backend } = await openTestRedis(redis.uri);
    await mirrored(backend, 'as of');
    await application.command('PEXPIREAT', 's:0001', IN_AN_HOUR + 5_000);
    await application.command('PERSIST', 's:0002');
    await application.command('PEXPIREAT', 's:0003', IN_AN_HOUR + 7_000);
    const changes: [string, ExpirationSetting | null][] = [
      ['set', { at: IN_AN_HOUR + HOUR }],
      ['clear', null],
    ];
    for (const [job, setting] of changes) {
      await backend.setExpiration('s', keys, setting, { job });
      await backend.undo?.setBack(job, backend.undo.page(job, '', 100));
      const found = await application.pipeline(keys.map(key => ['PEXPIRETIME', key]));
      const deadlines = found.map(one => 'reply' in one && one.reply);
      expect(deadlines, job).toEqual([IN_AN_HOUR, IN_AN_HOUR + 5_000, -1, IN_AN_HOUR + 7_000]);
    }
  });
});

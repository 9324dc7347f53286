import { describe, expect, it } from 'vitest';
import { openForReading } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const SOURCE = on('at', { expireAfter: 3_600 });

async function withIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: SOURCE });
  await test.settle();
  return test;
}

const exp = { collection: 'c', index: 'exp' };

async function changes({ client }: TestEngine) {
  const history = await client.ttlIndexes.history(exp);
  return history.map(({ change, by }) => `${change} by ${by}`);
}

/** Returns the number of the latest change of that kind. */
async function latest({ client }: TestEngine, change: string): Promise<number> {
  const found = (await client.ttlIndexes.history(exp)).find(entry => entry.change === change);
  if (found === undefined) throw new Error(`there was no ${change}`);
  return found.id;
}

describe('policy history', () => {
  it('[X5] lists each change with the definition before and after, its author and its time, latest first', async () => {
    const test = await withIndex();
    const { client } = test;
    await test.advance(MINUTE);
    await client.ttlIndexes.update({ ...exp, expireAfter: 60, limits: { removalsPerSecond: 5 } });
    await test.advance(MINUTE);
    await client.reaper.pause(exp);
    // Pausing a paused index records no change.
    await client.reaper.pause(exp);
    await client.reaper.resume(exp);
    await client.ttlIndexes.drop(exp);
    const first = {
      source: SOURCE,
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    };
    const second = { ...first, source: on('at', { expireAfter: 60 }), limits: { removalsPerSecond: 5 } };
    const index = 'exp';
    const by = 'ada';
    expect(await client.ttlIndexes.history(exp)).toEqual([
      { id: 5, index, at: NOON + 2 * MINUTE, by, change: 'drop', before: second, after: null },
      { id: 4, index, at: NOON + 2 * MINUTE, by, change: 'resume', before: second, after: second },
      { id: 3, index, at: NOON + 2 * MINUTE, by, change: 'pause', before: second, after: second },
      { id: 2, index, at: NOON + MINUTE, by, change: 'change', before: first, after: second },
      { id: 1, index, at: NOON, by, change: 'create', before: null, after: first },
    ]);
  });

  it('[X5] lists dropped indexes with author and time, latest first', async () => {
    const test = await withIndex();
    const { client } = test;
    const one = { collection: 'c' };
    expect(await client.ttlIndexes.dropped(one)).toEqual([]);
    await client.ttlIndexes.create({ collection: 'c', name: 'other', source: SOURCE });
    await test.settle();
    await client.ttlIndexes.drop(exp);
    await test.advance(MINUTE);
    await client.ttlIndexes.drop({ collection: 'c', index: 'other' });
    expect(await client.ttlIndexes.dropped(one)).toEqual([
      { name: 'other', at: NOON + MINUTE, by: 'ada' },
      { name: 'exp', at: NOON, by: 'ada' },
    ]);
    await client.ttlIndexes.revert({ ...exp, change: await latest(test, 'drop') });
    expect((await client.ttlIndexes.dropped(one)).map(({ name }) => name)).toEqual(['other']);
    expect(await refusal(client.ttlIndexes.dropped({ collection: 'none' }))).toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });

  it('[X5, P1] names the author of the change', async () => {
    const test = await withIndex();
    const other = openTestEngine({ file: await stopped(test), user: 'grace' });
    await other.client.ttlIndexes.update({ ...exp, expireAfter: 7 });
    await other.client.reaper.pause(exp);
    await other.client.reaper.resume(exp);
    await other.client.ttlIndexes.drop(exp);
    expect(await changes(other)).toEqual([
      'drop by grace',
      'resume by grace',
      'pause by grace',
      'change by grace',
      'create by ada',
    ]);
  });

  it('[X5] belongs to the name within its collection, also after a drop and a new index', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.collections.create({ name: 'other' });
    await client.ttlIndexes.create({ collection: 'other', name: 'exp', source: SOURCE });
    await client.ttlIndexes.create({ collection: 'c', name: 'second', source: SOURCE });
    await client.ttlIndexes.drop(exp);
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('other') });
    expect(await changes(test)).toEqual(['create by ada', 'drop by ada', 'create by ada']);
    expect(await client.ttlIndexes.history({ collection: 'other', index: 'exp' })).toHaveLength(1);
    expect(await refusal(client.ttlIndexes.history({ collection: 'c', index: 'never was' }))).toMatchObject({
      code: 'TTL_INDEX_NOT_FOUND',
    });
    const again = await test.reopen(DAY);
    expect(await changes(again)).toHaveLength(3);
  });

  it('[X5] is written in the transaction of the change, and not for a change that fails', async () => {
    const test = await withIndex();
    const { client, engine } = test;
    const { revision } = engine.backend;
    expect(
      (await refusal(client.ttlIndexes.create({ collection: 'c', name: 'exp', source: SOURCE }))).code,
    ).toBe('TTL_INDEX_EXISTS');
    expect((await refusal(client.ttlIndexes.update({ ...exp, source: on('other') }))).code).toBe(
      'INVALID_TTL_INDEX',
    );
    expect(engine.backend.revision).toBe(revision);
    expect(await changes(test)).toEqual(['create by ada']);
    // Another connection reads the change and its history together.
    const db = openForReading(test.file);
    const seen = () =>
      db
        .prepare<[], string>(
          `SELECT (SELECT definition FROM ttl_indexes) = (SELECT after FROM policy_history ORDER BY id DESC LIMIT 1)`,
        )
        .pluck()
        .get();
    engine.backend.onCommit(() => expect(seen()).toBe(1));
    await client.ttlIndexes.update({ ...exp, expireAfter: 5 });
    expect(seen()).toBe(1);
    db.close();
  });

  it('[X5, R8] contains the confirmation of a pending change, which only a pause reverts', async () => {
    const test = openTestEngine();
    const { client } = test;
    await client.collections.create({ name: 'c' });
    await client.settings.update({ breakerDocuments: 5, breakerShare: 0 });
    await write(
      client,
      'c',
      Array.from({ length: 20 }, () => ({ at: NOON })),
    );
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('at') });
    await test.settle();
    expect((await client.ttlIndexes.get(exp)).state).toBe('unconfirmed');
    await client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await changes(test)).toEqual(['confirm by ada', 'create by ada']);
    const refused = await refusal(
      client.ttlIndexes.revert({ ...exp, change: await latest(test, 'confirm') }),
    );
    expect(refused).toMatchObject({ code: 'INVALID_TTL_INDEX', message: expect.stringContaining('pause') });
  });

  it('[X5] names the author of a cancelled build', async () => {
    // A call is always waiting and the stopwatch runs, so the index is built in short steps.
    const clock = createManualClock(NOON);
    const engineClock = { ...clock, elapsed: systemClock.elapsed };
    const test = openTestEngine({ clock, engineClock, callsWaiting: () => 1 });
    const { client, engine } = test;
    await client.collections.create({ name: 'c' });
    await write(
      client,
      'c',
      Array.from({ length: 4_000 }, (_, i) => ({ _id: String(i), at: NOON + DAY })),
    );
    const definition = { ...exp, name: 'exp', source: SOURCE, schedule: { mode: 'exact' as const } };
    const rest = { onExpire: { action: 'delete' as const }, limits: {}, retention: null };
    engine.backend.createIndex('c', { ...definition, ...rest }, { by: 'ada' });
    engine.indexBuilds.startPending();
    let build: string | undefined;
    while (build === undefined) {
      await new Promise(resolve => setImmediate(resolve));
      build = engine.jobs.list().find(job => job.subject === 'exp')?.id;
    }
    engine.jobs.cancel(build, 'grace');
    await test.settle();
    expect(engine.jobs.get(build).state).toBe('cancelled');
    expect(await changes(test)).toEqual(['drop by grace', 'create by ada']);
  });
});

describe('reverting', () => {
  it('[X5] a change restores the definition before it, and is itself a change', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.ttlIndexes.update({
      ...exp,
      expireAfter: 60,
      retention: 5,
      schedule: { mode: 'every', everyMs: 9 },
    });
    await client.ttlIndexes.update({ ...exp, expireAfter: 10 });
    const change = (await client.ttlIndexes.history(exp))[1]?.id ?? 0;
    expect(await client.ttlIndexes.revert({ ...exp, change })).toMatchObject({
      source: SOURCE,
      schedule: { mode: 'exact' },
      retention: null,
    });
    expect(await changes(test)).toEqual(['revert by ada', 'change by ada', 'change by ada', 'create by ada']);
    // The revert can be reverted as well.
    expect(await client.ttlIndexes.revert({ ...exp, change: await latest(test, 'revert') })).toMatchObject({
      source: { expireAfter: 10 },
    });
  });

  it('[X5] a drop creates the index again, and builds it', async () => {
    const test = await withIndex();
    const { client } = test;
    await write(client, 'c', [{ _id: 'a', at: NOON }]);
    await client.ttlIndexes.update({ ...exp, expireAfter: 7_200 });
    await client.ttlIndexes.drop(exp);
    const made = await client.ttlIndexes.revert({ ...exp, change: await latest(test, 'drop') });
    expect(made).toMatchObject({ name: 'exp', source: { expireAfter: 7_200 }, state: 'building' });
    await test.settle();
    expect(await client.ttlIndexes.get(exp)).toMatchObject({
      state: 'ready',
      documents: 1,
      nextDeadlineAt: NOON + 2 * HOUR,
    });
    expect((await changes(test))[0]).toBe('revert by ada');
    await test.advance(2 * HOUR);
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(0);
  });

  it('[X5] an earlier change of a dropped index creates it again, too', async () => {
    const test = await withIndex();
    await test.client.ttlIndexes.update({ ...exp, expireAfter: 5 });
    await test.client.ttlIndexes.drop(exp);
    expect(
      await test.client.ttlIndexes.revert({ ...exp, change: await latest(test, 'change') }),
    ).toMatchObject({
      source: SOURCE,
    });
  });

  it('[X5] a pause resumes, and a resume pauses, regardless of other changes since', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.reaper.pause(exp);
    await client.ttlIndexes.update({ ...exp, expireAfter: 5 });
    expect(await client.ttlIndexes.revert({ ...exp, change: await latest(test, 'pause') })).toMatchObject({
      paused: null,
      source: { expireAfter: 5 },
    });
    expect(await client.ttlIndexes.revert({ ...exp, change: await latest(test, 'resume') })).toMatchObject({
      paused: { by: 'ada', since: NOON },
      source: { expireAfter: 5 },
    });
  });

  it('[X5, R8] is refused with the new preview if the expected one is outdated, and changes nothing', async () => {
    const test = await withIndex();
    const { client } = test;
    await write(
      client,
      'c',
      Array.from({ length: 200 }, () => ({ at: NOON })),
    );
    await client.ttlIndexes.update({ ...exp, expireAfter: 86_400 });
    await test.advance(2 * HOUR);
    const change = await latest(test, 'change');
    const refused = await refusal(client.ttlIndexes.revert({ ...exp, change, expect: { dueAtOnce: 0 } }));
    expect(refused).toMatchObject({
      code: 'EXPECTATION_FAILED',
      data: { preview: { kind: 'change', dueAtOnce: 200 } },
    });
    expect(await changes(test)).toEqual(['change by ada', 'create by ada']);
    await client.ttlIndexes.drop(exp);
    const drop = await latest(test, 'drop');
    const refusedAgain = await refusal(
      client.ttlIndexes.revert({ ...exp, change: drop, expect: { dueAtOnce: 200 } }),
    );
    expect(refusedAgain).toMatchObject({
      code: 'EXPECTATION_FAILED',
      data: { preview: { kind: 'create', dueAtOnce: 0 } },
    });
    expect(await client.ttlIndexes.list({ collection: 'c' })).toEqual([]);
    await client.ttlIndexes.revert({ ...exp, change: drop, expect: { dueAtOnce: 0 } });
    await test.settle();
    const first = await refusal(client.ttlIndexes.revert({ ...exp, change, expect: { dueAtOnce: 100 } }));
    expect(first.code).toBe('EXPECTATION_FAILED');
    await client.ttlIndexes.revert({ ...exp, change, expect: { dueAtOnce: 200 } });
    await test.advance(SECOND);
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(0);
  });

  it('[X5] is refused without an earlier definition, for an unknown change, and for another source', async () => {
    const test = await withIndex();
    const { client } = test;
    const created = await latest(test, 'create');
    expect(await refusal(client.ttlIndexes.revert({ ...exp, change: created }))).toMatchObject({
      code: 'INVALID_TTL_INDEX',
      message: expect.stringContaining('drop'),
    });
    expect(await refusal(client.ttlIndexes.revert({ ...exp, change: 4_711 }))).toMatchObject({
      code: 'CHANGE_NOT_FOUND',
      data: { collection: 'c', index: 'exp', change: 4_711 },
    });
    // A change of another index is unknown here.
    await client.ttlIndexes.create({ collection: 'c', name: 'second', source: SOURCE });
    await client.ttlIndexes.update({ collection: 'c', index: 'second', expireAfter: 5 });
    const [other] = await client.ttlIndexes.history({ collection: 'c', index: 'second' });
    expect((await refusal(client.ttlIndexes.revert({ ...exp, change: other?.id ?? 0 }))).code).toBe(
      'CHANGE_NOT_FOUND',
    );
    await client.ttlIndexes.update({ ...exp, expireAfter: 5 });
    const change = await latest(test, 'change');
    await client.ttlIndexes.drop(exp);
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('elsewhere') });
    expect((await refusal(client.ttlIndexes.revert({ ...exp, change }))).code).toBe('INVALID_TTL_INDEX');
    expect((await client.ttlIndexes.get(exp)).source).toEqual(on('elsewhere'));
  });
});

describe('reading back', () => {
  it('[X5] an index and posting the answer creates the same index, under any name', async () => {
    const test = openTestEngine();
    const { client } = test;
    const collection = 'odd “name”, 100 % é';
    await client.collections.create({ name: collection });
    await client.collections.create({ name: 'archive' });
    const made = await client.ttlIndexes.create({
      collection,
      name: 'a "b"\'s',
      source: { kind: 'expression', expression: `timestamp(doc.at) + duration("10m")` },
      onExpire: { action: 'move', to: 'archive' },
      schedule: { mode: 'cron', cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
      limits: { batchSize: 3 },
      retention: 60,
    });
    const { rest, cli, mongodb } = await client.ttlIndexes.definition({ collection, index: made.name });
    expect(rest.path).toBe(`/api/collections/${encodeURIComponent(collection)}/ttl-indexes`);
    expect(cli).toContain('--time-zone Europe/Berlin');
    expect(mongodb.statement).toBeNull();
    await client.ttlIndexes.drop({ collection, index: made.name });
    const body = rest.body as Omit<Parameters<typeof client.ttlIndexes.create>[0], 'collection'>;
    const again = await client.ttlIndexes.create({ collection, ...body });
    const what = ({ name, source, onExpire, schedule, limits, retention }: typeof made) => ({
      name,
      source,
      onExpire,
      schedule,
      limits,
      retention,
    });
    expect(what(again)).toEqual(what(made));
    expect((await refusal(client.ttlIndexes.definition({ collection, index: 'none' }))).code).toBe(
      'TTL_INDEX_NOT_FOUND',
    );
  });
});

async function stopped(test: TestEngine): Promise<string> {
  await test.stop();
  return test.file;
}

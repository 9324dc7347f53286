import { describe, expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

async function fill(
  test: TestEngine,
  schedule: NonNullable<Parameters<TestEngine['client']['ttlIndexes']['create']>[0]['schedule']>,
  deadlines: readonly number[],
): Promise<void> {
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp'), schedule });
  await test.settle();
  await write(
    test.client,
    'c',
    deadlines.map((exp, i) => ({ _id: String(i), exp })),
  );
}

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}
async function seen({ client }: TestEngine): Promise<string[]> {
  return (await client.documents.list({ collection: 'c' })).documents.map(({ _id }) => _id);
}

describe('[R1] an index with a crontab line', () => {
  it('acts at its times, and hides documents from their deadline', async () => {
    const test = openTestEngine();
    await fill(test, { mode: 'cron', cron: '*/15 * * * *', timeZone: 'UTC' }, [
      NOON + MINUTE,
      NOON + 15 * MINUTE,
      NOON + 15 * MINUTE + 1,
    ]);
    await test.advance(15 * MINUTE - 1);
    // Lag below this is not checked.
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      passEveryMs: 15 * MINUTE,
    });
    expect(await stored(test)).toBe(3);
    expect(await seen(test)).toEqual(['1', '2']);
    expect(await test.client.documents.explain({ collection: 'c', id: '0' })).toMatchObject({
      waitsFor: 'schedule',
    });
    await test.advance(1);
    expect(await stored(test)).toBe(1);
    await test.advance(15 * MINUTE);
    expect(await stored(test)).toBe(0);
    expect((await test.client.reaper.passes({})).passes[0]).toMatchObject({ trigger: 'cron', removed: 1 });
  });

  it('keeps its time of day in its zone, and acts at opening on documents due at a missed tick', async () => {
    const before = openTestEngine();
    await fill(before, { mode: 'cron', cron: '0 3 * * *', timeZone: 'America/New_York' }, [
      NOON + HOUR,
      NOON + 21 * HOUR,
    ]);
    await before.advance(2 * HOUR);
    expect(before.engine.reaper.status.nextWakeAt).toBe(Date.UTC(2026, 10, 22, 8));
    const test = await before.reopen(19 * HOUR);
    await test.settle();
    // The tick at three in the morning in New York was missed: exactly the documents due at it are removed.
    expect(await stored(test)).toBe(1);
    expect(test.engine.reaper.status.nextWakeAt).toBe(Date.UTC(2026, 10, 23, 8));
  });

  it('is refused if invalid, at creation and at a change, with the reason', async () => {
    const test = openTestEngine();
    await fill(test, { mode: 'exact' }, []);
    for (const [schedule, reported] of [
      [{ mode: 'cron', cron: '0 25 * * *' }, 'hour'],
      [{ mode: 'cron', cron: '0 3 * * *', timeZone: 'Europe/Berlim' }, 'Europe/Berlim'],
      [{ mode: 'cron', cron: 'daily' }, 'five parts'],
    ] as const) {
      for (const call of [
        test.client.ttlIndexes.create({ collection: 'c', name: 'x', source: on('y'), schedule }),
        test.client.ttlIndexes.update({ collection: 'c', index: 'exp', schedule }),
      ]) {
        const { code, message } = await refusal(call);
        expect(code).toBe('INVALID_TTL_INDEX');
        expect(message).toContain(reported);
      }
    }
    expect(await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject({
      schedule: { mode: 'exact' },
    });
  });
});

describe('[R1] an index that observes', () => {
  it('removes and hides no document, and counts the documents that it would remove', async () => {
    const test = openTestEngine();
    await fill(test, { mode: 'observe' }, [NOON - DAY, NOON + MINUTE, NOON + DAY]);
    await test.advance(HOUR);
    expect(await stored(test)).toBe(3);
    expect(await seen(test)).toEqual(['0', '1', '2']);
    expect(await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject({
      state: 'observing',
      documents: 3,
      overdue: 2,
      oldestOverdueAt: NOON - DAY,
      passEveryMs: null,
      dueNextHour: 0,
      nextDeadlineAt: NOON + DAY,
    });
    // No document of the collection is overdue: none has a deadline.
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      withDeadline: 0,
      overdue: 0,
    });
    expect(await test.client.documents.explain({ collection: 'c', id: '0' })).toMatchObject({
      deadlineAt: null,
      candidates: [{ from: 'exp', deadlineAt: NOON - DAY }],
    });
    expect(test.engine.reaper.status.nextWakeAt).toBeNull();
    expect(await test.client.reaper.run({})).toMatchObject({ removed: 0, passes: [] });
  });

  it('expires no document on arrival, and acts on all due documents once its schedule is changed', async () => {
    const test = openTestEngine();
    await fill(test, { mode: 'observe' }, [NOON - DAY]);
    const report = await write(test.client, 'c', [{ _id: 'late', exp: NOON - 1 }]);
    expect(report).toMatchObject({ inserted: 1, expiredOnArrival: 0 });
    const changed = await test.client.ttlIndexes.update({ collection: 'c', index: 'exp', schedule: null });
    expect(changed).toMatchObject({ state: 'ready', schedule: { mode: 'exact' } });
    await test.settle();
    expect(await stored(test)).toBe(0);
    expect((await test.client.metrics.get({ collection: 'c' })).lag.maxMs).toBeLessThan(SECOND);
  });

  it('after it was active stops removing at once, and hidden documents are visible again', async () => {
    const test = openTestEngine();
    await fill(test, { mode: 'every', everyMs: 3_600_000 }, [NOON + MINUTE]);
    await test.advance(2 * MINUTE);
    expect(await seen(test)).toEqual([]);
    await test.client.ttlIndexes.update({ collection: 'c', index: 'exp', schedule: { mode: 'observe' } });
    await test.advance(2 * HOUR);
    expect(await seen(test)).toEqual(['0']);
  });
});

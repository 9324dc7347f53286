import { describe, expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

/** Creates a collection whose documents expire one per hour, the first one hour after noon. */
async function hourly(test: TestEngine, documents: number): Promise<void> {
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const body = Array.from({ length: documents }, (_, i) => ({ _id: String(i), exp: NOON + (i + 1) * HOUR }));
  await write(test.client, 'c', body);
}

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}

/** Fires the timers set before the wall clock moved, as happens within half a minute, until the engine is idle. */
async function lookAround(test: TestEngine): Promise<void> {
  test.clock.advance(MINUTE);
  await test.settle();
}

describe('[R10] the clock jumps ahead', () => {
  it('nothing is removed, time continues from before the jump, and the hold counts what would be due', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    test.clock.set(NOON + 5 * HOUR);
    await lookAround(test);
    expect(await stored(test)).toBe(10);
    const state = await test.client.reaper.get({});
    expect(state).toMatchObject({ state: 'held', nextWakeAt: null });
    expect(state.holds).toMatchObject([
      {
        collection: null,
        cause: 'clock forward',
        since: NOON + MINUTE,
        by: 'Sandglass',
        due: 5,
        documents: 10,
      },
    ]);
    expect(state.holds[0]?.sentence).toContain('5 hours');
    const summary = await test.client.collections.get({ collection: 'c' });
    expect(summary).toMatchObject({ state: 'held', overdue: 0, holds: [{ cause: 'clock forward' }] });
    // No document is hidden by an untrusted time, and new writes have the trusted time.
    const page = await test.client.documents.list({ collection: 'c' });
    expect(page.documents).toHaveLength(10);
    expect(page.now).toBe(NOON + MINUTE);
  });

  it('documents due by the trusted time stay hidden and wait', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    test.clock.set(NOON + 5 * HOUR);
    await lookAround(test);
    await test.advance(HOUR);
    expect(await stored(test)).toBe(10);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 1 });
    expect(await test.client.documents.explain({ collection: 'c', id: '0' })).toMatchObject({
      waitsFor: 'hold',
    });
  });

  it('once confirmed, the wall clock applies and documents due by it are removed', async () => {
    const test = openTestEngine({ user: 'grace' });
    await hourly(test, 10);
    test.clock.set(NOON + 5 * HOUR);
    await lookAround(test);
    expect(await test.client.reaper.confirm({})).toMatchObject({ state: 'running', holds: [] });
    await test.settle();
    expect(await stored(test)).toBe(5);
    expect((await test.client.documents.list({ collection: 'c' })).now).toBe(NOON + 5 * HOUR + MINUTE);
  });

  it('the store is still held after a restart, and time continues from the last trusted time', async () => {
    const before = openTestEngine();
    await hourly(before, 10);
    before.clock.set(NOON + 3 * DAY);
    await lookAround(before);
    const test = await before.reopen(2 * HOUR);
    await test.settle();
    expect(await stored(test)).toBe(10);
    expect(await test.client.reaper.get({})).toMatchObject({
      state: 'held',
      holds: [{ cause: 'clock forward', since: NOON + MINUTE }],
    });
    expect((await test.client.documents.list({ collection: 'c' })).now).toBe(NOON + MINUTE + 2 * HOUR);
    await test.client.reaper.confirm({});
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it('a manual pass is refused meanwhile, since the due documents are unknown', async () => {
    const test = openTestEngine();
    await hourly(test, 3);
    test.clock.set(NOON + 5 * HOUR);
    await lookAround(test);
    const { code, message } = await refusal(test.client.reaper.run({}));
    expect(code).toBe('EXPECTATION_FAILED');
    expect(message).toContain('jumped ahead');
    expect(await stored(test)).toBe(3);
  });

  it('a jump within the bound, which can be changed at run time, is followed', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    test.clock.set(NOON + HOUR);
    await lookAround(test);
    expect(await stored(test)).toBe(9);
    await test.client.settings.update({ clockJump: 60 });
    test.clock.set(test.clock.now() + HOUR);
    await lookAround(test);
    expect(await stored(test)).toBe(9);
    expect((await test.client.reaper.get({})).holds).toMatchObject([{ cause: 'clock forward' }]);
  });
});

describe('[R10] the clock jumps back', () => {
  it('time continues, nothing is removed, and the hold ends when the wall clock has caught up', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    test.clock.set(NOON - 4 * HOUR);
    await lookAround(test);
    expect((await test.client.reaper.get({})).holds).toMatchObject([{ cause: 'clock backward' }]);
    await test.advance(2 * HOUR);
    expect(await stored(test)).toBe(10);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 2 });
    // The wall clock is corrected by hand.
    test.clock.set(test.clock.now() + 4 * HOUR);
    await lookAround(test);
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'running', holds: [] });
    await test.settle();
    expect(await stored(test)).toBe(8);
  });

  it('documents that became due meanwhile count for the circuit breaker when the hold ends', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    await test.client.settings.update({ breakerDocuments: 5 });
    test.clock.set(NOON - 4 * HOUR);
    await lookAround(test);
    await test.advance(7 * HOUR);
    test.clock.set(test.clock.now() + 4 * HOUR);
    await lookAround(test);
    const { holds } = await test.client.reaper.get({});
    expect(holds).toMatchObject([{ collection: 'c', cause: 'end of hold', due: 7, documents: 10 }]);
    await test.settle();
    expect(await stored(test)).toBe(10);
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await stored(test)).toBe(3);
  });

  it('the jump is also detected at opening: time does not go back before the trusted time', async () => {
    const before = openTestEngine();
    await hourly(before, 3);
    await before.advance(DAY);
    const test = await before.reopen(-20 * HOUR);
    await test.settle();
    expect((await test.client.documents.list({ collection: 'c' })).now).toBe(NOON + DAY);
    expect((await test.client.reaper.get({})).holds).toMatchObject([{ cause: 'clock backward' }]);
  });
});

describe('[R10] the machine is suspended', () => {
  it('only removal is delayed: after the wake-up, due documents are removed, and nothing is held', async () => {
    const test = openTestEngine();
    await hourly(test, 10);
    test.clock.suspend(5 * HOUR);
    expect(await stored(test)).toBe(10);
    // Timers stood still meanwhile; the reaper wakes within half a minute.
    test.clock.advance(30 * SECOND);
    await test.settle();
    expect(await stored(test)).toBe(5);
    expect(await test.client.reaper.get({})).toMatchObject({ state: 'running', holds: [] });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastScheduled } from '../../../../electron/engine/expiry/schedule/ticks.ts';
import type { Schedule } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

const NIGHTLY = { mode: 'cron', cron: '0 3 * * *', timeZone: 'UTC' } as const;
/** The first tick of NIGHTLY after noon. */
const THREE = NOON + 15 * HOUR;

type Limits = Parameters<TestEngine['client']['ttlIndexes']['create']>[0]['limits'];

async function index(test: TestEngine, schedule: Schedule, limits: Limits = {}): Promise<void> {
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp'), schedule, limits });
  await test.settle();
}

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}

function due(count: number, at: number): { exp: number }[] {
  return Array.from({ length: count }, () => ({ exp: at }));
}

describe('[R1] a schedule', () => {
  it('does not act on overdue documents at its creation: the first tick is the first scheduled time', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test.client, 'c', due(100, NOON - DAY));
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'exp',
      source: on('exp'),
      schedule: NIGHTLY,
    });
    await test.advance(15 * HOUR - 1);
    expect(await stored(test)).toBe(100);
    await test.advance(1);
    expect(await stored(test)).toBe(0);
    const [pass] = (await test.client.reaper.passes({})).passes;
    expect(pass).toMatchObject({ trigger: 'cron', removed: 100, cutoff: THREE, ending: 'drained' });
  });

  it('created at a scheduled time waits for the next one', async () => {
    const test = openTestEngine({ startAt: THREE });
    await index(test, NIGHTLY);
    await write(test.client, 'c', due(1, NOON));
    await test.advance(DAY - 1);
    expect(await stored(test)).toBe(1);
    await test.advance(1);
    expect(await stored(test)).toBe(0);
  });

  it.each<[string, Schedule, number]>([
    ['a crontab line', { mode: 'cron', cron: '0 * * * *', timeZone: 'UTC' }, HOUR],
    ['a period', { mode: 'every', everyMs: HOUR }, HOUR],
  ])('by %s acts on a write that is due on arrival at the next tick', async (_, schedule, period) => {
    const test = openTestEngine();
    await index(test, schedule);
    await test.advance(period + 10 * MINUTE);
    await write(test.client, 'c', [{ _id: 'late', exp: NOON - DAY }]);
    expect(test.engine.reaper.status.nextWakeAt).toBe(NOON + 2 * period);
    await test.advance(period - 10 * MINUTE - 1);
    expect(await stored(test)).toBe(1);
    await test.advance(1);
    expect(await stored(test)).toBe(0);
  });

  it('counts from its last change', async () => {
    const test = openTestEngine();
    await index(test, NIGHTLY);
    await write(test.client, 'c', due(3, NOON));
    await test.advance(HOUR + MINUTE);
    const schedule = { mode: 'every', everyMs: HOUR } as const;
    await test.client.ttlIndexes.update({ collection: 'c', index: 'exp', schedule });
    await test.advance(59 * MINUTE - 1);
    expect(await stored(test)).toBe(3);
    await test.advance(1);
    expect(await stored(test)).toBe(0);
  });

  it('does not delay a manual pass', async () => {
    const test = openTestEngine();
    await index(test, NIGHTLY);
    await write(test.client, 'c', due(3, NOON));
    expect(await test.client.reaper.run({})).toMatchObject({ removed: 3 });
  });

  it('is not reported as late before its tick', async () => {
    const test = openTestEngine();
    await index(test, NIGHTLY);
    await write(test.client, 'c', [{ _id: 'late', exp: NOON - 300 * DAY }]);
    const waits = { overdue: 1, oldestOverdueAt: NOON - 300 * DAY, actionDueAt: THREE };
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject(waits);
    expect(await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' })).toMatchObject(waits);
    expect(await test.client.documents.explain({ collection: 'c', id: 'late' })).toMatchObject({
      waitsFor: 'schedule',
    });
    expect((await test.client.reaper.get({})).nextWakeAt).toBe(THREE);
  });
});

describe('[R1] a missed tick', () => {
  it('is caught up once at opening, up to its own cutoff; documents written since the last tick wait', async () => {
    const test = openTestEngine();
    await index(test, { mode: 'cron', cron: '0 * * * *', timeZone: 'UTC' });
    await test.advance(HOUR + MINUTE);
    await write(test.client, 'c', [
      { _id: 'due at 13:00', exp: NOON },
      { _id: 'due at 15:30', exp: NOON + 3.5 * HOUR },
    ]);
    // No tick was missed: the document still waits.
    const soon = await test.reopen(MINUTE);
    await soon.settle();
    expect(await stored(soon)).toBe(2);
    // 14:00 and 15:00 were missed.
    const late = await soon.reopen(2 * HOUR + 40 * MINUTE);
    await late.settle();
    expect(await stored(late)).toBe(1);
    const { passes } = await late.client.reaper.passes({});
    expect(passes).toHaveLength(1);
    expect(passes[0]).toMatchObject({ cutoff: NOON + 3 * HOUR, removed: 1 });
  });

  it.each(['store', 'collection', 'index'] as const)('is caught up when the %s is resumed', async scope => {
    const where = { store: {}, collection: { collection: 'c' }, index: { collection: 'c', index: 'exp' } }[
      scope
    ];
    const test = openTestEngine();
    await index(test, { mode: 'every', everyMs: HOUR });
    await test.advance(90 * MINUTE);
    await test.client.reaper.pause(where);
    await write(test.client, 'c', [{ exp: NOON }, { exp: NOON + 4 * HOUR + MINUTE }]);
    await test.advance(10 * MINUTE);
    await test.client.reaper.resume(where);
    await test.settle();
    // No tick was missed between 13:30 and 13:40.
    expect(await stored(test)).toBe(2);
    await test.client.reaper.pause(where);
    await test.advance(2.5 * HOUR);
    expect(await stored(test)).toBe(2);
    await test.client.reaper.resume(where);
    await test.settle();
    expect(await stored(test)).toBe(1);
    expect((await test.client.reaper.passes({})).passes[0]).toMatchObject({ cutoff: NOON + 4 * HOUR });
  });
});

describe('[R2] a pass keeps the cutoff of its tick until it is drained', () => {
  it('over many batches, writes and a restart', async () => {
    const test = openTestEngine();
    await index(test, { mode: 'every', everyMs: HOUR }, { removalsPerSecond: 1 });
    await write(test.client, 'c', due(30, NOON));
    await test.advance(HOUR + 10 * SECOND);
    const left = await stored(test);
    expect(left).toBeGreaterThan(10);
    expect(left).toBeLessThan(30);
    await write(test.client, 'c', [{ _id: 'later', exp: NOON + HOUR + 5 * SECOND }]);
    expect(await test.client.documents.explain({ collection: 'c', id: 'later' })).toMatchObject({
      waitsFor: 'schedule',
    });
    const again = await test.reopen(SECOND);
    await again.advance(MINUTE);
    expect(await stored(again)).toBe(1);
    await again.advance(HOUR - 2 * MINUTE);
    expect(await stored(again)).toBe(1);
    await again.advance(2 * MINUTE);
    expect(await stored(again)).toBe(0);
  });

  it('and is followed at once by the latest tick that passed meanwhile', async () => {
    const test = openTestEngine();
    await index(test, { mode: 'every', everyMs: SECOND }, { removalsPerSecond: 100 });
    await write(test.client, 'c', [...due(148, NOON + 500), ...due(1, NOON + 1_200)]);
    // The pass of the tick at 1 s takes until 2.5 s; its last batch has room for more than it finds.
    await test.advance(2_900);
    expect(await stored(test)).toBe(0);
  });

  it('except if a cap ends it: the next tick has its own cutoff', async () => {
    const test = openTestEngine();
    await index(test, { mode: 'every', everyMs: HOUR });
    await test.client.settings.update({ mostPerPass: 10 });
    await write(test.client, 'c', due(25, NOON));
    await test.advance(HOUR);
    expect(await stored(test)).toBe(15);
    const again = await test.reopen(30 * MINUTE);
    await again.settle();
    expect(await stored(again)).toBe(15);
    await again.advance(30 * MINUTE);
    expect(await stored(again)).toBe(5);
    await again.advance(HOUR);
    expect(await stored(again)).toBe(0);
  });
});

type Step =
  | { kind: 'write'; count: number; dueIn: number }
  | { kind: 'advance'; ms: number }
  | { kind: 'reopen'; ms: number }
  | { kind: 'pause' | 'resume'; scope: 'store' | 'collection' | 'index' }
  | { kind: 'change'; schedule: Schedule };

const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.integer({ min: 1, max: 90 }).map(minutes => ({ mode: 'every' as const, everyMs: minutes * MINUTE })),
  fc
    .constantFrom('0 3 * * *', '*/15 * * * *', '30 */2 * * *', '0 12 * * *')
    .map(cron => ({ mode: 'cron' as const, cron, timeZone: 'UTC' })),
);
const scope = fc.constantFrom('store' as const, 'collection' as const, 'index' as const);
const span = fc.oneof(fc.constantFrom(MINUTE, 15 * MINUTE, HOUR, DAY), fc.integer({ min: 1, max: 5 * HOUR }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      count: fc.integer({ min: 1, max: 5 }),
      dueIn: fc.integer({ min: -3 * HOUR, max: 3 * HOUR }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), ms: span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), scope }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), schedule }) },
);

const SCOPES = {
  store: {},
  collection: { collection: 'c' },
  index: { collection: 'c', index: 'exp' },
} as const;

/** Expected documents, computed from the schedule and the times of writes only. */
class Expected {
  #schedule: Schedule;
  #since: number;
  /** The last tick that acted. */
  #lastTick: number;
  readonly paused = new Set<string>();
  readonly documents = new Map<string, number>();

  constructor(schedule: Schedule, now: number) {
    this.#schedule = schedule;
    this.#since = now;
    this.#lastTick = now;
  }

  change(next: Schedule, now: number): void {
    if (JSON.stringify(next) === JSON.stringify(this.#schedule)) return;
    this.#schedule = next;
    this.#since = now;
    this.#lastTick = now;
  }

  /** Advances the model to `now`, with the store open and in its present state. */
  until(now: number): void {
    if (this.paused.size > 0) return;
    const tick = lastScheduled({ schedule: this.#schedule }, now);
    if (tick <= this.#since || tick <= this.#lastTick) return;
    this.#lastTick = tick;
    for (const [id, deadline] of this.documents) if (deadline <= tick) this.documents.delete(id);
  }
}

it('[R1] after any writes, pauses, changes and restarts, ticks remove all documents due at them, and no others', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(schedule, fc.array(step, { minLength: 3, maxLength: 14 }), async (first, steps) => {
      let test = openTestEngine();
      await index(test, first);
      await test.client.settings.update({ holdAfterDays: 3_650 });
      const expected = new Expected(first, test.clock.now());
      let written = 0;
      for (const one of steps) {
        const now = test.clock.now();
        switch (one.kind) {
          case 'write': {
            const documents = Array.from({ length: one.count }, () => ({
              _id: `d${written++}`,
              exp: now + one.dueIn,
            }));
            await write(test.client, 'c', documents);
            for (const { _id, exp } of documents) expected.documents.set(_id, exp);
            await test.settle();
            break;
          }
          case 'advance':
            await test.advance(one.ms);
            expected.until(now + one.ms);
            break;
          case 'reopen':
            test = await test.reopen(one.ms);
            await test.settle();
            expected.until(now + one.ms);
            break;
          case 'pause':
            await test.client.reaper.pause(SCOPES[one.scope]);
            expected.paused.add(one.scope);
            break;
          case 'resume':
            await test.client.reaper.resume(SCOPES[one.scope]);
            await test.settle();
            expected.paused.delete(one.scope);
            expected.until(now);
            break;
          case 'change':
            await test.client.ttlIndexes.update({ collection: 'c', index: 'exp', schedule: one.schedule });
            await test.settle();
            expected.change(one.schedule, now);
        }
        const { documents } = await test.client.documents.list({
          collection: 'c',
          includeExpired: true,
          limit: 200,
        });
        expect(documents.map(({ _id }) => _id).toSorted()).toEqual([...expected.documents.keys()].toSorted());
      }
      await test.stop();
    }),
    { numRuns: Number(process.env.LOOK_RUNS ?? 15) },
  );
});

describe('[R1, R10] the clock is set back', () => {
  it('past scheduled times: a schedule acts again at its next time, and does not wait for its last tick', async () => {
    const test = openTestEngine();
    await index(test, { mode: 'every', everyMs: HOUR });
    await write(test.client, 'c', due(1, NOON));
    await test.advance(2 * HOUR);
    expect(await stored(test)).toBe(0);
    test.clock.set(test.clock.now() - 100 * DAY);
    test.clock.advance(MINUTE);
    await test.settle();
    await test.client.reaper.confirm({});
    await write(test.client, 'c', due(1, test.clock.now()));
    await test.advance(HOUR);
    expect(await stored(test)).toBe(0);
    const again = await test.reopen();
    await write(again.client, 'c', due(1, again.clock.now()));
    await again.advance(HOUR);
    expect(await stored(again)).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { budgetMs, type ExpiryStore } from '../../../../electron/engine/expiry/expiry-store.ts';
import { MeterRegistry } from '../../../../electron/engine/expiry/meters.ts';
import { Reaper } from '../../../../electron/engine/expiry/reaper.ts';
import { SweepScheduler } from '../../../../electron/engine/expiry/sweep-scheduler.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const BATCH = 100;
const MAX_UNSWEPT = 1_000;

/** One source with `left` due documents, removed a batch at a time, and swept half a batch at a time. */
function endless(left: number, mostUnswept = Number.POSITIVE_INFINITY) {
  const seen = { unswept: 0, most: 0, left };
  const store: ExpiryStore = {
    sources: () => [
      {
        key: '1:1',
        collection: 'c',
        collectionId: 1,
        index: 'ttl',
        schedule: { mode: 'exact' },
        tick: { since: NOON, at: NOON, state: 'closed' },
        limits: { removalsPerSecond: 0, batchMs: 8, batchSize: 0 },
        isPaused: false,
        pausedAt: null,
        isHeld: false,
      },
    ],
    settings: () => ({ batchMs: 8, batchMsWhileCallsWait: 1.5, mostPerPass: 0, mostPerPassInTotal: 0 }),
    beforeCommit: () => () => {},
    writeTick: () => {},
    nextDeadline: () => (seen.left > 0 ? NOON : null),
    due: () => seen.left,
    reap: () => {
      seen.left -= BATCH;
      seen.unswept += BATCH;
      seen.most = Math.max(seen.most, seen.unswept);
      return {
        removed: BATCH,
        changed: 0,
        quarantined: 0,
        stale: 0,
        lagsMs: [],
        isDrained: seen.left === 0,
        heldMs: 1,
      };
    },
    prepareNext: () => false,
    sweep: () => {
      seen.unswept = Math.max(0, seen.unswept - BATCH / 2);
      return seen.unswept > 0;
    },
    unswept: () => seen.unswept,
    unsweptInMemory: () => seen.unswept,
    mostUnswept: () => mostUnswept,
    nextPassId: () => 1,
    writePass: () => {},
  };
  return { store, seen };
}

async function reapAll({ store }: ReturnType<typeof endless>): Promise<void> {
  const clock = createManualClock(NOON);
  const reaper = new Reaper({
    store,
    clock,
    log: createLogger('error', clock.now, () => {}),
    meters: new MeterRegistry(),
    yieldToCalls: () => Promise.resolve(),
    callsWaiting: () => 0,
    maxUnswept: MAX_UNSWEPT,
  });
  reaper.start();
  await reaper.whenIdle();
  await reaper.stop();
}

it('[R4] alternates with removal while documents are always due, so that the backlog is bounded', async () => {
  const work = endless(100 * MAX_UNSWEPT);
  await reapAll(work);
  expect(work.seen).toEqual({ left: 0, unswept: 0, most: MAX_UNSWEPT + BATCH });
});

it('[R4, S1] allows a smaller backlog where less space is free', async () => {
  const work = endless(100 * MAX_UNSWEPT, MAX_UNSWEPT / 2);
  await reapAll(work);
  expect(work.seen).toEqual({ left: 0, unswept: 0, most: MAX_UNSWEPT / 2 + BATCH });
});

it('[R4, R5] removes all that is due before it sweeps a backlog that no connection holds in memory', async () => {
  const work = endless(100 * MAX_UNSWEPT);
  let leftAtFirstSweep: number | null = null;
  await reapAll({
    ...work,
    store: {
      ...work.store,
      unsweptInMemory: () => 0,
      sweep: budget => {
        leftAtFirstSweep ??= work.seen.left;
        return work.store.sweep(budget);
      },
    },
  });
  expect(leftAtFirstSweep).toBe(0);
  expect(work.seen).toEqual({ left: 0, unswept: 0, most: 100 * MAX_UNSWEPT });
});

/** Sweeps five steps of 4 ms each beside calls. Returns the budgets of the steps, and the rests after each of them, ms. */
async function sweptBeside({
  waiting = 0,
  mostUnswept,
  dueAfterMs = Number.POSITIVE_INFINITY,
  isWritten = false,
}: {
  waiting?: number;
  mostUnswept?: number;
  dueAfterMs?: number;
  isWritten?: boolean;
}) {
  const clock = createManualClock(NOON);
  const { store, seen } = endless(0, mostUnswept);
  seen.unswept = (5 * BATCH) / 2;
  const budgets: number[] = [];
  const rests: number[] = [];
  let rested = 0;
  const scheduler = new SweepScheduler({
    store: {
      ...store,
      unsweptInMemory: () => 0,
      sweep: budget => {
        if (budgets.length > 0) rests.push(rested);
        rested = 0;
        budgets.push(budgetMs(budget));
        clock.advance(4);
        return store.sweep(budget);
      },
    },
    clock: {
      ...clock,
      sleep: async ms => {
        rested += ms;
      },
    },
    log: createLogger('error', clock.now, () => {}),
    yieldToCalls: () => Promise.resolve(),
    callsWaiting: () => waiting,
    areCallsFrequent: () => true,
    budgetMs: () => 4,
    nextWake: () => (rested >= dueAfterMs ? clock.now() : null),
    isWoken: () => isWritten && budgets.length > 0,
    isAwaited: () => false,
    isStopped: () => false,
  });
  const isDue = await scheduler.untilDue();
  return { budgets, rests, rested, isDue };
}

it('[R5] sweeps in short steps while calls are frequent, in shorter ones while one waits, and a quarter of the time', async () => {
  expect(await sweptBeside({})).toMatchObject({
    budgets: [1.5, 1.5, 1.5, 1.5, 1.5],
    rests: [12, 12, 12, 12],
    isDue: false,
  });
  expect(await sweptBeside({ waiting: 1 })).toMatchObject({
    budgets: [0.5, 0.5, 0.5, 0.5, 0.5],
    rests: [12, 12, 12, 12],
  });
});

it('[R5, S1] sweeps half of the time beside calls where less space is free', async () => {
  expect(await sweptBeside({ mostUnswept: 7 * BATCH })).toMatchObject({
    budgets: [1.5, 1.5, 1.5, 1.5, 1.5],
    rests: [4, 12, 12, 12],
  });
});

it('[R4, R5] rests no longer than a few milliseconds once something is due', async () => {
  expect(await sweptBeside({ dueAfterMs: 1 })).toEqual({ budgets: [1.5], rests: [], rested: 4, isDue: true });
});

it('[R5] rests as long beside writes, of which nothing is due', async () => {
  expect(await sweptBeside({ isWritten: true })).toEqual({
    budgets: [1.5],
    rests: [],
    rested: 12,
    isDue: true,
  });
});

it('[R5, S1] sweeps without pauses beside calls where space is scarce', async () => {
  expect(await sweptBeside({ mostUnswept: 10 })).toMatchObject({
    budgets: [4, 4, 4, 4, 4],
    rests: [0, 0, 0, 0],
  });
});

it('[R5, R6] a manual pass does not wait until everything is swept, and sweeping goes on after it', async () => {
  const { store, seen } = endless(0);
  seen.unswept = 1_000 * BATCH;
  const clock = createManualClock(NOON);
  const reaper = new Reaper({
    store,
    clock,
    log: createLogger('error', clock.now, () => {}),
    meters: new MeterRegistry(),
    yieldToCalls: () => Promise.resolve(),
    callsWaiting: () => 0,
  });
  reaper.start();
  await reaper.runNow({});
  expect(seen.unswept).toBeGreaterThan(900 * BATCH);
  await reaper.whenIdle();
  expect(seen.unswept).toBe(0);
  await reaper.stop();
});

import { describe, expect, it } from 'vitest';
import {
  foldHolds,
  formatDiskFull,
  formatReaper,
  formatWaiting,
  holdsHere,
} from '../../../../renderer/features/reaper/format-reaper.ts';
import { reaperStatus } from '../../../../renderer/features/timeline/model/reaper-status.ts';
import type { Hold, ReaperState } from '../../../../shared/contract/reaper.ts';

const running: ReaperState = {
  state: 'running',
  paused: null,
  pausedCollections: [{ collection: 'carts', by: 'ana', since: 1_000 }],
  pausedIndexes: [],
  holds: [],
  nextWakeAt: 11_000,
  active: false,
  problem: null,
  diskFull: null,
  cutoff: null,
  removedPerSecond: 0,
  writtenPerSecond: 0,
  unswept: 0,
};

it('the reaper is running, and paused on the page of a paused collection', () => {
  expect(formatReaper(running, 10_000, 'sessions')).toMatchObject({
    state: 'running',
    detail: 'next in 1 s',
  });
  expect(formatReaper(running, 10_000, 'carts')).toMatchObject({
    state: 'paused',
    detail: 'in this collection',
  });
});

it('the reaper is failing before any other state', () => {
  const problem = { message: 'disk full', since: 9_000, retryAt: 12_000 };
  expect(formatReaper({ ...running, state: 'failing', problem }, 10_000, 'carts').word).toBe('Failing');
});

it('[S1] the message about a full disk states the effect, and the bytes to free', () => {
  expect(formatDiskFull({ since: 0, freeBytes: 1_000_000, neededBytes: 33_000_000 }, true)).toBe(
    'Writes are refused until 32 MB more are free; reads and removal continue. No data is lost.',
  );
  // A quota: the file system has room.
  expect(formatDiskFull({ since: 0, freeBytes: 0, neededBytes: 33_000_000 }, false)).toBe(
    'Writes are refused and nothing is removed until 33 MB more are free; reads continue. No data is lost.',
  );
  expect(formatDiskFull({ since: 0, freeBytes: 9, neededBytes: 5 }, true)).toMatch(
    /until something can be written/,
  );
});

it('the reaper is off for a read-only store, in the bar and on the timeline, even if paused or held', () => {
  const off: ReaperState = {
    ...running,
    state: 'off',
    paused: { by: 'ana', since: 1_000 },
    nextWakeAt: null,
  };
  expect(formatReaper(off, 10_000, 'carts')).toEqual({ state: 'off', word: 'Off', detail: 'read-only' });
  expect(reaperStatus(off, null)).toEqual({ state: 'off', since: null });
});

it('the message about a pause counts the documents that it keeps', () => {
  expect(formatWaiting(0)).toMatch(/^No document is past its deadline yet/);
  expect(formatWaiting(1)).toMatch(/^1 document is past the deadline/);
});

const hold = (collection: string | null): Hold => ({
  id: `h-${collection}`,
  collection,
  cause: 'restored backup',
  index: null,
  since: 5_000,
  by: 'maya',
  due: 3,
  documents: 10,
  durationMs: null,
  sentence: '3 of 10 documents came due while they lay in a backup.',
});

describe('[R6, R8] a hold', () => {
  const held = { ...running, holds: [hold('logs')] };
  it('applies to the page of its collection, and to no other', () => {
    expect(formatReaper(held, 10_000, 'logs')).toEqual({
      state: 'held',
      word: 'Held',
      detail: 'in this collection',
    });
    expect(formatReaper(held, 10_000, 'sessions').state).toBe('running');
  });
  it('of the whole store after a clock jump applies to every page', () => {
    const store = { ...running, holds: [hold(null)] };
    expect(formatReaper(store, 10_000, 'sessions').word).toBe('Held');
    expect(formatReaper(store, 10_000).word).toBe('Held');
    expect(holdsHere({ holds: [hold(null), hold('logs'), hold('carts')] }, 'logs')).toHaveLength(2);
  });
  it('is the same state on the timeline', () => {
    const problem = { message: 'disk full', since: 9_000, retryAt: 12_000 };
    const states: ReaperState[] = [
      running,
      held,
      { ...running, holds: [hold(null)], state: 'held' },
      { ...running, paused: { by: 'ana', since: 1 }, state: 'paused' },
      { ...held, paused: { by: 'ana', since: 1 }, state: 'paused' },
      { ...held, problem, state: 'failing' },
    ];
    for (const state of states) {
      for (const here of ['logs', 'carts', 'sessions', null]) {
        expect(reaperStatus(state, here).state).toBe(formatReaper(state, 10_000, here).state);
      }
    }
    expect(reaperStatus(held, 'logs')).toEqual({ state: 'held', since: 5_000 });
    expect(reaperStatus(running, 'carts')).toEqual({ state: 'paused', since: 1_000 });
  });
});

describe('holds of other collections', () => {
  const holds = ['a', 'b', 'c', 'd', 'e'].map(hold);
  const told = (count: number, isOverview: boolean, unfolded = false) => {
    const { each, folded } = foldHolds(holds.slice(0, count), isOverview, unfolded);
    return [each.length, folded.length];
  };

  it('are shown one by one on the overview, up to three', () => {
    expect([told(1, true), told(3, true), told(5, true)]).toEqual([
      [1, 0],
      [3, 0],
      [2, 3],
    ]);
  });

  it('are folded into one banner on other pages, until unfolded', () => {
    expect([told(1, false), told(2, false), told(5, false, true)]).toEqual([
      [1, 0],
      [0, 2],
      [5, 0],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  diskFullWords,
  foldHolds,
  holdsHere,
  reaperWords,
  waitingWords,
} from '../../../../renderer/features/reaper/reaper-words.ts';
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

it('says running where it runs, and not on the page of a collection that is paused', () => {
  expect(reaperWords(running, 10_000, 'sessions')).toMatchObject({ state: 'running', detail: 'next in 1 s' });
  expect(reaperWords(running, 10_000, 'carts')).toMatchObject({ state: 'paused', detail: 'here only' });
});

it('says failing before anything else', () => {
  const problem = { message: 'disk full', since: 9_000, retryAt: 12_000 };
  expect(reaperWords({ ...running, state: 'failing', problem }, 10_000, 'carts').word).toBe('Failing');
});

it('[S1] says what a full disk refuses, and how much more room ends it', () => {
  expect(diskFullWords({ since: 0, freeBytes: 1_000_000, neededBytes: 33_000_000 }, true)).toBe(
    'Writes are refused until 32 MB more are free on it; reads and removal go on. Nothing is lost.',
  );
  // A quota: the file system has room.
  expect(diskFullWords({ since: 0, freeBytes: 0, neededBytes: 33_000_000 }, false)).toBe(
    'Writes are refused and nothing is removed until 33 MB more are free on it; reads go on. Nothing is lost.',
  );
  expect(diskFullWords({ since: 0, freeBytes: 9, neededBytes: 5 }, true)).toMatch(
    /until something can be written/,
  );
});

it('says off where nothing is written, in the bar and on the timeline, whatever was paused or held before', () => {
  const off: ReaperState = {
    ...running,
    state: 'off',
    paused: { by: 'ana', since: 1_000 },
    nextWakeAt: null,
  };
  expect(reaperWords(off, 10_000, 'carts')).toEqual({ state: 'off', word: 'Off', detail: 'read-only' });
  expect(reaperStatus(off, null)).toEqual({ state: 'off', since: null });
});

it('says what a pause holds back', () => {
  expect(waitingWords(0)).toMatch(/^Nothing is past its deadline yet/);
  expect(waitingWords(1)).toMatch(/^1 document is past the deadline/);
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

describe('[R6, R8] what is held', () => {
  const held = { ...running, holds: [hold('logs')] };
  it('never runs on its own page, and holds nothing elsewhere', () => {
    expect(reaperWords(held, 10_000, 'logs')).toEqual({ state: 'held', word: 'Held', detail: 'here only' });
    expect(reaperWords(held, 10_000, 'sessions').state).toBe('running');
  });
  it('is the whole store where the clock jumped, on every page', () => {
    const store = { ...running, holds: [hold(null)] };
    expect(reaperWords(store, 10_000, 'sessions').word).toBe('Held');
    expect(reaperWords(store, 10_000).word).toBe('Held');
    expect(holdsHere({ holds: [hold(null), hold('logs'), hold('carts')] }, 'logs')).toHaveLength(2);
  });
  it('agrees with the word on the timeline, whatever stands still', () => {
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
        expect(reaperStatus(state, here).state).toBe(reaperWords(state, 10_000, here).state);
      }
    }
    expect(reaperStatus(held, 'logs')).toEqual({ state: 'held', since: 5_000 });
    expect(reaperStatus(running, 'carts')).toEqual({ state: 'paused', since: 1_000 });
  });
});

describe('holds of collections that a page is not of', () => {
  const holds = ['a', 'b', 'c', 'd', 'e'].map(hold);
  const told = (count: number, isOverview: boolean, unfolded = false) => {
    const { each, folded } = foldHolds(holds.slice(0, count), isOverview, unfolded);
    return [each.length, folded.length];
  };

  it('stand each by itself on the overview, up to three', () => {
    expect([told(1, true), told(3, true), told(5, true)]).toEqual([
      [1, 0],
      [3, 0],
      [2, 3],
    ]);
  });

  it('are one line on other pages, where they are more than one, until they are unfolded', () => {
    expect([told(1, false), told(2, false), told(5, false, true)]).toEqual([
      [1, 0],
      [0, 2],
      [5, 0],
    ]);
  });
});

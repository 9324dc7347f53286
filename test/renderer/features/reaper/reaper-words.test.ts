import { expect, it } from 'vitest';
import { reaperWords, waitingWords } from '../../../../renderer/features/reaper/reaper-words.ts';
import type { ReaperState } from '../../../../shared/contract/reaper.ts';

const running: ReaperState = {
  state: 'running',
  paused: null,
  pausedCollections: [{ collection: 'carts', by: 'ana', since: 1_000 }],
  pausedIndexes: [],
  nextWakeAt: 11_000,
  active: false,
  problem: null,
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

it('says what a pause holds back', () => {
  expect(waitingWords(0)).toMatch(/^Nothing is past its deadline yet/);
  expect(waitingWords(1)).toMatch(/^1 document is past the deadline/);
});

import { describe, expect, it } from 'vitest';
import { matcherOf, readFeedFilter } from '../../../../renderer/features/activity/feed/feed-filter.ts';
import { type Change, FeedLog } from '../../../../renderer/features/activity/feed/feed-log.ts';
import {
  changeLabel,
  formatRow,
  formatRowLag,
} from '../../../../renderer/features/activity/feed/format-feed.ts';
import { RateMeter } from '../../../../renderer/features/activity/feed/rate-meter.ts';
import { endingOf, formatPassResult } from '../../../../renderer/features/activity/passes/format-pass.ts';
import { formatBatchLength } from '../../../../renderer/i18n/format.ts';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { end, expiry, write } from './build.ts';

function rowOf(...changes: ReturnType<typeof expiry>[]) {
  const log = new FeedLog(() => true);
  for (const change of changes) log.take(change);
  log.take(end(1));
  const [row] = log.entries();
  if (row === undefined || row.kind === 'gap') throw new Error('no row');
  return row;
}

const pass: Pass = {
  id: 1,
  collection: 'carts',
  trigger: 'deadline',
  startedAt: 0,
  endedAt: 10,
  cutoff: 0,
  removed: 0,
  changed: 0,
  quarantined: 0,
  byIndex: {},
  batches: 1,
  longestBatchMs: 1,
  ending: 'drained',
  error: null,
};

describe('formatted rows', () => {
  it('state the event, the documents and the cause', () => {
    expect(formatRow(rowOf(expiry(1, 0)))).toBe('1 document expired from sessions by index idle_2h.');
    expect(formatRow(rowOf(expiry(1, 0, { index: 'explicit' })))).toBe(
      '1 document expired from sessions by an explicit expiration.',
    );
    expect(formatRow(rowOf(write(1, 0), write(1, 1)))).toBe('2 documents inserted into sessions.');
    expect(changeLabel(rowOf(expiry(1, 0)))).toEqual({ word: 'Removed', icon: 'glass' });
  });
  it('give the median lag only if every document is known', () => {
    const lags = [100, 300, 900].map((lagMs, position) => expiry(1, position, { lagMs }));
    expect(formatRowLag(rowOf(...lags))).toBe('p50 300 ms, longest 900 ms');
    const many = Array.from({ length: 150 }, (_, position) => expiry(1, position, { lagMs: position }));
    expect(formatRowLag(rowOf(...many))).toBe('longest 149 ms');
  });
  it('distinguish a running pass from one whose process ended', () => {
    expect(endingOf({ ...pass, ending: 'stopped' }, true).word).toBe('Running');
    expect(endingOf({ ...pass, ending: 'stopped' }, false).word).toBe('Stopped');
    expect(endingOf(pass, true).word).toBe('Drained');
    expect(formatPassResult({ ...pass, removed: 1_204, quarantined: 1 })).toBe(
      '1,204 removed, 1 quarantined',
    );
    expect(formatPassResult(pass)).toBe('No document changed');
    expect([0.84, 4, 48].map(formatBatchLength)).toEqual(['0.8 ms', '4 ms', '48 ms']);
  });
});

it('the feed is filtered by kind, index and text', () => {
  const matching = (query: string) => {
    const match = matcherOf(readFeedFilter(new URLSearchParams(query)));
    const changes = [expiry(1, 0), write(1, 1)].filter((event): event is Change => event.kind !== 'end');
    return changes.map(match);
  };
  expect(matching('')).toEqual([true, true]);
  expect(matching('kind=expire')).toEqual([true, false]);
  expect(matching('kind=nonsense')).toEqual([true, true]);
  expect(matching('collection=sessions&index=idle_2h')).toEqual([true, false]);
  expect(matching('filter=W1')).toEqual([false, true]);
  expect(matching('filter=idle')).toEqual([true, false]);
  expect(matching('collection=carts')).toEqual([false, false]);
});

it('a rate falls to 0 without changes', () => {
  const meter = new RateMeter();
  meter.count(50, 1_000);
  expect(meter.perSecond(1_000)).toBe(10);
  expect(meter.perSecond(7_000)).toBe(0);
});

import { describe, expect, it } from 'vitest';
import {
  balance,
  formatRemovalLag,
  lagMeasure,
  noNextSub,
  rate,
  removedNow,
} from '../../../../renderer/features/collections/format-figure.ts';
import type { Metrics } from '../../../../shared/contract/metrics.ts';

const none = { p50Ms: null, p99Ms: null, maxMs: null, count: 0 };
const metrics: Metrics = {
  now: 0,
  collection: 'carts',
  documents: 10,
  bytes: 100,
  withDeadline: 10,
  overdue: 3,
  oldestOverdueAt: 0,
  dueNextMinute: 0,
  selected: 5,
  removed: 5,
  changed: 0,
  quarantined: 0,
  passes: {},
  holds: 0,
  lag: none,
  recentLag: none,
  batchMs: none,
  removedPerSecond: 0.1,
  writtenPerSecond: 0,
  drainMs: null,
  nextWakeAt: null,
  recent: { removed: [6, 0], written: [0, 0], lagMaxMs: [0, 0] },
};

describe('figures', () => {
  it.each([
    [null, { value: '–' }],
    [0.4, { value: '< 1', unit: 'ms' }],
    [340, { value: '340', unit: 'ms' }],
    [1_920, { value: '1.9', unit: 's' }],
    [126_000, { value: '2.1', unit: 'm' }],
  ])('show a lag of %s ms', (ms, measure) => {
    expect(lagMeasure(ms)).toEqual(measure);
  });

  it.each([
    [0, '0'],
    [0.05, '0.05'],
    [22.14, '22.1'],
    [1_234, '1,234'],
    [123_456, '123 k'],
  ])('show %s per second', (perSecond, text) => {
    expect(rate(perSecond)).toBe(text);
  });

  it('are “all are overdue” if every deadline has passed', () => {
    expect(noNextSub(0)).toBe('no deadlines');
    expect(noNextSub(1_748)).toBe('all are overdue');
  });

  it('count only the last second while removal is stopped', () => {
    expect(balance(metrics, false)).toBe('shrinking 0.1 per s');
    expect(balance(metrics, true)).toBe('none removed');
    expect(removedNow(metrics, true)).toBe(0);
    expect(balance({ ...metrics, writtenPerSecond: 2 }, true)).toBe('growing 2.0 per s');
  });

  it('call a delay lag only if the reaper can have caused it', () => {
    const removed = (ms: number, dueMs = 0) => ({ deadlineAt: 0, dueSinceAt: dueMs, removedAt: ms });
    expect(formatRemovalLag(removed(0.2)).text).toBe('lag < 1 ms');
    expect(formatRemovalLag(removed(340)).text).toBe('lag 340 ms');
    expect(formatRemovalLag(removed(10_000)).text).toBe('10 s past deadline');
    expect(formatRemovalLag(removed(10_000)).title).toContain('not counted as lag');
  });

  it('measure the lag of a document due before its index from the creation of the index, as the metrics do', () => {
    const lag = formatRemovalLag({ deadlineAt: 0, dueSinceAt: 234_000_000, removedAt: 234_000_120 });
    expect(lag.text).toBe('lag 120 ms');
    expect(lag.title).toBe(
      'removed 120 ms after its rule took effect or was resumed, 2 d 17 h after its deadline',
    );
  });
});

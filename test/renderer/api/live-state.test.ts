import { describe, expect, it } from 'vitest';
import { applyUpdate, NOTHING_YET } from '../../../renderer/api/live-state.ts';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { LiveUpdate } from '../../../shared/contract/live.ts';

const summary = (name: string, documents = 0): CollectionSummary => ({
  name,
  documents,
  bytes: 0,
  withDeadline: 0,
  pinned: 0,
  overdue: 0,
  oldestOverdueAt: null,
  actionDueAt: null,
  passEveryMs: null,
  quarantined: 0,
  nextDeadlineAt: null,
  nextDeadlineFrom: null,
  ttlIndexes: 0,
  state: 'none',
  paused: null,
  holds: [],
  recounting: false,
  createdAt: 0,
});

const update = (change: Partial<LiveUpdate>): LiveUpdate => ({
  now: 0,
  revision: 1,
  reaper: {
    state: 'running',
    paused: null,
    pausedCollections: [],
    pausedIndexes: [],
    holds: [],
    nextWakeAt: null,
    active: false,
    problem: null,
    diskFull: null,
    cutoff: null,
    removedPerSecond: 0,
    writtenPerSecond: 0,
    unswept: 0,
  },
  collections: [],
  dropped: [],
  jobs: [],
  first: false,
  ...change,
});

const names = (state: { collections: ReadonlyMap<string, unknown> | null }) => [
  ...(state.collections?.keys() ?? []),
];

describe('the live state', () => {
  it('is replaced by the first update', () => {
    const before = applyUpdate(NOTHING_YET, update({ first: true, collections: [summary('gone')] }));
    const after = applyUpdate(before, update({ first: true, collections: [summary('b'), summary('a')] }));
    expect(names(after)).toEqual(['a', 'b']);
  });

  it('has no collections after a first update without any', () => {
    expect(NOTHING_YET.collections).toBeNull();
    expect(applyUpdate(NOTHING_YET, update({ first: true })).collections?.size).toBe(0);
  });

  it('sorts new names in natural order, and removes dropped collections', () => {
    const first = applyUpdate(
      NOTHING_YET,
      update({ first: true, collections: [summary('log10'), summary('x')] }),
    );
    const later = applyUpdate(first, update({ collections: [summary('log9')], dropped: ['x'] }));
    expect(names(later)).toEqual(['log9', 'log10']);
  });

  it('keeps the identity of unchanged parts', () => {
    const first = applyUpdate(
      NOTHING_YET,
      update({ first: true, collections: [summary('a'), summary('b')] }),
    );
    const quiet = applyUpdate(first, update({ revision: 2 }));
    expect(quiet.collections).toBe(first.collections);
    expect(quiet.jobs).toBe(first.jobs);
    const busy = applyUpdate(first, update({ collections: [summary('a', 1)] }));
    expect(busy.collections?.get('b')).toBe(first.collections?.get('b'));
    expect(busy.collections?.get('a')?.documents).toBe(1);
  });
});

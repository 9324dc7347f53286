import { describe, expect, it } from 'vitest';
import { isAsBefore } from '../../../../../renderer/features/ttl-indexes/draft/unchanged-effect.ts';
import { anIndex } from '../build.ts';

const index = anIndex();
const { source, onExpire, schedule, limits, retention } = index;
const same = { source, onExpire, schedule, limits, retention };

describe('an unchanged effect', () => {
  it('has the same source, duration and action', () => {
    expect(isAsBefore(index, same)).toBe(true);
    expect(
      isAsBefore(index, { ...same, limits: { removalsPerSecond: 5 }, schedule: { mode: 'exact' } }),
    ).toBe(true);
  });

  it('is not that of a new index, a shorter duration or another action', () => {
    expect(isAsBefore(null, same)).toBe(false);
    expect(isAsBefore(index, null)).toBe(false);
    const shorter = { kind: 'field', field: 'ts', unit: 'milliseconds', expireAfter: 1 } as const;
    expect(isAsBefore(index, { ...same, source: shorter })).toBe(false);
    expect(isAsBefore(index, { ...same, onExpire: { action: 'move', to: 'old' } })).toBe(false);
  });

  it('[R1, R8] is not that of an index that observes or awaits confirmation', () => {
    expect(isAsBefore(anIndex({ state: 'observing', schedule: { mode: 'observe' } }), same)).toBe(false);
    expect(isAsBefore(anIndex({ state: 'unconfirmed' }), same)).toBe(false);
    expect(isAsBefore(index, { ...same, schedule: { mode: 'observe' } })).toBe(false);
  });
});

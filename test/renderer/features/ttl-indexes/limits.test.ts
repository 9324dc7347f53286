import { describe, expect, it } from 'vitest';
import {
  limitChanges,
  limitsInBrief,
  limitTexts,
  readLimits,
  typedNumber,
} from '../../../../renderer/features/ttl-indexes/draft/limits-draft.ts';
import { drainWith } from '../../../../renderer/features/ttl-indexes/preview/drain-time.ts';
import {
  asksHow,
  isOverBreaker,
  proposedRate,
  rateProblem,
  rolledOut,
} from '../../../../renderer/features/ttl-indexes/review/roll-out.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { anIndex, aPreview } from './build.ts';

describe('[R3] the limits of an index', () => {
  it('are parsed; empty ones use the store’s default', () => {
    expect(readLimits({ rate: '10,000', batchMs: '0.5', batchSize: '' })).toEqual({
      value: { removalsPerSecond: 10_000, batchMs: 0.5 },
    });
    expect(readLimits({ rate: ' ', batchMs: '', batchSize: '' })).toEqual({ value: {} });
  });

  it('are formatted as they were typed', () => {
    const limits = { removalsPerSecond: 250, batchMs: 2, batchSize: 0 };
    expect(readLimits(limitTexts(limits))).toEqual({ value: limits });
    expect(limitTexts({})).toEqual({ rate: '', batchMs: '', batchSize: '' });
  });

  it('have a problem each', () => {
    expect(readLimits({ rate: 'fast', batchMs: '0', batchSize: '1.5' })).toEqual({
      problems: {
        rate: '“fast” is not a number.',
        batchMs: 'From 0.5 to 1,000 ms.',
        batchSize: 'A whole number of documents.',
      },
    });
    expect(typedNumber('-3')).toBeNaN();
    expect(typedNumber('1e3')).toBeNaN();
  });

  it('are summarised with the store’s defaults', () => {
    expect(limitsInBrief({}, DEFAULT_SETTINGS)).toBe('8 ms batches, no rate limit: the store’s own');
    expect(limitsInBrief({ removalsPerSecond: 500, batchSize: 100 }, DEFAULT_SETTINGS)).toBe(
      '8 ms batches, of at most 100, at most 500 a second',
    );
  });

  it('are sent only if they differ, null to reset one', () => {
    expect(limitChanges({ removalsPerSecond: 5, batchMs: 2 }, { batchMs: 2, batchSize: 9 })).toEqual({
      removalsPerSecond: null,
      batchSize: 9,
    });
    expect(limitChanges({ batchMs: 2 }, { batchMs: 2 })).toBeNull();
  });
});

describe('[R8] a change that makes many documents due at once', () => {
  const { source, onExpire, limits, retention } = anIndex();
  const definition = { source, onExpire, schedule: { mode: 'exact' } as const, limits, retention };
  const large = aPreview({ documents: 100_000, dueAtOnce: 60_000 });

  it('trips the circuit breaker above both bounds, not at them', () => {
    expect(isOverBreaker(large, DEFAULT_SETTINGS)).toBe(true);
    expect(isOverBreaker(aPreview({ documents: 100_000, dueAtOnce: 50_000 }), DEFAULT_SETTINGS)).toBe(false);
    expect(isOverBreaker(aPreview({ documents: 11_000, dueAtOnce: 10_000 }), DEFAULT_SETTINGS)).toBe(false);
    expect(isOverBreaker(large, undefined)).toBe(false);
  });

  it('asks for a roll-out, also below the circuit breaker, unless it observes', () => {
    expect(asksHow(definition, aPreview({ documents: 100, dueAtOnce: 11 }), DEFAULT_SETTINGS)).toBe(true);
    expect(asksHow(definition, aPreview({ documents: 100, dueAtOnce: 10 }), DEFAULT_SETTINGS)).toBe(false);
    const strict = { breakerShare: 0.01, breakerDocuments: 5 };
    expect(asksHow(definition, aPreview({ documents: 100, dueAtOnce: 10 }), strict)).toBe(true);
    expect(asksHow({ schedule: { mode: 'observe' } }, large, DEFAULT_SETTINGS)).toBe(false);
  });

  it('begins by observing, or at a rate, and is otherwise unchanged', () => {
    expect(rolledOut(definition, { how: 'as defined', rate: 'x' })).toBe(definition);
    expect(rolledOut(definition, { how: 'observe', rate: 'x' })?.schedule).toEqual({ mode: 'observe' });
    expect(
      rolledOut({ ...definition, limits: { batchMs: 2 } }, { how: 'rate', rate: '1,000' })?.limits,
    ).toEqual({ batchMs: 2, removalsPerSecond: 1_000 });
    expect(rolledOut(definition, { how: 'rate', rate: '' })).toBeNull();
    expect(rateProblem('0')).toBe('0 means no limit: choose At once.');
  });

  it('proposes a round rate that takes ten minutes at most', () => {
    expect([1, 600, 601, 60_000, 412_806, 2_400_000].map(proposedRate)).toEqual([1, 1, 2, 100, 1_000, 5_000]);
  });

  it('takes as long as its rate, and at least as long as its batches', () => {
    expect(drainWith(aPreview({ dueAtOnce: 100, drainMs: 10 }), {})).toBe(10);
    expect(drainWith(aPreview({ dueAtOnce: 100, drainMs: 10 }), { removalsPerSecond: 10 })).toBe(10_000);
    expect(drainWith(aPreview({ dueAtOnce: 100, drainMs: 10 }), { removalsPerSecond: 1_000_000 })).toBe(10);
    expect(drainWith(aPreview({ dueAtOnce: 100, drainMs: null }), { removalsPerSecond: 0 })).toBeNull();
  });
});

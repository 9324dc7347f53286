import { describe, expect, it } from 'vitest';
import {
  limitChanges,
  limitsInBrief,
  limitTexts,
  readLimits,
  typedNumber,
} from '../../../../renderer/features/ttl-indexes/draft/limits-draft.ts';
import { drainWith } from '../../../../renderer/features/ttl-indexes/preview/drain-time.ts';
import { confirmationOf } from '../../../../renderer/features/ttl-indexes/review/confirmation.ts';
import {
  proposedRate,
  rateProblem,
  rolledOut,
} from '../../../../renderer/features/ttl-indexes/review/roll-out.ts';
import { ALL_INDEX_CHOICES } from '../../../../shared/contract/capabilities.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import type { ConfirmationSettings } from '../../../../shared/model/confirmation-rule.ts';
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

  it('have a problem for each invalid value', () => {
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
    expect(limitsInBrief({}, DEFAULT_SETTINGS, ALL_INDEX_CHOICES.limits)).toBe(
      '8 ms batches, no rate limit: the store’s own',
    );
    expect(
      limitsInBrief({ removalsPerSecond: 500, batchSize: 100 }, DEFAULT_SETTINGS, ALL_INDEX_CHOICES.limits),
    ).toBe('8 ms batches, of at most 100, at most 500 a second');
    expect(limitsInBrief({ batchSize: 100 }, DEFAULT_SETTINGS, ['removalsPerSecond', 'batchSize'])).toBe(
      'Batches of at most 100, no rate limit',
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
  const confirmation = (documents: number, dueAtOnce: number, settings?: ConfirmationSettings) =>
    confirmationOf(definition, aPreview({ documents, dueAtOnce }), null, settings);

  it('is confirmed above both bounds of the settings, not at them', () => {
    expect(confirmation(10_000, 1_001)).toBe('effect');
    expect(confirmation(10_000, 1_000)).toBe('none');
    expect(confirmation(20_000, 2_000)).toBe('none');
    expect(confirmation(100, 40, { confirmShare: 0.1, confirmDocuments: 10 })).toBe('effect');
    expect(confirmation(1_000, 1_000)).toBe('none');
  });

  it('requires the name of the collection for more than half of it', () => {
    expect(confirmation(10_000, 5_000)).toBe('effect');
    expect(confirmation(10_000, 5_001)).toBe('name');
  });

  it('counts only documents that are not due by the present definition', () => {
    const preview = aPreview({ documents: 10_000, dueAtOnce: 6_000 });
    expect(confirmationOf(definition, preview, { state: 'ready', overdue: 5_500 })).toBe('none');
    expect(confirmationOf(definition, preview, { state: 'ready', overdue: 4_000 })).toBe('effect');
    expect(confirmationOf(definition, preview, { state: 'observing', overdue: 6_000 })).toBe('name');
  });

  it('is not confirmed if it only observes', () => {
    const preview = aPreview({ documents: 100_000, dueAtOnce: 60_000 });
    expect(confirmationOf({ schedule: { mode: 'observe' } }, preview, null)).toBe('none');
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

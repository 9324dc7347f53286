import { describe, expect, it } from 'vitest';
import { epochOf } from '../../../../../renderer/features/documents/table/format-cell.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

describe('a number that may be a date', () => {
  it('is read as seconds or as milliseconds, by its size', () => {
    expect(epochOf(NOON)).toEqual({ at: NOON, unit: 'milliseconds' });
    expect(epochOf(NOON / 1_000)).toEqual({ at: NOON, unit: 'seconds' });
    expect(epochOf(NOON / 1_000 + 0.25)).toEqual({ at: NOON + 250, unit: 'seconds' });
  });

  it('is between 2000 and 2100, so that counts, sizes and other values are not read as dates', () => {
    for (const value of [0, 1, 4_711, -NOON, 5e9, 1e11, 5e15, Number.NaN, `${NOON}`, null, undefined, [NOON]])
      expect(epochOf(value)).toBeNull();
  });
});

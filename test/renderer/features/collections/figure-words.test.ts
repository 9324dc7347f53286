import { describe, expect, it } from 'vitest';
import { lagMeasure, rate } from '../../../../renderer/features/collections/figure-words.ts';

describe('figures', () => {
  it.each([
    [null, { value: '–' }],
    [0.4, { value: '< 1', unit: 'ms' }],
    [340, { value: '340', unit: 'ms' }],
    [1_920, { value: '1.9', unit: 's' }],
    [126_000, { value: '2 m 6 s' }],
  ])('a lag of %s ms', (ms, measure) => {
    expect(lagMeasure(ms)).toEqual(measure);
  });

  it.each([
    [0, '0'],
    [0.05, '0.05'],
    [22.14, '22.1'],
    [1_234, '1,234'],
    [123_456, '123 k'],
  ])('%s per second', (perSecond, text) => {
    expect(rate(perSecond)).toBe(text);
  });
});

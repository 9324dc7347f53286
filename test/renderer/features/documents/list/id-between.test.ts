import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idBetween } from '../../../../../renderer/features/documents/list/id-between.ts';

describe('idBetween', () => {
  it('is nearly exact for counters of one width', () => {
    expect(idBetween('e00000', 'e09999', 0.5).slice(0, 5)).toBe('e0499');
    expect(idBetween('e00000', 'e09999', 0.25).slice(0, 4)).toBe('e024');
  });
  it('keeps the hyphens of a UUID in place', () => {
    const first = '019e0000-0000-7000-8000-000000000000';
    const last = '019e8000-0000-7fff-bfff-ffffffffffff';
    expect(idBetween(first, last, 0.5).slice(0, 9)).toBe('019e4000-');
  });
  it('works in both directions', () => {
    expect(idBetween('d9999', 'd0000', 0.1).slice(0, 3)).toBe('d89');
  });
  it('is between the two, and increases with the fraction', () => {
    const id = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'0123456789abcdefghXYZ_') });
    fc.assert(
      fc.property(id, id, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, fraction) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const near = idBetween(low, high, fraction / 2);
        const far = idBetween(low, high, 0.5 + fraction / 2);
        expect(near <= far).toBe(true);
        expect(near.slice(0, sharedPrefix(low, high).length)).toBe(sharedPrefix(low, high));
      }),
    );
  });
});

function sharedPrefix(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}

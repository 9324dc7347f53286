import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSet } from '../../../../electron/engine/backends/embedded/tables/documents/row-set.ts';

/** Row numbers close together, far apart, and around the end of a chunk. */
const row = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 65_500, max: 65_600 }),
  fc.integer({ min: 1, max: 2 ** 50 }),
);
const change = fc.record({ kind: fc.constantFrom('add', 'add', 'add', 'delete'), row } as const);

describe('a set of rows', () => {
  it('[A1] has the same members and runs as a set of numbers, and a copy of it does not change', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), fc.integer({ min: 1, max: 40 }), (changes, most) => {
        const rows = new RowSet();
        const expected = new Set<number>();
        for (const { kind, row: number } of changes) {
          rows[kind](number);
          expected[kind](number);
        }
        const sorted = [...expected].sort((a, b) => a - b);
        expect(rows.size).toBe(expected.size);
        expect(rows.last).toBe(sorted.at(-1) ?? 0);
        for (const { row: number } of changes) expect(rows.has(number)).toBe(expected.has(number));
        const copy = rows.copy();
        for (const number of sorted) rows.delete(number);
        expect(rows.size).toBe(0);
        expect([...rows.runs(most)]).toEqual([]);
        const listed: number[] = [];
        for (const [first, last] of copy.runs(most)) {
          expect(last - first).toBeLessThan(most);
          for (let number = first; number <= last; number += 1) listed.push(number);
        }
        expect(listed).toEqual(sorted);
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedEntries } from '../../../../electron/engine/deadline-index/sorted-entries.ts';

const entry = fc.record({
  reference: fc.integer({ min: -8, max: 40 }),
  row: fc.integer({ min: 1, max: 1_000 }),
  bytes: fc.nat(1_000),
});

it('entries are given back in the order of an index table, however many are taken at once', () => {
  fc.assert(
    // By default most lists are short, and a run has 1,024 entries.
    fc.property(
      fc.array(entry, { maxLength: 4_000, size: 'max' }),
      fc.integer({ min: 1, max: 700 }),
      (given, most) => {
        const entries = new SortedEntries();
        for (const one of given) entries.add(one);
        const taken = [];
        while (entries.size > 0) taken.push(...entries.take(most));
        const key = ({ reference, row }: { reference: number; row: number }) => [reference, row];
        const sorted = given.toSorted((a, b) => a.reference - b.reference || a.row - b.row);
        expect(taken.map(key)).toEqual(sorted.map(key));
        const text = (one: object) => JSON.stringify(one);
        expect(taken.map(text).sort()).toEqual(given.map(text).sort());
      },
    ),
    { numRuns: 12 },
  );
});

it('entries that are added after others were taken come in order with those that are left', () => {
  const entries = new SortedEntries();
  for (let row = 3_000; row > 0; row -= 1) entries.add({ reference: row, row, bytes: 1 });
  expect(entries.take(1_000).at(-1)?.reference).toBe(1_000);
  entries.add({ reference: 5, row: 5, bytes: 1 });
  expect(entries.take(2).map(({ reference }) => reference)).toEqual([5, 1_001]);
  expect(entries.size).toBe(1_999);
});

it('entries of several runs are merged by reference time, then by row', () => {
  const given = Array.from({ length: 6_000 }, (_, i) => ({
    reference: (i * 7_919) % 2_503,
    row: (i * 104_729) % 6_007,
    bytes: i,
  }));
  const entries = new SortedEntries();
  for (const one of given) entries.add(one);
  const sorted = given.toSorted((a, b) => a.reference - b.reference || a.row - b.row);
  const taken = [];
  while (entries.size > 0) taken.push(...entries.take(700));
  expect(taken).toEqual(sorted);
});

import { expect, it } from 'vitest';
import { shrink } from './shrink.ts';

const NUMBERS = Array.from({ length: 200 }, (_, i) => i);

it('what a failure does not need is removed', async () => {
  const needed = [3, 90, 91, 180];
  let runs = 0;
  const found = await shrink(
    NUMBERS,
    async items => {
      runs += 1;
      return needed.every(one => items.includes(one));
    },
    1_000,
  );
  expect(found).toEqual(needed);
  expect(runs).toBeLessThan(150);
});

it('it ends after the given runs, with a list that fails', async () => {
  let runs = 0;
  const fails = async (items: readonly number[]) => {
    runs += 1;
    return items.includes(7) && items.includes(170);
  };
  const found = await shrink(NUMBERS, fails, 5);
  expect(runs).toBe(5);
  expect(await fails(found)).toBe(true);
});

it('a failure without any step is an empty list', async () => {
  expect(await shrink([1, 2, 3], async () => true, 100)).toEqual([]);
});

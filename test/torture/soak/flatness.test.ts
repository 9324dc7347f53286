import { expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { flatness, slope } from './flatness.ts';
import type { Reading } from './resources.ts';

const STEADY = {
  resident: 200e6,
  heap: 60e6,
  file: 50e6,
  log: 4e6,
  handles: 60,
  connections: 9,
  threads: 20,
  removed: 0,
};

function readings(at: (second: number, random: Random) => Partial<Reading>): Reading[] {
  const random = new Random(1);
  return Array.from({ length: 120 }, (_, i) => ({ ...STEADY, second: i * 5, ...at(i * 5, random) }));
}

function grown(all: readonly Reading[]): string[] {
  return flatness(all).flatMap(({ resource, growth, mostGrowth }) => (growth > mostGrowth ? resource : []));
}

it('a line is fitted that outliers do not move', () => {
  const points = Array.from({ length: 30 }, (_, i) => ({ at: i, value: i % 5 === 0 ? 1e6 : 3 * i }));
  expect(slope(points)).toBeCloseTo(3, 0);
});

it('noise and the growth of the first third are flat', () => {
  const noisy = readings((second, random) => ({
    resident: Math.min(second, 200) * 1e6 + random.between(0, 30e6),
    heap: random.between(40e6, 90e6),
    handles: random.between(50, 90),
  }));
  expect(grown(noisy)).toEqual([]);
});

it('a leak is found: 30 MB of memory, or 6 handles', () => {
  expect(grown(readings(second => ({ resident: 200e6 + (second / 400) * 30e6 })))).toEqual(['resident']);
  expect(grown(readings((second, random) => ({ handles: 60 + second / 66 + random.between(0, 4) })))).toEqual(
    ['handles'],
  );
});

it('a file that grows by the rows of its removals is flat, and one that grows by more is not', () => {
  expect(grown(readings(second => ({ file: 50e6 + second * 20_000, removed: second * 100 })))).toEqual([]);
  expect(grown(readings(second => ({ file: 50e6 + second * 40_000, removed: second * 100 })))).toEqual([
    'file',
  ]);
});

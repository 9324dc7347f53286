import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsBeforeEach } from '../../../../electron/engine/deadline-index/split-second.ts';
import { NOON, SECOND } from '../../../support/engine.ts';

/** Entries by instant of one second, and how many of them were read. */
class Entries {
  readonly #documents: ReadonlyMap<number, number>;
  read = 0;

  constructor(documents: ReadonlyMap<number, number>) {
    this.#documents = documents;
  }

  count(from: number, to: number): number {
    let sum = 0;
    for (const [at, documents] of this.#documents) if (at >= from && at < to) sum += documents;
    return sum;
  }

  all(from: number, to: number): number {
    return this.upTo(from, to, Number.POSITIVE_INFINITY);
  }

  upTo(from: number, to: number, most: number): number {
    const found = Math.min(most, this.count(from, to));
    this.read += found;
    return found;
  }
}

const MILLION = 1_000_000;
const instant = fc.integer({ min: 0, max: SECOND - 1 }).map(ms => NOON + ms);
const documents = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(1, MILLION));

describe('[X2] a second that holds many documents', () => {
  it('is counted before each of some instants by all of its parts but the largest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(instant, documents), { maxLength: 12 }),
        fc.uniqueArray(instant, { minLength: 1, maxLength: 5 }),
        (known, unsorted) => {
          const instants = unsorted.toSorted((a, b) => a - b);
          const entries = new Entries(new Map(known));
          const all = entries.count(NOON, NOON + SECOND);
          const expected = instants.map(at => entries.count(NOON, at));
          expect(documentsBeforeEach(NOON, instants, all, entries)).toEqual(expected);
          const edges = [NOON, ...instants, NOON + SECOND];
          const parts = edges.slice(1).map((to, i) => entries.count(edges[i] ?? 0, to));
          const others = all - Math.max(...parts);
          const first = 16_384 * parts.length;
          // At worst a part is taken for the largest that is not.
          expect(entries.read).toBeLessThanOrEqual(first + all + (parts.length * all) / 24);
          // A part that stands out is found at the cost of the others.
          if (others * 128 < all) expect(entries.read).toBeLessThanOrEqual(2 * first + 8 * others);
        },
      ),
    );
  });

  it('costs no more for a million documents of one instant than for a few', () => {
    for (const at of [0, 1, 499, 998]) {
      const entries = new Entries(new Map([[NOON + at, MILLION]]));
      expect(documentsBeforeEach(NOON, [NOON + at + 1], MILLION, entries)).toEqual([MILLION]);
      expect(documentsBeforeEach(NOON, [NOON + at], MILLION, entries)).toEqual([0]);
      expect(entries.read).toBeLessThanOrEqual(2 * 16_384);
    }
  });
});

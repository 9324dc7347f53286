import { describe, expect, it } from 'vitest';
import { orderOfElements, renderedSlots } from '../../../../renderer/components/data-grid/rendered-slots.ts';

const COUNT = 1_000_000;
const FITTING = 24;

/** A viewport of 24.3 rows, scrolled by pixels. */
const at = (pixels: number, count = COUNT) => {
  const startIndex = Math.floor(pixels / 28);
  const endIndex = Math.min(count - 1, Math.floor((pixels + 24.3 * 28) / 28));
  return renderedSlots({ startIndex, endIndex, count }, FITTING);
};
const keysOf = (slots: readonly number[]) => slots.map(slot => slot % slots.length);

describe('the rendered rows', () => {
  it('are those in view and a few on each side', () => {
    const slots = at(28_000);
    expect(slots).toContain(995);
    expect(slots).toContain(1_030);
    expect(slots.length).toBeLessThan(45);
  });

  it('have a constant number, so that elements are reused', () => {
    const lengths = new Set(Array.from({ length: 300 }, (_, i) => at(i * 50).length));
    expect(lengths.size).toBe(1);
    for (const end of [0, COUNT * 28 - 24.3 * 28]) expect(at(end).length).toBe([...lengths][0]);
  });

  it('are at most all rows', () => {
    expect(at(0, 3)).toEqual([0, 1, 2]);
    expect(renderedSlots({ startIndex: 0, endIndex: 0, count: 0 }, FITTING)).toEqual([]);
  });

  it('keep their order while the list scrolls in either direction', () => {
    const begun = at(28_000);
    const before = keysOf(orderOfElements(begun, begun[0] ?? 0));
    for (let by = -1_400; by <= 1_400; by += 50) {
      const slots = at(28_000 + by);
      expect(keysOf(orderOfElements(slots, begun[0] ?? 0))).toEqual(before);
    }
  });

  it('change one element for each row that scrolls into view', () => {
    const slotOfKey = (slots: readonly number[]) => new Map(slots.map(slot => [slot % slots.length, slot]));
    const before = slotOfKey(at(28_000));
    const after = slotOfKey(at(28_050));
    const changed = [...after].filter(([key, slot]) => before.get(key) !== slot);
    expect(changed.length).toBeLessThanOrEqual(2);
  });

  it('are in reading order at rest', () => {
    const slots = at(28_037);
    expect(orderOfElements(slots, slots[0] ?? 0)).toEqual(slots);
  });
});

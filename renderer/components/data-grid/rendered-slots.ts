/** Rows drawn above and below those in sight. */
const SPARE = 6;

/** Range of the virtual list: the first and the last visible slot, and the number of slots. */
interface InSight {
  startIndex: number;
  endIndex: number;
  count: number;
}

/**
 * Returns the slots to render; `fitting`: number of whole rows that fit. The number of slots is the same at any scroll
 * position, so that the element of a row that leaves at one end is reused at the other and only its text changes.
 */
export function renderedSlots({ startIndex, endIndex, count }: InSight, fitting: number): number[] {
  const drawn = Math.min(count, Math.max(endIndex - startIndex + 1, fitting + 2) + 2 * SPARE);
  const first = Math.max(0, Math.min(startIndex - SPARE, count - drawn));
  return Array.from({ length: drawn }, (_, i) => first + i);
}

/**
 * Returns consecutive slots in the order of their elements: while the list scrolls, the element of `slot %
 * slots.length` is not moved. `first`: the first slot when scrolling began; at rest the order is that of the slots.
 */
export function orderOfElements(slots: readonly number[], first: number): number[] {
  const size = slots.length;
  return slots.toSorted((a, b) => placeOf(a - first, size) - placeOf(b - first, size));
}

const placeOf = (offset: number, size: number) => ((offset % size) + size) % size;

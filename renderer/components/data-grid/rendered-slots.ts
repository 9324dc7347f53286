/** Rows drawn above and below those in sight. */
const SPARE = 6;

/** What the virtual list says: the first and the last slot in sight, and how many there are. */
interface InSight {
  startIndex: number;
  endIndex: number;
  count: number;
}

/**
 * The slots to draw, as many wherever the list stands (`fitting`: whole rows that fit): the row that leaves at one end
 * is then the one that comes at the other, and only its words change.
 */
export function slotsDrawn({ startIndex, endIndex, count }: InSight, fitting: number): number[] {
  const drawn = Math.min(count, Math.max(endIndex - startIndex + 1, fitting + 2) + 2 * SPARE);
  const first = Math.max(0, Math.min(startIndex - SPARE, count - drawn));
  return Array.from({ length: drawn }, (_, i) => first + i);
}

/**
 * Consecutive slots in the order in which their elements stand: element `slot % slots.length` is never moved while the
 * list rolls, from `first` on, which is the slot it began with. At rest, `first` is the first and they stand as they read.
 */
export function standing(slots: readonly number[], first: number): number[] {
  const size = slots.length;
  return slots.toSorted((a, b) => placeOf(a - first, size) - placeOf(b - first, size));
}

const placeOf = (offset: number, size: number) => ((offset % size) + size) % size;

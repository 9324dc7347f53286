/** The `_id`s that were in sight, top to bottom ('' where a row was not read yet), and the slot of the first. */
export interface InSight {
  firstSlot: number;
  ids: readonly string[];
}

/**
 * By how many slots the list must be scrolled so that what was in sight stays where it was, after rows came or left
 * above. 0 at the very top: there the list moves up by itself, as what is due leaves it.
 */
export function slotsMoved(
  inSight: InSight,
  rowAt: (slot: number) => { _id: string } | undefined,
  slots: number,
  slotOf: (id: string) => number | undefined,
): number {
  if (inSight.firstSlot === 0) return 0;
  for (const [i, id] of inSight.ids.entries()) {
    if (id === '') continue;
    const slot = inSight.firstSlot + i;
    if (slot < slots && rowAt(slot)?._id === id) return 0;
    const now = slotOf(id);
    if (now !== undefined) return now - slot;
  }
  return 0;
}

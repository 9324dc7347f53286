import type { HoldRecord } from '../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { formatHold } from '../../../../shared/model/hold.ts';

/**
 * Throws EXPECTATION_FAILED while the collection or the store is held: a hold ends only by the confirmation of its
 * shown figures.
 */
export function checkNotHeld(holds: readonly HoldRecord[], collection: string | undefined): void {
  const hold = holds.find(one => one.collection === null || one.collection === collection);
  if (hold === undefined) return;
  throw new SandglassError('EXPECTATION_FAILED', `${formatHold(hold)} Confirm it first, then run a pass.`, {
    hold: { ...hold, sentence: formatHold(hold) },
  });
}

/**
 * Returns one hold, all of a collection or, with neither, those of the whole store. Throws EXPECTATION_FAILED if the
 * hold has ended.
 */
export function chosenHolds(
  holds: readonly HoldRecord[],
  { collection, hold: id }: { collection?: string | undefined; hold?: string | undefined },
): readonly HoldRecord[] {
  if (id === undefined) return holds.filter(one => one.collection === (collection ?? null));
  const hold = holds.find(one => one.id === id);
  if (hold === undefined) {
    throw new SandglassError('EXPECTATION_FAILED', 'There is no such hold any more. List the holds.', {
      hold: id,
    });
  }
  return [hold];
}

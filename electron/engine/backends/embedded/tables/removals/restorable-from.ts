import type { RemovedRow, Tombstones } from './tombstones.ts';

/** Columns of `removals` that decide whether the document is restorable. */
export interface RestorableRemoval extends RemovedRow {
  /** Epoch ms; 0: not restorable. */
  keepUntilAt: number;
  isCopied: boolean;
}

/**
 * Returns where a removed document can be restored from at `now` (epoch ms): its copy or, until the sweep, its dead row
 * [X4]; null if it is not restorable.
 */
export function restorableFrom(
  removal: RestorableRemoval,
  tombstones: Pick<Tombstones, 'isRowOf'>,
  now: number,
): 'copy' | 'row' | null {
  if (removal.keepUntilAt <= now) return null;
  if (removal.isCopied) return 'copy';
  return tombstones.isRowOf(removal) ? 'row' : null;
}

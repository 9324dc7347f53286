import type { DeadRows, RemovedRow } from './dead-rows.ts';

/** A removal, as far as it says whether what it took can be restored. */
export interface RestorableRemoval extends RemovedRow {
  /** Epoch ms; 0: not restorable. */
  keepUntilAt: number;
  isCopied: boolean;
}

/**
 * Where the document that a removal took is restorable from at `now` (epoch ms): its copy or, until it is swept, its dead
 * row [X4]. Null: it is not restorable.
 */
export function restorableFrom(
  removal: RestorableRemoval,
  dead: Pick<DeadRows, 'isRowOf'>,
  now: number,
): 'copy' | 'row' | null {
  if (removal.keepUntilAt <= now) return null;
  if (removal.isCopied) return 'copy';
  return dead.isRowOf(removal) ? 'row' : null;
}

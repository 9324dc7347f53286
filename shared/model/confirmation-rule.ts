/** Bounds above which a change is confirmed before it is made; both must be exceeded [R8]. */
export interface ConfirmationSettings {
  /** Share of the collection, 0 to 1. */
  readonly confirmShare: number;
  readonly confirmDocuments: number;
}

/** Number of documents that a change makes due, and number of all documents of the collection. */
export interface EffectSize {
  readonly due: number;
  readonly documents: number;
}

/**
 * The safety rule of the window, the command line and REST [R8]. Returns whether a person must confirm the effect of a
 * change first. A small number is quickly restored, and a small share is what a retention policy removes every day.
 */
export function needsConfirmation(
  { due, documents }: EffectSize,
  { confirmShare, confirmDocuments }: ConfirmationSettings,
): boolean {
  return due > confirmDocuments && due > confirmShare * documents;
}

/** Returns whether the confirmation requires the name of the collection: more than half of it becomes due. */
export function needsName({ due, documents }: EffectSize): boolean {
  return due > documents / 2;
}

/**
 * Returns how many documents a definition makes due in addition to those due by the present one. `present` is null for
 * a new index; an index that is not ready has made none due.
 */
export function newlyDue(
  { dueAtOnce }: { readonly dueAtOnce: number },
  present: { readonly state: string; readonly overdue: number } | null,
): number {
  return Math.max(0, dueAtOnce - (present?.state === 'ready' ? present.overdue : 0));
}

/** Documents due within this time, ms, count as made due by a change of explicit expirations. */
export const SOON_MS = 86_400_000;

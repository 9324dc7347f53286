import type { CollectionSummary } from '../../../shared/contract/collections.ts';

/** Returns whether a collection is paused or held, so that nothing is removed from it. */
export function isPausedOrHeld(state: CollectionSummary['state']): state is 'paused' | 'held' {
  return state === 'paused' || state === 'held';
}

import type { CollectionSummary } from '../../../shared/contract/collections.ts';

/** Nothing is removed from a collection that is paused or held. */
export function isPausedOrHeld(state: CollectionSummary['state']): state is 'paused' | 'held' {
  return state === 'paused' || state === 'held';
}

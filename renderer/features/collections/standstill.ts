import type { CollectionSummary } from '../../../shared/contract/collections.ts';

/** Nothing leaves a collection that is paused or held, whatever its deadlines say. */
export function isStill(state: CollectionSummary['state']): state is 'paused' | 'held' {
  return state === 'paused' || state === 'held';
}

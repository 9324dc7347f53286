import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { toCollection } from '../../components/navigation/location.ts';

/** Link to the list of documents past their deadline; while removal is paused, their state is `paused`. */
export function toOverdue({ name, state }: Pick<CollectionSummary, 'name' | 'state'>): string {
  const listedAs = state === 'paused' ? 'paused' : 'overdue';
  return toCollection(name, 'documents', { state: listedAs, includeExpired: 'true' });
}

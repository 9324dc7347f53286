import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { toCollection } from '../../components/navigation/location.ts';

/** To the documents past their deadline. Where removal is paused that is the state they are listed under. */
export function toOverdue({ name, state }: Pick<CollectionSummary, 'name' | 'state'>): string {
  const listedAs = state === 'paused' ? 'paused' : 'overdue';
  return toCollection(name, 'documents', { state: listedAs, includeExpired: 'true' });
}

import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { toCollection } from '../../../components/navigation/location.ts';

/** Returns the URL that lists restored documents: one by its `_id`, several by their new expiration. */
export function restoredLink(
  collection: string,
  restored: readonly ExpiredEntry[],
  expiration: ExpirationSetting,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
): string {
  const [only] = restored;
  if (only !== undefined && restored.length === 1)
    return toCollection(collection, 'documents', { filter: only._id });
  if ('never' in expiration) return toCollection(collection, 'documents', { state: 'pinned' });
  const [dueFrom, dueTo] =
    'at' in expiration
      ? [Number(expiration.at), Number(expiration.at) + 1]
      : [startedAt + expiration.after * 1_000, endedAt + expiration.after * 1_000 + 1];
  return toCollection(collection, 'documents', { dueFrom, dueTo });
}

import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { client, useLiveQuery } from '../../../api.ts';

/** Indexes of the collection, and explicit expirations. */
export function useIndexChoices(collection: string | null): readonly { value: string; label: string }[] {
  const { data } = useLiveQuery({
    key: ['activity', 'indexes', collection],
    queryFn: async () => (collection === null ? [] : client.ttlIndexes.list({ collection })),
    collection,
    everyMs: 5_000,
    enabled: collection !== null,
  });
  return useMemo(
    () => [
      ...(data ?? []).map(({ name }) => ({ value: name, label: name })),
      { value: EXPLICIT, label: t`set by hand` },
    ],
    [data],
  );
}

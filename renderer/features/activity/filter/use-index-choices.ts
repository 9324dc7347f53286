import { t } from '@lingui/core/macro';
import { skipToken } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { orpc, useLiveQuery } from '../../../api.ts';

/** Indexes of the collection, and explicit expirations. */
export function useIndexChoices(collection: string | null): readonly { value: string; label: string }[] {
  const { data } = useLiveQuery(
    orpc.ttlIndexes.list.queryOptions({ input: collection === null ? skipToken : { collection } }),
    { collection, everyMs: 5_000 },
  );
  return useMemo(
    () => [
      ...(data ?? []).map(({ name }) => ({ value: name, label: name })),
      { value: EXPLICIT, label: t`set by hand` },
    ],
    [data],
  );
}

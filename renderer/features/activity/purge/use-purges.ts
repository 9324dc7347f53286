import { useQuery } from '@tanstack/react-query';
import type { PurgeRecord } from '../../../../shared/contract/expired.ts';
import { orpc, useMissing } from '../../../api.ts';

const NONE: readonly PurgeRecord[] = [];

/** Purges, newest first [X4]. Polled, because no event reports the confirmation of a follower. */
export function usePurges(): readonly PurgeRecord[] {
  const enabled = useMissing('purge') === null;
  const { data } = useQuery(
    orpc.expired.purges.queryOptions({ staleTime: 0, refetchInterval: 2_000, enabled }),
  );
  return data ?? NONE;
}

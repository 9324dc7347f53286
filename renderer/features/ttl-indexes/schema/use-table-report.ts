import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import { orpc, useLive, useLiveQuery, useMissing } from '../../../api.ts';

/** Repeats a report when the build of an index has ended: that changes no rows, so that no update of the table follows. */
function useRefetchAfterBuild(
  collection: string,
  isRead: boolean,
  refetch: (options: { cancelRefetch: boolean }) => unknown,
) {
  const ended = useLive(
    ({ jobs }) =>
      [...jobs.values()].filter(
        job => job.kind === 'index build' && job.collection === collection && job.state !== 'running',
      ).length,
  );
  useEffect(() => {
    if (isRead && ended > 0) void refetch({ cancelRefetch: false });
  }, [isRead, ended, refetch]);
}

/** Returns the same before an index is created: what refers to the rows that its source makes due. */
export function useProposedReport(collection: string, source: TtlIndexDefinition['source'] | null) {
  const isGoverned = useMissing('governance') === null;
  const { data, refetch } = useQuery(
    orpc.governance.proposal.queryOptions({
      input: source === null ? skipToken : { collection, source },
      enabled: isGoverned,
    }),
  );
  useRefetchAfterBuild(collection, isGoverned && source !== null, refetch);
  return isGoverned ? (data ?? null) : null;
}

/** Returns the facts about a table of a governed database; null: until they are read, and for other engines. */
export function useTableReport(collection: string, index?: string) {
  const isGoverned = useMissing('governance') === null;
  const { data, refetch } = useLiveQuery(
    orpc.governance.table.queryOptions({ input: { collection, index }, enabled: isGoverned }),
    { collection, everyMs: 10_000 },
  );
  useRefetchAfterBuild(collection, isGoverned, refetch);
  return isGoverned ? (data ?? null) : null;
}

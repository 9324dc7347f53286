import { skipToken, useQuery } from '@tanstack/react-query';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import { orpc, useLiveQuery, useMissing } from '../../../api.ts';

/** Returns the same before an index is created: what refers to the rows that its source makes due. */
export function useProposedReport(collection: string, source: TtlIndexDefinition['source'] | null) {
  const isGoverned = useMissing('governance') === null;
  const { data } = useQuery(
    orpc.governance.proposal.queryOptions({
      input: source === null ? skipToken : { collection, source },
      enabled: isGoverned,
    }),
  );
  return isGoverned ? (data ?? null) : null;
}

/** Returns the facts about a table of a governed database; null: until they are read, and for other engines. */
export function useTableReport(collection: string, index?: string) {
  const isGoverned = useMissing('governance') === null;
  const { data } = useLiveQuery(
    orpc.governance.table.queryOptions({ input: { collection, index }, enabled: isGoverned }),
    { collection, everyMs: 10_000 },
  );
  return isGoverned ? (data ?? null) : null;
}

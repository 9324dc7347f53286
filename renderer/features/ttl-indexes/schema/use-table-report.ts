import { orpc, useLiveQuery, useMissing } from '../../../api.ts';

/** Returns the facts about a table of a governed database; null: until they are read, and for other engines. */
export function useTableReport(collection: string, index?: string) {
  const isGoverned = useMissing('governance') === null;
  const { data } = useLiveQuery(
    orpc.governance.table.queryOptions({ input: { collection, index }, enabled: isGoverned }),
    { collection, everyMs: 10_000 },
  );
  return isGoverned ? (data ?? null) : null;
}

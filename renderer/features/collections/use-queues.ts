import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ExpiredEntry } from '../../../shared/contract/metrics.ts';
import { client, liveState, orpc, useLiveQuery } from '../../api.ts';
import { isPausedOrHeld } from './is-paused-or-held.ts';

export interface ExpiringDocument {
  collection: string;
  id: string;
  at: number;
  from: string | null;
}

/** Returns the first deadline; with `overdue`, the oldest overdue one if there is one. */
function firstOf({ nextDeadlineAt, oldestOverdueAt }: CollectionSummary, overdue: boolean): number | null {
  return overdue ? (oldestOverdueAt ?? nextDeadlineAt) : nextDeadlineAt;
}

/**
 * Returns the `count` collections with the earliest deadlines, which hold the first `count` documents. Paused and held
 * ones are left out while the reaper runs.
 */
function soonest(all: Iterable<CollectionSummary>, count: number, overdue: boolean): string[] {
  return [...all]
    .filter(({ state }) => overdue || !isPausedOrHeld(state))
    .map(summary => ({ name: summary.name, at: firstOf(summary, overdue) ?? Number.POSITIVE_INFINITY }))
    .filter(({ at }) => at < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ name }) => name);
}

async function nextOf(
  collection: string,
  limit: number,
  includeExpired: boolean,
): Promise<ExpiringDocument[]> {
  const { documents } = await client.documents.list({ collection, sort: 'deadline', limit, includeExpired });
  return documents.flatMap(({ _id, deadlineAt, deadlineFrom }) =>
    deadlineAt === null ? [] : [{ collection, id: _id, at: deadlineAt, from: deadlineFrom }],
  );
}

/**
 * The next documents to be removed, of one collection or of the whole store (null). While removal is stopped, overdue
 * documents come first.
 */
export function useExpiringNext(
  collection: string | null,
  limit: number,
  stopped: boolean,
): readonly ExpiringDocument[] | undefined {
  const { data } = useLiveQuery(
    {
      queryKey: ['expiring next', collection, limit, stopped],
      queryFn: async () => {
        const known = liveState().collections?.values() ?? [];
        const where = collection === null ? soonest(known, limit, stopped) : [collection];
        const found = await Promise.all(where.map(name => nextOf(name, limit, stopped)));
        return found
          .flat()
          .sort((a, b) => a.at - b.at)
          .slice(0, limit);
      },
    },
    { collection },
  );
  return data;
}

/** The documents removed last, of one collection or of the whole store (null). */
export function useJustExpired(
  collection: string | null,
  limit: number,
): readonly ExpiredEntry[] | undefined {
  const { data } = useLiveQuery(
    orpc.metrics.expired.queryOptions({
      input: { cause: 'expired', limit, ...(collection !== null && { collection }) },
    }),
    { collection },
  );
  return data?.expired;
}

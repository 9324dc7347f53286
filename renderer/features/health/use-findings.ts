import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLive, useLiveQuery, useStoreSpace } from '../../api.ts';
import { useAtTick } from '../../components/time/clock.ts';
import { dropStaleDismissals, useDismissed } from './dismissed-store.ts';
import { findingsOf } from './findings/all.ts';
import { isDismissed } from './findings/dismissed.ts';
import type { Finding } from './findings/finding.ts';
import { readFacts } from './read-facts.ts';

const KEY = ['health', 'facts'];
/** Interval while only the number of findings is shown: each collection with an index is read, ms. */
const BACKGROUND_MS = 20_000;
export const WHILE_READ_MS = 4_000;
const MINUTE_MS = 60_000;

export interface Findings {
  /** Undefined until first read. */
  shown: readonly Finding[] | undefined;
  dismissed: readonly Finding[];
  error: unknown;
  isChecking: boolean;
  checkAgain: () => void;
}

/** Refreshes the facts: every 20 s while only their number is shown, more often while the findings are shown. */
export function useFindingsWatch(everyMs = BACKGROUND_MS): void {
  const { refetch } = useLiveQuery({ queryKey: KEY, queryFn: readFacts }, { collection: null, everyMs });
  const minute = useAtTick(now => Math.floor(now / MINUTE_MS));
  // biome-ignore lint/correctness/useExhaustiveDependencies: findings that depend on time alone are computed once a minute
  useEffect(() => {
    void refetch({ cancelRefetch: false });
  }, [minute, refetch]);
}

export function useFindings(): Findings {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: KEY,
    queryFn: readFacts,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  });
  const space = useStoreSpace();
  const store = useLive(state => state.store?.file ?? '');
  const dismissed = useDismissed(store);
  const found = useMemo(
    () => (data === undefined ? undefined : findingsOf({ ...data, space })),
    [data, space],
  );
  useEffect(() => {
    if (found !== undefined) dropStaleDismissals(store, found);
  }, [store, found]);
  return {
    shown: useMemo(() => found?.filter(finding => !isDismissed(finding, dismissed)), [found, dismissed]),
    dismissed: useMemo(
      () => found?.filter(finding => isDismissed(finding, dismissed)) ?? [],
      [found, dismissed],
    ),
    error,
    isChecking: isFetching,
    checkAgain: () => void refetch(),
  };
}

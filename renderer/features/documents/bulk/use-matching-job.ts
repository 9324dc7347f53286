import { useCallback, useSyncExternalStore } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { useLive } from '../../../api.ts';
import { inConnection } from '../../../components/navigation/location.ts';

/** The bulk change last begun in each collection: a look elsewhere loses nothing of what came of it. */
const begun = new Map<string, Job>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** That job as it is by now; null where there is none, or its result was read. */
export function useMatchingJob(collection: string): [Job | null, (job: Job | null) => void] {
  const key = inConnection(collection);
  const first = useSyncExternalStore(subscribe, () => begun.get(key) ?? null);
  const latest = useLive(({ jobs }) => (first === null ? undefined : jobs.get(first.id)));
  const keep = useCallback(
    (job: Job | null) => {
      if (job === null) begun.delete(key);
      else begun.set(key, job);
      for (const listener of listeners) listener();
    },
    [key],
  );
  const hasEnded = first !== null && first.state !== 'running';
  return [hasEnded ? first : (latest ?? first), keep];
}

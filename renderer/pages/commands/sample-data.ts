import { useSyncExternalStore } from 'react';
import { goTo, toCollection } from '../../components/navigation/location.ts';
import { loadSampleData } from '../../features/import/sample-data.ts';

type Loading = 'first run' | 'later' | null;
let loading: Loading = null;
const listeners = new Set<() => void>();

function setLoading(next: Loading): void {
  loading = next;
  for (const listener of listeners) listener();
}

/** While it loads the first page stays: half-filled collections are nothing to show a newcomer. */
export function useSampleDataLoading(): Loading {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => loading,
  );
}

/** Loads the sample data and goes where it can be watched leaving. */
export async function trySampleData(when: 'first run' | 'later' = 'later'): Promise<void> {
  if (loading !== null) return;
  setLoading(when);
  const collection = await loadSampleData();
  if (collection !== null) goTo(toCollection(collection, 'timeline', { zoom: '1m' }));
  setLoading(null);
}

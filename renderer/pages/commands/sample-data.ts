import { goTo, toCollection } from '../../components/navigation/location.ts';
import { loadSampleData } from '../../features/import/sample-data.ts';
import { createStore, useStore } from '../../state/store.ts';

type Loading = 'first run' | 'later' | null;
const loading = createStore<Loading>(null);

/**
 * Returns when the sample data were requested, while they are loading: the start page stays, although collections are
 * partly filled.
 */
export function useSampleDataLoading(): Loading {
  return useStore(loading);
}

/** Loads the sample data and opens its timeline. */
export async function trySampleData(when: 'first run' | 'later' = 'later'): Promise<void> {
  if (loading.get() !== null) return;
  loading.set(when);
  const collection = await loadSampleData();
  if (collection !== null) goTo(toCollection(collection, 'timeline', { zoom: '1m' }));
  loading.set(null);
}

import { goTo, toCollection } from '../../components/navigation/location.ts';
import { loadSampleData } from '../../features/import/sample-data.ts';
import { createStore, useStore } from '../../state/store.ts';

type Loading = 'first run' | 'later' | null;
const loading = createStore<Loading>(null);

/** While it loads the first page stays: half-filled collections are nothing to show a newcomer. */
export function useSampleDataLoading(): Loading {
  return useStore(loading);
}

/** Loads the sample data and goes where it can be watched leaving. */
export async function trySampleData(when: 'first run' | 'later' = 'later'): Promise<void> {
  if (loading.get() !== null) return;
  loading.set(when);
  const collection = await loadSampleData();
  if (collection !== null) goTo(toCollection(collection, 'timeline', { zoom: '1m' }));
  loading.set(null);
}

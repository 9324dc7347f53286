import { goTo, toCollection } from '../../components/navigation/location.ts';
import { loadSampleData } from '../../features/import/sample-data.ts';
import { createStore, useStore } from '../../state/store.ts';

type Loading = 'first run' | 'later' | null;
const loading = createStore<Loading>(null);

/** Keeps the start page while collections are partly filled. */
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

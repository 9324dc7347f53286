import { goTo, toCollection } from '../components/location.ts';
import { loadSampleData } from '../features/import/sample-data.ts';

/** Loads the sample data and goes where it can be watched leaving. */
export async function trySampleData(): Promise<void> {
  const collection = await loadSampleData();
  if (collection !== null) goTo(toCollection(collection, 'timeline', { zoom: '1m' }));
}

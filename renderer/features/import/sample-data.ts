import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';

/** Loads the sample data. Returns its collection; null after a failure, which a toast reported. */
export async function loadSampleData(): Promise<string | null> {
  try {
    const { collection, documents, indexes } = await client.store.loadSampleData({});
    showToast({
      kind: 'good',
      title: 'Sample data loaded',
      detail: `${formatCount(documents)} documents, ${indexes} TTL ${indexes === 1 ? 'index' : 'indexes'}. Showing ${collection}.`,
    });
    return collection;
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: 'Loading the sample data failed', detail: message, code });
    return null;
  }
}

import { formatCount } from '../../../shared/model/format.ts';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';

/** Loads the sample data and says where it is; null where it could not, which has then been said. */
export async function loadSampleData(): Promise<string | null> {
  try {
    const { collection, documents, indexes } = await client.store.loadSampleData({});
    showToast({
      kind: 'good',
      title: 'Sample data loaded',
      detail: `${formatCount(documents)} documents under ${indexes} TTL ${indexes === 1 ? 'index' : 'indexes'}. This is ${collection}.`,
    });
    return collection;
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: 'Sample data not loaded', detail: message, code });
    return null;
  }
}

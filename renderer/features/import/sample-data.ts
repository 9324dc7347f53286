import { plural, t } from '@lingui/core/macro';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';

/** Loads the sample data. Returns its collection; null after a failure, which a toast reported. */
export async function loadSampleData(): Promise<string | null> {
  try {
    const { collection, documents, indexes } = await client.store.loadSampleData({});
    showToast({
      kind: 'good',
      title: t`Sample data loaded`,
      detail: t`${formatCount(documents)} documents, ${plural(indexes, { one: '# TTL index', other: '# TTL indexes' })}. Showing ${collection}.`,
    });
    return collection;
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`Loading the sample data failed`, detail: message, code });
    return null;
  }
}

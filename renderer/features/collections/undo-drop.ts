import { t } from '@lingui/core/macro';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';

/** Restores the collection dropped last under this name [X4]. */
export async function undoDrop(name: string): Promise<void> {
  try {
    const dropped = (await client.collections.dropped()).filter(collection => collection.name === name);
    const [latest] = dropped.sort((a, b) => b.droppedAt - a.droppedAt);
    if (latest === undefined) throw new Error(t`Its copies are no longer kept.`);
    await client.collections.restore({ id: latest.id });
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`Collection not restored`, detail: `${name}: ${message}`, code });
  }
}

import { t } from '@lingui/core/macro';
import type { ConnectionRecord, ServerSecrets } from '../../../shared/contract/connections.ts';
import { connectionsClient, liveState, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';

/** Opens a store that is closed or failed, a server with its secrets, and shows the error if that fails. */
export async function openConnection(
  { id, name }: ConnectionRecord,
  secrets: ServerSecrets = {},
): Promise<void> {
  try {
    const { state } = await connectionsClient().open({ id, ...secrets });
    if (state.is === 'failed') {
      showToast({
        kind: 'error',
        title: t`${name} cannot be opened`,
        detail: state.message,
        code: state.code,
      });
    }
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`${name} cannot be opened`, detail: message, code });
  }
}

export async function closeConnection(record: ConnectionRecord): Promise<void> {
  const { id, name } = record;
  try {
    await connectionsClient().close({ id });
    // The page of the connection shows the error itself.
    if (liveState().at === id) return;
    showToast({
      kind: 'info',
      title: t`${name} closed`,
      detail: t`Nothing expires there until it is opened again. Other programs can open its file.`,
      actions: [{ label: t`Open`, onSelect: () => void openConnection(record) }],
    });
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`${name} was not closed`, detail: message, code });
  }
}

import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { connectionsClient, liveState, problemOf } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';

/** Opens a store that is closed or failed, and says so where it cannot. */
export async function openConnection({ id, name }: ConnectionRecord): Promise<void> {
  try {
    const { state } = await connectionsClient().open({ id });
    if (state.is === 'failed') {
      showToast({
        kind: 'error',
        title: `${name} cannot be opened`,
        detail: state.message,
        code: state.code,
      });
    }
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: `${name} cannot be opened`, detail: message, code });
  }
}

export async function closeConnection(record: ConnectionRecord): Promise<void> {
  const { id, name } = record;
  try {
    await connectionsClient().close({ id });
    // Who looks at it sees it there.
    if (liveState().at === id) return;
    showToast({
      kind: 'info',
      title: `${name} is closed`,
      detail: 'Nothing expires there until it is opened again. Its file is free for others.',
      actions: [{ label: 'Open again', onSelect: () => void openConnection(record) }],
    });
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: `${name} was not closed`, detail: message, code });
  }
}

import { type ConnectionRecord, HOME_CONNECTION } from '../../../../shared/contract/connections.ts';

/** Whether what can be read of the store of a connection can be saved: it is a file that is damaged. */
export function isDamaged({ id, state, target }: ConnectionRecord): boolean {
  return (
    id !== HOME_CONNECTION &&
    target.kind === 'file' &&
    state.is === 'failed' &&
    state.code === 'STORE_UNREADABLE'
  );
}

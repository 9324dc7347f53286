import type { ConnectionRecord } from '../../shared/contract/connections.ts';
import { useLive } from './live-store.ts';

/** The connection that the window is with; undefined while the list was not told, or where it is not in it. */
export function useCurrentConnection(): ConnectionRecord | undefined {
  return useLive(({ at, connections }) => connections?.find(({ id }) => id === at));
}

/** Whether this caller may add, change and remove connections. What the store itself takes has no part in it. */
export function useMayConnect(): boolean {
  return useLive(({ store }) => store === null || store.permission === 'configure');
}

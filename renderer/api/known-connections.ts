import { type ConnectionRecord, HOME_CONNECTION } from '../../shared/contract/connections.ts';
import { permits } from '../../shared/contract/permissions.ts';
import type { LiveState } from './live-state.ts';
import { useLive } from './live-store.ts';

/** The connection that the window is with; undefined while the list was not told, or where it is not in it. */
export function useCurrentConnection(): ConnectionRecord | undefined {
  return useLive(({ at, connections }) => connections?.find(({ id }) => id === at));
}

/**
 * Whether the window is with a further connection that is not there to be looked at: closed, failed, still opening, or
 * none that is known. What was known of its store is no longer shown then.
 */
export function isAway({ at, connection, connections }: LiveState): boolean {
  if (at === HOME_CONNECTION || connection.is === 'open' || connections === null) return false;
  return connections.find(({ id }) => id === at)?.state.is !== 'open';
}

export function useAway(): boolean {
  return useLive(isAway);
}

/**
 * Whether this caller may add, change and remove connections. What the store itself takes has no part in it. Who came with
 * a further store's token may not, and is not told of home [P2].
 */
export function mayConnect({ store, connections }: LiveState): boolean {
  const isOfOneStore = connections?.every(({ id }) => id !== HOME_CONNECTION) === true;
  return !isOfOneStore && (store === null || permits(store.permission, 'configure'));
}

export function useMayConnect(): boolean {
  return useLive(mayConnect);
}

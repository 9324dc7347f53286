import { type ConnectionRecord, HOME_CONNECTION } from '../../shared/contract/connections.ts';
import { permits } from '../../shared/contract/permissions.ts';
import type { LiveState } from './live-state.ts';
import { useLive } from './live-store.ts';

/** The current connection; undefined while the list is not known or does not contain it. */
export function useCurrentConnection(): ConnectionRecord | undefined {
  return useLive(({ at, connections }) => connections?.find(({ id }) => id === at));
}

/**
 * Whether the current connection is not home and is closed, failed, opening or unknown. The data of its store is not
 * shown then.
 * @internal
 */
export function isAway({ at, connection, connections }: LiveState): boolean {
  if (at === HOME_CONNECTION || connection.is === 'open' || connections === null) return false;
  return connections.find(({ id }) => id === at)?.state.is !== 'open';
}

export function useAway(): boolean {
  return useLive(isAway);
}

/**
 * Whether the session may add, change and remove connections, independent of the permissions for the current store. A
 * session with the token of another store may not, and cannot read the list [P2].
 * @internal
 */
export function mayConnect({ store, connections }: LiveState): boolean {
  const isOfOneStore = connections?.every(({ id }) => id !== HOME_CONNECTION) === true;
  return !isOfOneStore && (store === null || permits(store.permission, 'configure'));
}

export function useMayConnect(): boolean {
  return useLive(mayConnect);
}

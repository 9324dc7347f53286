import { PERMISSION_CHAIN, type Permission } from '../../shared/contract/base.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { useLive } from './live-store.ts';

const CHAIN: readonly Permission[] = PERMISSION_CHAIN;

/**
 * Why this caller may not do what needs that permission, for a person; null: they may. The engine refuses it whatever the
 * window thinks [P1, V5]; this only spares people the asking.
 */
export function refusalOf(
  store: Pick<StoreInfo, 'permission' | 'role' | 'leader' | 'user' | 'name' | 'readOnly'> | null,
  needed: Permission,
): string | null {
  if (store === null || needed === 'read') return null;
  if (store.role === 'follower') {
    return `This store mirrors the one at ${store.leader?.url ?? 'another host'} and takes no changes of its own. Make them there.`;
  }
  if (store.readOnly) {
    return `This connection is read-only: nothing is written to ${store.name}, and nothing expires there by Sandglass. Edit the connection to change that.`;
  }
  if (CHAIN.indexOf(store.permission) >= CHAIN.indexOf(needed)) return null;
  return `This needs the permission ${needed}; ${store.user} has ${store.permission}.`;
}

export function useRefusal(needed: Permission): string | null {
  return useLive(({ store }) => refusalOf(store, needed));
}

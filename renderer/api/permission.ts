import { t } from '@lingui/core/macro';
import {
  ALL_INDEX_CHOICES,
  type Capabilities,
  EMBEDDED_CAPABILITIES,
  type Feature,
  type IndexChoices,
  missingBecause,
} from '../../shared/contract/capabilities.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { permits } from '../../shared/contract/permissions.ts';
import { type ProcedureName, procedureFacts } from '../../shared/contract/procedure-facts.ts';
import { useLive } from './live-store.ts';

/**
 * Returns the reason why this caller may not make that call, as a sentence; null if the call is permitted, or the store
 * is not known yet. The engine checks every call itself [P1, P2, V5]; the window only disables calls that would be
 * refused. @internal
 */
export function refusalOf(
  store: Pick<
    StoreInfo,
    'permission' | 'role' | 'leader' | 'user' | 'name' | 'readOnly' | 'capabilities'
  > | null,
  call: ProcedureName,
): string | null {
  if (store === null) return null;
  const { permission, writes, feature } = procedureFacts(call);
  const missing = feature === null ? null : missingBecause(store.capabilities, feature);
  if (missing !== null) return missing;
  if (writes && store.role === 'follower') {
    return store.leader === null
      ? t`This store is a follower of another host. Make changes there.`
      : t`This store is a follower of ${store.leader.url}. Make changes there.`;
  }
  if (writes && store.readOnly) {
    return t`This connection is read-only: Sandglass neither writes to ${store.name} nor removes documents there. Edit the connection to change that.`;
  }
  if (permits(store.permission, permission)) return null;
  return t`This needs the permission ${permission}; ${store.user} has ${store.permission}.`;
}

/**
 * Returns the reason why the engine of this connection lacks a feature; null if the feature exists, or the store is not
 * known yet.
 */
export function useMissing(feature: Feature): string | null {
  return useLive(({ store }) => (store === null ? null : missingBecause(store.capabilities, feature)));
}

/** Returns what the form of a TTL index offers on this connection; everything while the store is not known yet. */
export function useIndexChoices(): IndexChoices {
  return useLive(({ store }) => store?.capabilities.indexChoices ?? ALL_INDEX_CHOICES);
}

/** Returns what can happen if the id of a restored document is in use again. */
export function useRestoreConflicts(): Capabilities['restoreConflicts'] {
  return useLive(({ store }) => store?.capabilities ?? EMBEDDED_CAPABILITIES).restoreConflicts;
}

/** Returns the engine's words for documents and collections; undefined while the store is not known yet. */
export function useWords(): Capabilities['words'] | undefined {
  return useLive(({ store }) => store?.capabilities.words);
}

export function useRefusal(call: ProcedureName): string | null {
  return useLive(({ store }) => refusalOf(store, call));
}

import type { Policy } from '../../../shared/contract/policy.ts';
import { type Counting, indexDifferences } from './index-differences.ts';
import type { PolicyDifference } from './policy-difference.ts';
import type { PolicyStore } from './policy-store.ts';
import { ttlDifferences } from './ttl-differences.ts';

/**
 * Returns the differences between a store and a policy. Rejects with CANCELLED if the signal of `counting` aborts, and
 * with INVALID_TTL_INDEX.
 */
export async function comparePolicy(
  store: PolicyStore,
  policy: Policy,
  counting: Counting,
): Promise<PolicyDifference[]> {
  const { indexes } = store;
  const rules =
    indexes === null
      ? await ttlDifferences(store, policy)
      : await indexDifferences(store, indexes, policy, counting);
  return [...notSupported(store, policy), ...rules];
}

/** Returns the number of documents that applying makes due, by collection. */
export function dueByApplying(differences: readonly PolicyDifference[]): Map<string, number> {
  const due = new Map<string, number>();
  for (const { drift, change } of differences)
    if (change !== null) due.set(drift.collection, (due.get(drift.collection) ?? 0) + (drift.due ?? 0));
  return due;
}

/** Rules of the policy for which the engine has no equivalent. */
function notSupported({ backend, indexes }: PolicyStore, { collections }: Policy): PolicyDifference[] {
  const { features } = backend.capabilities;
  const reason = features.ttlIndexes.is === 'no' ? features.ttlIndexes.because : '';
  return Object.entries(collections)
    .filter(([, { ttl, ttlIndexes }]) => (indexes === null ? ttlIndexes : ttl) !== undefined)
    .map(([collection]) => ({
      drift: {
        collection,
        index: null,
        is: 'not supported',
        documents: 0,
        due: 0,
        sentence:
          indexes === null
            ? `The policy has TTL indexes for ${collection}, which this engine does not have.`
            : `The policy states TTLs for ${collection}; in this store, TTL indexes give deadlines.`,
        obstacle: indexes === null ? reason : 'Define TTL indexes for it instead.',
      },
      change: null,
    }));
}

import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import {
  type CollectionPolicy,
  type IndexPolicy,
  MOST_POLICY_COLLECTIONS,
  type Policy,
  type TtlPolicy,
} from '../../../shared/contract/policy.ts';
import type { GovernedDefinition } from '../backends/backend.ts';
import type { PolicyIndexes, PolicyStore } from './policy-store.ts';

/**
 * Returns the present expiration as a policy, of the collections with the most documents if there are too many. Keys
 * have the TTLs of the expected policy; without one, the rule that all present keys follow.
 */
export async function presentPolicy(store: PolicyStore): Promise<{ policy: Policy; omitted: number }> {
  const { backend, clock, indexes } = store;
  const now = clock.now();
  const found = await backend.reads.summaries(null, now);
  const largest = [...found]
    .sort((a, b) => b.documents - a.documents)
    .slice(0, MOST_POLICY_COLLECTIONS)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const collections =
    indexes !== null
      ? await presentIndexes(indexes, largest)
      : (store.expected?.policy.collections ?? (await presentTtls(store, largest, now)));
  return { policy: { version: 1, collections }, omitted: found.length - largest.length };
}

type Collections = Record<string, CollectionPolicy>;

async function presentIndexes(
  indexes: PolicyIndexes,
  found: readonly CollectionSummary[],
): Promise<Collections> {
  const collections: Collections = {};
  for (const { name } of found) {
    const definitions = await indexes.definitions(name);
    collections[name] = { ttlIndexes: Object.fromEntries(definitions.map(one => [one.name, policyOf(one)])) };
  }
  return collections;
}

function policyOf({ source, onExpire, schedule, limits, retention, partitions }: GovernedDefinition) {
  const common = { source, onExpire, schedule, limits, retention };
  return (partitions === undefined ? common : { ...common, partitions }) satisfies IndexPolicy;
}

async function presentTtls(
  { backend }: PolicyStore,
  found: readonly CollectionSummary[],
  now: number,
): Promise<Collections> {
  const collections: Collections = {};
  for (const { name, documents, withDeadline } of found) {
    if (withDeadline === 0) continue;
    const { latestAt } = await backend.reads.timeline(
      { collection: name, from: now, to: now + 1, buckets: 1 },
      now,
    );
    const ttl: TtlPolicy = { required: withDeadline === documents };
    if (latestAt !== null && latestAt > now) ttl.longest = roundUp((latestAt - now) / 1000);
    if (ttl.required || ttl.longest !== undefined) collections[name] = { ttl };
  }
  return collections;
}

/** Rounds seconds up to the next whole minute, hour or day, whichever they exceed. */
function roundUp(seconds: number): number {
  const step = [86_400, 3_600, 60].find(size => seconds > size) ?? 1;
  return Math.ceil(seconds / step) * step;
}

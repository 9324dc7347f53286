import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { CollectionPolicy, Policy, TtlPolicy } from '../../../shared/contract/policy.ts';
import { SOON_MS } from '../../../shared/model/confirmation-rule.ts';
import { formatExactDuration } from '../../../shared/model/duration.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { PolicyDifference } from './policy-difference.ts';
import type { PolicyStore } from './policy-store.ts';

/** A deadline this much later than allowed is no difference: clocks differ, and etcd's deadlines are whole seconds. */
const TOLERANCE_MS = 2_000;

/** Returns the keys that break the TTLs of a policy, by collection. Collections without keys follow every rule. */
export async function ttlDifferences(
  store: PolicyStore,
  { collections }: Policy,
): Promise<PolicyDifference[]> {
  const { backend, clock } = store;
  const now = clock.now();
  const ruleOf = ruleFinder(collections);
  const differences: PolicyDifference[] = [];
  for (const summary of await backend.reads.summaries(null, now)) {
    const ttl = ruleOf(summary.name)?.ttl;
    if (ttl !== undefined) differences.push(...(await ofKeys(store, summary, ttl, now)));
  }
  return differences;
}

/** Returns the function that finds the entry of a collection: the one of its name, else the first pattern that matches. */
function ruleFinder(
  collections: Policy['collections'],
): (collection: string) => CollectionPolicy | undefined {
  const patterns = Object.entries(collections).filter(([name]) => name.includes('*'));
  return collection =>
    Object.hasOwn(collections, collection)
      ? collections[collection]
      : patterns.find(([pattern]) => matchesPattern(pattern, collection))?.[1];
}

/** Whether a name matches a pattern in which `*` stands for any text; in one pass over the name. */
function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.startsWith(first) && name.endsWith(last) && from + last.length <= name.length;
}

async function ofKeys(
  { backend }: PolicyStore,
  { name, documents, withDeadline, pinned }: CollectionSummary,
  { required, longest }: TtlPolicy,
  now: number,
): Promise<PolicyDifference[]> {
  const differences: PolicyDifference[] = [];
  const { record } = backend.capabilities.words;
  const counted = (count: number) =>
    `${formatCount(count)} of ${formatCount(documents)} ${record}s of ${name}`;
  const laterThan = async (at: number) => {
    if (withDeadline === 0) return 0;
    const range = { collection: name, from: at, buckets: 1 };
    const { latestAt } = await backend.reads.timeline({ ...range, to: at + 1 }, now);
    if (latestAt === null || latestAt < at) return 0;
    const { buckets } = await backend.reads.timeline({ ...range, to: latestAt + 1 }, now);
    return buckets.reduce((sum, { due }) => sum + due, 0);
  };
  const without = documents - withDeadline - pinned;
  const isSoon = longest !== undefined && longest * 1000 <= SOON_MS;
  if (required && without > 0) {
    differences.push({
      drift: {
        collection: name,
        index: null,
        is: 'keys without TTL',
        documents: without,
        due: isSoon ? without : 0,
        sentence: `${counted(without)} have no TTL.`,
        obstacle: longest === undefined ? 'The policy gives no longest TTL, so there is none to set.' : null,
      },
      change: longest === undefined ? null : { do: 'set TTL', filter: { state: 'never' }, after: longest },
    });
  }
  if (longest === undefined) return differences;
  const from = now + longest * 1000 + TOLERANCE_MS;
  const later = await laterThan(from);
  if (later > 0) {
    differences.push({
      drift: {
        collection: name,
        index: null,
        is: 'TTL too long',
        documents: later,
        due: isSoon ? await laterThan(Math.max(from, now + SOON_MS)) : 0,
        sentence: `${counted(later)} expire later than ${formatExactDuration(longest)} from now.`,
        obstacle: null,
      },
      change: { do: 'set TTL', filter: { dueFrom: from }, after: longest },
    });
  }
  return differences;
}

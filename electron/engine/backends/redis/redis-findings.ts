import type { EngineFinding } from '../../../../shared/contract/capabilities.ts';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { notificationCoverage } from './server/notify-flags.ts';
import type { ServerFacts } from './server/server-facts.ts';

/** Keys of one prefix that never expire. */
export interface NeverExpiring {
  readonly name: string;
  readonly keys: number;
  /** Memory, estimated from a sample; null: not known. */
  readonly bytes: number | null;
}

/** Keys of one prefix without a deadline, from which on a finding names the prefix. */
const MANY_KEYS = 1_000;
/** Prefixes named in one finding. */
export const MOST_NAMED = 3;
/** Share of the maximum memory from which on a finding warns: a full server evicts keys or refuses writes. */
const NEARLY_FULL = 0.9;

export interface FindingsInput {
  readonly facts: ServerFacts;
  /** By `neverExpiring`, with their bytes. */
  readonly never: readonly NeverExpiring[];
  /** Redis 7.0 and later. */
  readonly hasNewKeyClass: boolean;
  /** All masters of a cluster are read. */
  readonly isWhole: boolean;
}

/** Returns the facts about the server's configuration and its keys that concern expiry. */
export function redisFindings({ facts, never, hasNewKeyClass, isWhole }: FindingsInput): EngineFinding[] {
  return [
    notifications(facts, hasNewKeyClass),
    evictionPolicy(facts),
    evictions(facts),
    expireEffort(facts),
    replica(facts),
    isWhole ? null : clusterNode(facts),
    withoutDeadline(never),
  ].filter(finding => finding !== null);
}

/** Returns the prefixes with many keys that never expire, those with the most first. */
export function neverExpiring(summaries: readonly CollectionSummary[]): NeverExpiring[] {
  return summaries
    .map(({ name, documents, withDeadline }) => ({ name, keys: documents - withDeadline, bytes: null }))
    .filter(({ keys }) => keys >= MANY_KEYS)
    .sort((a, b) => b.keys - a.keys);
}

function notifications({ notifyFlags }: ServerFacts, hasNewKeyClass: boolean): EngineFinding | null {
  if (notifyFlags.is === 'refused') {
    return {
      id: 'notifications unknown',
      severity: 'info',
      sentence:
        'This user may not read whether the server notifies of changes, so keys are scanned at an interval.',
      advice: 'Grant CONFIG GET to this user.',
    };
  }
  const { isComplete, wanted } = notificationCoverage(notifyFlags.value, hasNewKeyClass);
  if (isComplete) return null;
  return {
    id: 'notifications off',
    remedy: 'notifications',
    severity: 'warning',
    sentence:
      'The server does not notify of every change of a deadline, so keys are scanned at an interval, and changes between two scans are missed.',
    advice: `CONFIG SET notify-keyspace-events ${wanted} turns it on until the server restarts. Each write then sends one message to Sandglass, which costs the server about as much as a small reply.`,
  };
}

function evictionPolicy({
  maxMemoryPolicy,
  maxMemory,
  usedMemory,
  databases,
}: ServerFacts): EngineFinding | null {
  if (maxMemoryPolicy.is === 'refused' || maxMemory.is === 'refused' || maxMemory.value === 0) return null;
  const counts = databases.is === 'known' ? databases.value : [];
  const never = counts.reduce((sum, { keys, withDeadline }) => sum + keys - withDeadline, 0);
  const isNearlyFull = usedMemory.is === 'known' && usedMemory.value > maxMemory.value * NEARLY_FULL;
  const severity = isNearlyFull ? 'warning' : 'info';
  if (maxMemoryPolicy.value.startsWith('volatile-') && never > 0) {
    return {
      id: 'eviction spares keys without a deadline',
      severity,
      sentence: `maxmemory-policy is ${maxMemoryPolicy.value}: when memory is full, only keys with a deadline are evicted. ${number(never)} keys without one stay, and once they fill the memory, writes fail.`,
      advice: 'Give these keys a deadline, or set maxmemory-policy to allkeys-lru or allkeys-lfu.',
    };
  }
  if (maxMemoryPolicy.value !== 'noeviction') return null;
  return {
    id: 'no eviction',
    severity,
    sentence: 'maxmemory-policy is noeviction: when memory is full, nothing is evicted and writes fail.',
    advice: isNearlyFull ? 'Raise maxmemory, or give more keys a deadline.' : null,
  };
}

function evictions({ evictedKeys }: ServerFacts): EngineFinding | null {
  if (evictedKeys.is === 'refused' || evictedKeys.value === 0) return null;
  return {
    id: 'evictions',
    severity: 'info',
    sentence: `The server has evicted ${number(evictedKeys.value)} keys since it started: its memory was full, so they left before their deadline.`,
    advice: 'Raise maxmemory, or give keys shorter deadlines.',
  };
}

function expireEffort({ activeExpireEffort }: ServerFacts): EngineFinding | null {
  if (activeExpireEffort.is === 'refused' || activeExpireEffort.value <= 1) return null;
  return {
    id: 'active-expire-effort',
    severity: 'info',
    sentence: `active-expire-effort is ${activeExpireEffort.value} of 10: expired keys are found sooner, for more of the server's CPU.`,
    advice: null,
  };
}

function replica({ identity }: ServerFacts): EngineFinding | null {
  if (identity.is === 'refused' || identity.value.role === 'master') return null;
  return {
    id: 'replica',
    severity: 'info',
    sentence:
      'This server is a replica: it takes no writes, and keeps an expired key until its master deletes it; reads find no such key, but it is counted and takes memory. The lag of expiry cannot be measured here.',
    advice: 'Connect to the master to change keys and to measure lag.',
  };
}

function clusterNode({ identity }: ServerFacts): EngineFinding | null {
  if (identity.is === 'refused' || identity.value.mode !== 'cluster') return null;
  return {
    id: 'cluster node',
    severity: 'warning',
    sentence: 'This server is one node of a cluster: only the keys of its own slots are shown.',
    advice: 'Connect with an address that begins with redis+cluster://, to see all keys.',
  };
}

function withoutDeadline(prefixes: readonly NeverExpiring[]): EngineFinding | null {
  if (prefixes.length === 0) return null;
  const total = prefixes.reduce((sum, { keys }) => sum + keys, 0);
  const named = prefixes
    .slice(0, MOST_NAMED)
    .map(
      ({ name, keys, bytes }) =>
        `${name} (${number(keys)}${bytes === null ? '' : `, about ${mebibytes(bytes)}`})`,
    )
    .join(', ');
  const others = prefixes.length > MOST_NAMED ? ` and ${prefixes.length - MOST_NAMED} more` : '';
  return {
    id: 'keys without a deadline',
    severity: 'info',
    sentence: `${number(total)} keys never expire: ${named}${others}.`,
    advice: 'Set an expiration on those that need not stay.',
  };
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function mebibytes(bytes: number): string {
  return `${number(Math.max(1, Math.round(bytes / 1_048_576)))} MiB`;
}

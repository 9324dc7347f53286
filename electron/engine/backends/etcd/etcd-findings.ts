import type { EngineFinding } from '../../../../shared/contract/capabilities.ts';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';
import type { LeaderChange } from './follow/etcd-follower.ts';
import type { ClusterFacts, ServerFacts } from './server/server-facts.ts';

/** Keys of one prefix without a lease, from which on a finding names the prefix. */
const MANY_KEYS = 1_000;
/** Keys of one lease, from which on a finding names the lease: they are all removed at once. */
const MANY_KEYS_A_LEASE = 100;
/** Prefixes named in one finding. */
const MOST_NAMED = 3;
/** Share of the quota from which on a finding warns: a database over its quota refuses writes. */
const NEARLY_FULL = 0.9;
/** Lateness of measurements from which on deadlines may be out of date. */
const LATE_MS = 30_000;

export interface FindingsInput {
  readonly facts: ServerFacts;
  readonly cluster: ClusterFacts;
  readonly summaries: readonly CollectionSummary[];
  /** Leases with the most keys, most first. */
  readonly largestLeases: readonly { readonly id: string; readonly keys: number }[];
  /** How late the latest measurement of a lease is, ms. */
  readonly latenessMs: number;
  readonly leaderChange: LeaderChange | null;
}

/** Returns the facts about the cluster and its keys that concern expiry. */
export function etcdFindings(input: FindingsInput): EngineFinding[] {
  return [
    alarms(input),
    quota(input),
    noLeader(input),
    leaderChanged(input),
    unknownCheckpoints(input),
    lateMeasurements(input),
    largeLeases(input),
    withoutLease(input),
  ].filter(finding => finding !== null);
}

function alarms({ cluster }: FindingsInput): EngineFinding | null {
  const raised = new Set(cluster.alarms?.map(({ alarm }) => alarm));
  if (raised.has('NOSPACE')) {
    return {
      id: 'quota alarm',
      severity: 'warning',
      sentence:
        'The database is over its quota: the cluster takes deletions, and no other writes. Leases still expire, and none can be granted.',
      advice: 'Compact and defragment it, or raise --quota-backend-bytes; then run etcdctl alarm disarm.',
    };
  }
  if (!raised.has('CORRUPT')) return null;
  return {
    id: 'corruption alarm',
    severity: 'warning',
    sentence: 'The members of the cluster disagree about its data (alarm CORRUPT), and it takes no writes.',
    advice: 'Replace the corrupt member, then run etcdctl alarm disarm.',
  };
}

function quota({ facts: { dbBytes, quotaBytes }, cluster }: FindingsInput): EngineFinding | null {
  if (quotaBytes === null || dbBytes < quotaBytes * NEARLY_FULL || (cluster.alarms?.length ?? 0) > 0)
    return null;
  return {
    id: 'quota nearly reached',
    severity: 'warning',
    sentence: `The database uses ${Math.floor((100 * dbBytes) / quotaBytes)} % of its quota. At 100 % the cluster takes no more writes.`,
    advice: 'Compact and defragment it, or raise --quota-backend-bytes.',
  };
}

function noLeader({ facts: { leaderId } }: FindingsInput): EngineFinding | null {
  if (leaderId !== null) return null;
  return {
    id: 'no leader',
    severity: 'warning',
    sentence: 'The cluster has no leader: no lease expires, and nothing is written, until one is elected.',
    advice: 'Start the members that are missing; more than half of them are needed.',
  };
}

function leaderChanged({ leaderChange }: FindingsInput): EngineFinding | null {
  if (leaderChange === null) return null;
  const { at, extendedLeases } = leaderChange;
  const extended =
    extendedLeases === 0
      ? 'No deadline was seen to move later.'
      : `${extendedLeases.toLocaleString('en')} leases end later since.`;
  return {
    id: 'new leader',
    severity: 'info',
    sentence: `A new leader was elected at ${formatInstantInFull(at, 'utc')}. It starts the duration of every lease again, unless checkpoints of leases are turned on. ${extended}`,
    advice:
      extendedLeases === 0
        ? null
        : 'Start every member with --experimental-enable-lease-checkpoint, so that a lease keeps its remaining time.',
  };
}

/** Until a leader has changed nothing shows it: neither status nor metrics name the setting. */
function unknownCheckpoints({ leaderChange, largestLeases }: FindingsInput): EngineFinding | null {
  if (leaderChange !== null || largestLeases.length === 0) return null;
  return {
    id: 'lease checkpoints unknown',
    severity: 'info',
    sentence:
      'etcd does not report whether checkpoints of leases are turned on. Without them a new leader starts the duration of every lease again; that is shown here once it has happened.',
    advice: 'They are on if every member was started with --experimental-enable-lease-checkpoint.',
  };
}

function lateMeasurements({ latenessMs }: FindingsInput): EngineFinding | null {
  if (latenessMs < LATE_MS) return null;
  return {
    id: 'leases measured late',
    severity: 'warning',
    sentence: `There are more leases than can be measured in time: deadlines are up to ${Math.round(latenessMs / 1_000)} s out of date, since etcd reports no keep-alives.`,
    advice: null,
  };
}

function largeLeases({ largestLeases }: FindingsInput): EngineFinding | null {
  const large = largestLeases.filter(({ keys }) => keys >= MANY_KEYS_A_LEASE);
  const [largest] = large;
  if (largest === undefined) return null;
  const others =
    large.length === 1 ? '' : ` ${large.length - 1} more leases have at least ${MANY_KEYS_A_LEASE}.`;
  return {
    id: 'leases with many keys',
    severity: 'info',
    sentence: `${largest.keys.toLocaleString('en')} keys hang on one lease, and leave at once when it ends.${others}`,
    advice: null,
  };
}

function withoutLease({ summaries }: FindingsInput): EngineFinding | null {
  const found = summaries
    .map(({ name, documents, withDeadline }) => ({ name, never: documents - withDeadline }))
    .filter(({ never }) => never >= MANY_KEYS)
    .sort((a, b) => b.never - a.never);
  if (found.length === 0) return null;
  const total = found.reduce((sum, { never }) => sum + never, 0);
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ name, never }) => `${name} (${never.toLocaleString('en')})`)
    .join(', ');
  const others = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more prefixes` : '';
  return {
    id: 'keys without a lease',
    severity: 'info',
    sentence: `${total.toLocaleString('en')} keys have no lease and never expire: ${named}${others}.`,
    advice: 'Where they should expire, set an expiration on them, which grants each a lease of its own.',
  };
}

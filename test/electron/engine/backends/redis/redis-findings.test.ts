import { describe, expect, it } from 'vitest';
import {
  neverExpiring,
  redisFindings,
} from '../../../../../electron/engine/backends/redis/redis-findings.ts';
import type { Fact, ServerFacts } from '../../../../../electron/engine/backends/redis/server/server-facts.ts';
import type { CollectionSummary } from '../../../../../shared/contract/collections.ts';

const known = <Value>(value: Value): Fact<Value> => ({ is: 'known', value });
const QUIET: ServerFacts = {
  identity: known({
    version: '7.0.15',
    runId: 'a',
    role: 'master',
    source: '',
    mode: 'standalone',
    name: 'redis',
  }),
  databases: known([]),
  notifyFlags: known('AKE'),
  maxMemory: known(0),
  maxMemoryPolicy: known('noeviction'),
  activeExpireEffort: known(1),
  databaseCount: known(16),
  usedMemory: known(1_000_000),
  evictedKeys: known(0),
};

function summary(name: string, documents: number, withDeadline: number): CollectionSummary {
  return {
    name,
    documents,
    withDeadline,
    bytes: 0,
    pinned: 0,
    overdue: 0,
    oldestOverdueAt: null,
    actionDueAt: null,
    passEveryMs: null,
    quarantined: 0,
    nextDeadlineAt: null,
    nextDeadlineFrom: null,
    ttlIndexes: 0,
    state: 'none',
    paused: null,
    holds: [],
    recounting: false,
    createdAt: 0,
  };
}

const findings = (facts: Partial<ServerFacts>, summaries: CollectionSummary[] = []) =>
  redisFindings({
    facts: { ...QUIET, ...facts },
    never: neverExpiring(summaries),
    hasNewKeyClass: true,
    isWhole: false,
  });
const ids = (facts: Partial<ServerFacts>, summaries: CollectionSummary[] = []) =>
  findings(facts, summaries).map(({ id, severity }) => `${severity}: ${id}`);

describe('findings about a Redis server', () => {
  it('are empty where no setting concerns expiry', () => {
    expect(ids({}, [summary('session', 10, 10)])).toEqual([]);
  });

  it('name the flags that turn notifications on', () => {
    const [finding] = findings({ notifyFlags: known('Kx') });
    expect(finding).toMatchObject({
      severity: 'warning',
      advice: expect.stringMatching(/^CONFIG SET notify-keyspace-events KxEg\$lszen turns it on/),
    });
    expect(ids({ notifyFlags: { is: 'refused', reason: 'NOPERM' } })).toEqual([
      'info: notifications unknown',
    ]);
  });

  it('report an eviction policy that keeps keys without a deadline, if there is a limit and such keys exist', () => {
    const keys = (withDeadline: number) => known([{ database: 0, keys: 10, withDeadline }]);
    const policy = {
      maxMemoryPolicy: known('volatile-lru'),
      maxMemory: known(1_000_000_000),
      databases: keys(9),
    };
    expect(ids({ ...policy, databases: keys(10) })).toEqual([]);
    expect(ids(policy)).toEqual(['info: eviction spares keys without a deadline']);
    expect(ids({ ...policy, usedMemory: known(950_000_000) })).toEqual([
      'warning: eviction spares keys without a deadline',
    ]);
    expect(ids({ ...policy, maxMemory: known(0) })).toEqual([]);
    expect(ids({ maxMemory: known(1_000_000_000) })).toEqual(['info: no eviction']);
    expect(ids({ maxMemory: known(1_000_000_000), maxMemoryPolicy: known('allkeys-lru') })).toEqual([]);
  });

  it('name the prefixes with most keys that never expire', () => {
    const summaries = ['a', 'b', 'c', 'd'].map((name, i) => summary(name, 2_000 * (i + 1), 500));
    const [finding] = findings({}, [...summaries, summary('few', 900, 0)]);
    expect(finding?.sentence).toBe('18,000 keys never expire: d (7,500), c (5,500), b (3,500) and 1 more.');
  });

  it('report a replica and active-expire-effort', () => {
    const replica = {
      version: '7.0.15',
      runId: 'a',
      role: 'replica',
      source: 'x up',
      mode: 'standalone',
      name: 'redis',
    } as const;
    expect(ids({ identity: known(replica), activeExpireEffort: known(10) })).toEqual([
      'info: active-expire-effort',
      'info: replica',
    ]);
  });

  it('count the keys that the server evicted', () => {
    const [finding] = findings({ evictedKeys: known(1_234) });
    expect(finding).toMatchObject({
      id: 'evictions',
      sentence: expect.stringMatching(/^The server has evicted 1,234 keys/),
    });
  });

  it('report a node of a cluster, unless all of its masters are read', () => {
    const node = {
      version: '7.0.15',
      runId: 'a',
      role: 'master',
      source: '',
      mode: 'cluster',
      name: 'redis',
    } as const;
    expect(ids({ identity: known(node) })).toEqual(['warning: cluster node']);
    const facts = { ...QUIET, identity: known(node) };
    expect(redisFindings({ facts, never: [], hasNewKeyClass: true, isWhole: true })).toEqual([]);
  });

  it('leave out facts that the user may not read', () => {
    const refused = { is: 'refused', reason: 'NOPERM' } as const;
    expect(
      ids({
        identity: refused,
        maxMemory: refused,
        maxMemoryPolicy: refused,
        activeExpireEffort: refused,
        usedMemory: refused,
        evictedKeys: refused,
      }),
    ).toEqual([]);
  });
});

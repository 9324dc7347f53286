import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import {
  type ClusterFacts,
  readClusterFacts,
  readServerFacts,
  type ServerFacts,
} from '../server/server-facts.ts';

const POLL_EVERY_MS = 2_000;
const CLUSTER_EVERY_POLLS = 5;
const ROUND_TRIPS = 10;

/** Changes between two polls. */
export type ServerChange = 'another cluster' | 'new leader';

/** Polls the facts that no event reports: the leader, the cluster, alarms, and the round trip time. */
export class ServerWatch {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #roundTrips: number[] = [];
  #facts: ServerFacts | null = null;
  #cluster: ClusterFacts = { members: null, alarms: null };

  constructor(client: EtcdClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Null: the server has not answered yet. */
  get facts(): ServerFacts | null {
    return this.#facts;
  }

  get cluster(): ClusterFacts {
    return this.#cluster;
  }

  /** Median round trip of the last polls, ms; null: none yet. */
  get roundTripMs(): number | null {
    const sorted = [...this.#roundTrips].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }

  /** Reads the server's facts. Returns the change since the last poll; null if there is none. */
  async poll(): Promise<ServerChange | null> {
    const sentAt = this.#clock.elapsed();
    const facts = await readServerFacts(this.#client);
    this.#roundTrips.push(this.#clock.elapsed() - sentAt);
    if (this.#roundTrips.length > ROUND_TRIPS) this.#roundTrips.shift();
    const before = this.#facts;
    this.#facts = facts;
    if (before === null) return null;
    // Another cluster id means other data, so the mirror's revision is not valid there.
    if (before.clusterId !== facts.clusterId) return 'another cluster';
    return before.raftTerm === facts.raftTerm ? null : 'new leader';
  }

  async readCluster(): Promise<void> {
    this.#cluster = await readClusterFacts(this.#client);
  }

  /** Polls until the signal aborts. */
  async untilAborted(signal: AbortSignal, onPoll: (change: ServerChange | null) => void): Promise<void> {
    for (let polls = 1; ; polls++) {
      await this.#clock.sleep(POLL_EVERY_MS, signal);
      if (signal.aborted) return;
      const change = await this.poll();
      if (polls % CLUSTER_EVERY_POLLS === 0) await this.readCluster();
      onPoll(change);
    }
  }
}

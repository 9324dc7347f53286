import type { EngineFinding, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { Clock } from '../../platform/clock.ts';
import { etcdFindings } from './etcd-findings.ts';
import type { EtcdFollower } from './follow/etcd-follower.ts';
import type { LeaseTable } from './leases/lease-table.ts';

export interface EtcdStatusOptions {
  /** Without secrets. */
  readonly uri: string;
  readonly follower: EtcdFollower;
  readonly mirror: DeadlineMirror;
  readonly leases: LeaseTable;
  readonly clock: Clock;
}

const FINDINGS_EVERY_MS = 15_000;
/** Largest leases that are read for findings. */
const LARGEST = 1_000;

/**
 * The state of the server in the contract's form: name and round trip, reachability, the state of the mirror, findings.
 */
export class EtcdStatus {
  readonly #options: EtcdStatusOptions;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #findings: EngineFinding[] = [];

  constructor(options: EtcdStatusOptions) {
    this.#options = options;
    this.#done = this.#refreshUntilStopped();
  }

  get remote(): RemoteStore {
    const { uri, follower, mirror } = this.#options;
    const { facts, roundTripMs } = follower.server;
    return {
      uri,
      server: facts === null ? 'etcd' : `etcd ${facts.version}`,
      roundTripMs,
      unreachable: follower.unreachable,
      mirror: mirror.state,
      findings: this.#findings,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Evaluates the findings now. */
  async refresh(): Promise<void> {
    const { follower, mirror, leases, clock } = this.#options;
    const { facts, cluster } = follower.server;
    if (facts === null) return;
    const summaries = await mirror.reads.summaries(null, clock.now());
    const findings = etcdFindings({
      facts,
      cluster,
      summaries,
      largestLeases: leases.largest(LARGEST),
      latenessMs: mirror.state.is === 'live' ? leases.lateness(clock.now()) : 0,
      leaderChange: follower.leaderChange,
    });
    const isSame = JSON.stringify(findings) === JSON.stringify(this.#findings);
    this.#findings = findings;
    if (!isSame) this.changed();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #refreshUntilStopped(): Promise<void> {
    const { clock, follower } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.refresh();
      await clock.sleep(follower.server.facts === null ? 1_000 : FINDINGS_EVERY_MS, signal);
    }
  }
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatHost } from '../../../../../shared/model/transport/server-address.ts';
import { errorFields } from '../../../platform/logger.ts';
import { type ClusterNodes, ClusterRouter } from './cluster-router.ts';
import { type ClusterTopology, readTopology } from './cluster-topology.ts';
import type { CommandConnection } from './command-connection.ts';
import { Listeners } from './listeners.ts';
import { connectionsOf, connectMaster, untilReady } from './master-connections.ts';
import type { Master, Masters, MastersOptions } from './masters.ts';
import { RedisConnection } from './redis-connection.ts';
import { connectionLost } from './redis-failure.ts';
import type { ClusterTarget, HostAndPort, ServerTarget } from './redis-uri.ts';

const RETRY_MS = 250;
/** Longest wait for the connections to the masters of a topology, before it is read again: a failover may change it. */
const CONNECT_MS = 1_000;

/**
 * The masters of a cluster. When a connection is lost, the topology is read from the nodes that can be reached, until
 * every slot has a master that can be reached.
 *
 * Not the cluster client of ioredis: it sends a command again when the connection is lost, or to any node if the slot's
 * master cannot be reached, so that the result of a bulk change would not be exact.
 */
export class ClusterMasters implements Masters, ClusterNodes {
  readonly commands: CommandConnection;
  readonly #target: ClusterTarget;
  readonly #options: MastersOptions;
  readonly #stop = new AbortController();
  readonly #ready = new Listeners<[]>();
  readonly #lost = new Listeners<[Error]>();
  readonly #masters = new Map<string, Master>();
  #topology: ClusterTopology | null = null;
  /** Signature of the topology whose masters `all` returned last. */
  #returned = '';
  #isReady = false;
  #settling: Promise<void> | null = null;
  /** Counts reads of the topology, so that each of them begins with another node: one may be cut off. */
  #reads = 0;

  constructor(target: ClusterTarget, options: MastersOptions) {
    this.#target = target;
    this.#options = options;
    this.commands = new ClusterRouter(this, { ready: this.#ready, lost: this.#lost });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get known(): readonly Master[] {
    return [...this.#masters.values()];
  }

  async firstAttempt(): Promise<void> {
    try {
      this.#apply(await this.#readTopology());
    } finally {
      this.#settle();
    }
  }

  async all(signal: AbortSignal): Promise<readonly Master[]> {
    while (!this.#isReady) {
      this.#settle();
      await this.#untilReady(signal);
      if (signal.aborted || this.#stop.signal.aborted)
        throw new SandglassError('CANCELLED', 'Connecting ended.');
    }
    this.#returned = this.#topology?.signature ?? '';
    return this.known;
  }

  async changed(): Promise<string | null> {
    const { signature } = await this.#readTopology();
    if (signature !== this.#topology?.signature) this.redirected();
    else if (signature === this.#returned) return null;
    return 'the masters of the cluster, or their slots, changed';
  }

  onLost(listener: (error: Error) => void): () => void {
    return this.#lost.add(listener);
  }

  close(): void {
    this.#stop.abort();
    this.#isReady = false;
    for (const master of this.known) close(master);
  }

  masterOf(slot: number): Master | undefined {
    const address = this.#topology?.slots[slot];
    return address === undefined ? undefined : this.#masters.get(address);
  }

  anyMaster(): Master | undefined {
    return this.known.find(({ commands }) => commands.isReady);
  }

  async masterAt(node: HostAndPort): Promise<Master> {
    if (this.#stop.signal.aborted) throw connectionLost('it is closed');
    const master = this.#connected(node);
    if (!master.commands.isReady) await master.commands.firstAttempt();
    return master;
  }

  redirected(): void {
    this.#isReady = false;
    this.#settle();
  }

  /** Starts to read the topology until every master can be reached, unless that is in progress. */
  #settle(): void {
    if (this.#settling !== null || this.#stop.signal.aborted) return;
    this.#settling = this.#settleUntilReady().finally(() => {
      this.#settling = null;
    });
  }

  async #settleUntilReady(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        this.#apply(await this.#readTopology());
        const enough = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
        const connections = this.known.flatMap(connectionsOf);
        await Promise.all(connections.map(connection => untilReady(connection, enough)));
        if (signal.aborted) return;
        if (connections.every(({ isReady }) => isReady)) {
          this.#isReady = true;
          this.#ready.call();
          return;
        }
      } catch (error) {
        log.debug('The masters of a Redis Cluster could not be read', errorFields(error));
      }
      await clock.sleep(RETRY_MS, signal);
    }
  }

  /**
   * Connects to the masters of a topology, and closes the connections to all others. Throws INVALID_CONNECTION if one of
   * them may not be connected.
   */
  #apply(topology: ClusterTopology): void {
    if (this.#stop.signal.aborted) return;
    for (const node of topology.masters.values()) this.#options.network.check(node);
    this.#topology = topology;
    for (const node of topology.masters.values()) this.#connected(node);
    for (const [address, master] of this.#masters) {
      if (topology.masters.has(address)) continue;
      this.#masters.delete(address);
      close(master);
    }
  }

  #connected(node: HostAndPort): Master {
    const address = formatHost(node);
    const known = this.#masters.get(address);
    if (known !== undefined) return known;
    const master = connectMaster(address, this.#nodeTarget(node), this.#options);
    this.#masters.set(address, master);
    for (const connection of connectionsOf(master)) {
      connection.onLost(error => {
        if (this.#masters.get(address) === master) this.#lose(error);
      });
    }
    return master;
  }

  #lose(error: Error): void {
    this.#isReady = false;
    this.#lost.call(error);
    this.#settle();
  }

  /**
   * Reads the topology from a master that can be reached, else from any node that is known. Rejects with the error of the
   * last one.
   */
  async #readTopology(): Promise<ClusterTopology> {
    const ready = this.known.filter(({ commands }) => commands.isReady);
    const asked = ready[this.#reads++ % Math.max(1, ready.length)];
    if (asked !== undefined) {
      const node = this.#topology?.masters.get(asked.address);
      return readTopology(asked.commands, node?.host ?? '');
    }
    const known = [...(this.#topology?.masters.values() ?? []), ...(this.#topology?.replicas ?? [])];
    let problem: unknown = connectionLost('no node of the cluster can be reached');
    for (const node of [...this.#target.place.nodes, ...known]) {
      try {
        return await this.#askOnce(node);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  async #askOnce(node: HostAndPort): Promise<ClusterTopology> {
    const connection = await RedisConnection.open({
      target: this.#nodeTarget(node),
      log: this.#options.log,
      network: this.#options.network,
      name: 'sandglass-topology',
    });
    try {
      return await readTopology(connection, node.host);
    } finally {
      connection.close();
    }
  }

  #nodeTarget({ host, port }: HostAndPort): ServerTarget {
    return { ...this.#target, place: { is: 'server', host, port } };
  }

  #untilReady(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const ended = AbortSignal.any([signal, this.#stop.signal]);
      const done = () => {
        stop();
        resolve();
      };
      const stop = this.#ready.add(done);
      ended.addEventListener('abort', done, { once: true });
      if (ended.aborted || this.#isReady) done();
    });
  }
}

function close(master: Master): void {
  for (const connection of connectionsOf(master)) connection.close();
}

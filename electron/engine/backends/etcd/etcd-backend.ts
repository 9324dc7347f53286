import type { RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { MeterRegistry } from '../../expiry/meters.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  Commit,
  PartOptions,
  PartResult,
  RemoteBackend,
  SetExpirationOptions,
  SettingsStore,
} from '../backend.ts';
import { EtcdClient } from './connection/etcd-client.ts';
import { isUnreachable } from './connection/etcd-failure.ts';
import { parseEtcdUri, publicEtcdUri } from './connection/etcd-uri.ts';
import { ETCD_CAPABILITIES } from './etcd-capabilities.ts';
import { EtcdReads } from './etcd-reads.ts';
import { EtcdStatus } from './etcd-status.ts';
import { EtcdWrites, type LeaseOfKey } from './etcd-writes.ts';
import { EtcdFollower, type FollowerSettings } from './follow/etcd-follower.ts';
import { LeaseTable } from './leases/lease-table.ts';
import { readServerFacts } from './server/server-facts.ts';

export interface EtcdOptions {
  readonly uri: string;
  /** Password, which outranks one in the URI. */
  readonly secret?: string | undefined;
  /** File of the mirror. */
  readonly mirrorFile: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly readOnly: boolean;
  readonly onListenerError?: (error: unknown) => void;
  readonly follower?: Partial<FollowerSettings>;
}

const FOLLOWER_SETTINGS: FollowerSettings = { leasesPerSecond: 500 };

/**
 * Opens a cluster. One that cannot be reached is no failure: the mirror is shown, as stale, until it can. Throws
 * INVALID_CONNECTION for an address that cannot be read, PERMISSION_DENIED where user or password are refused.
 */
export async function openEtcd(options: EtcdOptions): Promise<EtcdBackend> {
  const given = parseEtcdUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  const client = new EtcdClient({ target, clock: options.clock, log: options.log });
  try {
    await readServerFacts(client);
  } catch (error) {
    if (!isUnreachable(error)) {
      client.close();
      throw error;
    }
  }
  return new EtcdBackend(options, client, { uri: publicEtcdUri(target), prefix: target.prefix });
}

/** The keys of an etcd cluster as documents, and their prefixes as collections. */
export class EtcdBackend implements RemoteBackend {
  readonly capabilities = ETCD_CAPABILITIES;
  readonly reads: EtcdReads;
  readonly settings: SettingsStore = {
    get: () => DEFAULT_SETTINGS,
    change: () => {
      throw new SandglassError('NOT_SUPPORTED', 'The settings of expiry are those of the cluster.', {
        feature: 'settings',
      });
    },
  };
  readonly #options: EtcdOptions;
  readonly #client: EtcdClient;
  readonly #mirror: DeadlineMirror;
  readonly #follower: EtcdFollower;
  readonly #status: EtcdStatus;
  readonly #writes: EtcdWrites;

  constructor(options: EtcdOptions, client: EtcdClient, { uri, prefix }: { uri: string; prefix: string }) {
    const { clock, log, mirrorFile } = options;
    this.#options = options;
    this.#client = client;
    this.#mirror = DeadlineMirror.open({ file: mirrorFile, clock, log });
    const mirror = this.#mirror;
    const leases = new LeaseTable();
    this.#follower = new EtcdFollower({
      client,
      prefix,
      mirror,
      leases,
      clock,
      log,
      settings: { ...FOLLOWER_SETTINGS, ...options.follower },
      onState: () => this.#status.changed(),
    });
    const follower = this.#follower;
    this.#status = new EtcdStatus({ uri, follower, mirror, leases, clock });
    this.reads = new EtcdReads(mirror, client);
    this.#writes = new EtcdWrites({
      client,
      mirror,
      leases,
      clock,
      measure: lease => follower.measure(lease),
    });
    mirror.onCommit(commit => this.#measure(commit));
    follower.start();
  }

  get revision(): number {
    return this.#mirror.revision;
  }

  get remote(): RemoteStore {
    return this.#status.remote;
  }

  hasCollection(name: string): boolean {
    return this.#mirror.hasCollection(name);
  }

  collectionNames(): string[] {
    return this.#mirror.collectionNames();
  }

  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    this.#checkWritable();
    return this.#writes.put(collection, id, document);
  }

  async delete(collection: string, ids: readonly string[], options?: PartOptions): Promise<PartResult> {
    this.#checkWritable();
    return this.#writes.delete(collection, ids, options);
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options?: SetExpirationOptions,
  ): Promise<PartResult> {
    this.#checkWritable();
    return this.#writes.setExpiration(collection, ids, setting, options);
  }

  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: { by: number; isOver: () => boolean },
  ): { due: number; done: number } {
    return this.#writes.dueAfterSetting(collection, ids, setting, options);
  }

  /** Returns the lease of a key and how many keys hang on it; null: it has none. Throws DOCUMENT_NOT_FOUND. */
  leaseOf(collection: string, id: string): Promise<LeaseOfKey | null> {
    return this.#writes.leaseOf(collection, id);
  }

  /**
   * Starts the duration of the key's lease again, for all keys that hang on it. Throws NO_EXPIRATION, DOCUMENT_NOT_FOUND.
   */
  async keepAlive(collection: string, id: string): Promise<LeaseOfKey> {
    this.#checkWritable();
    return this.#writes.keepAlive(collection, id);
  }

  /** Stops reading keys and leases until `resumeScanning`; the cluster's own expiry goes on. */
  pauseScanning(): void {
    this.#follower.pause();
  }

  resumeScanning(): void {
    this.#follower.resume();
  }

  onRemoteChange(listener: () => void): () => void {
    return this.#status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#mirror.onCommit(listener);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#follower.stop();
    await this.#status.close();
    this.#mirror.close();
  }

  #checkWritable(): void {
    if (this.#options.readOnly) throw new SandglassError('READ_ONLY', 'This connection is read-only.');
  }

  /** Counts the keys that expired, with their lag, and those that applications wrote [M1]. */
  #measure({ changes }: Commit): void {
    const { meters, clock } = this.#options;
    const now = clock.now();
    for (const [collection, ofIt] of Map.groupBy(changes, change => change.collection)) {
      const expired = ofIt.filter(({ kind }) => kind === 'expire');
      const lagsMs = expired.flatMap(({ lagMs }) => (lagMs === undefined ? [] : [lagMs]));
      const written = ofIt.filter(({ kind }) => kind === 'insert' || kind === 'update').length;
      if (expired.length > 0) meters.removed(collection, expired.length, lagsMs, now);
      if (written > 0) meters.written(collection, written, now);
    }
  }
}

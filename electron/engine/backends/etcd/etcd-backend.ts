import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { MirrorControl, SettingsStore } from '../backend.ts';
import { KeptMirrorSettings } from '../mirrored/kept-mirror-settings.ts';
import { MirroredBackend, type MirroredOptions } from '../mirrored/mirrored-backend.ts';
import type { LeaseControl } from '../port/leases.ts';
import { EtcdClient } from './connection/etcd-client.ts';
import { isUnreachable } from './connection/etcd-failure.ts';
import { parseEtcdUri, publicEtcdUri } from './connection/etcd-uri.ts';
import { ETCD_CAPABILITIES } from './etcd-capabilities.ts';
import { EtcdLeases } from './etcd-leases.ts';
import { etcdReads } from './etcd-reads.ts';
import { EtcdStatus } from './etcd-status.ts';
import { EtcdWrites } from './etcd-writes.ts';
import { EtcdFollower } from './follow/etcd-follower.ts';
import type { Lease } from './leases/lease.ts';
import { LeaseTable } from './leases/lease-table.ts';
import { readServerFacts } from './server/server-facts.ts';
import { importKeys } from './values/import-key.ts';

export interface EtcdOptions extends MirroredOptions {
  /** Default of the setting `readsPerSecond`. */
  readonly leasesPerSecond?: number;
}

const LEASES_PER_SECOND = 500;

/**
 * Opens a cluster. An unreachable cluster is no failure: its mirror is shown as stale until the cluster can be reached.
 * Throws INVALID_CONNECTION for an invalid address, PERMISSION_DENIED if user or password are refused.
 */
export async function openEtcd(options: EtcdOptions): Promise<EtcdBackend> {
  const given = parseEtcdUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  const client = new EtcdClient({ target, network: options.network, clock: options.clock, log: options.log });
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
export class EtcdBackend extends MirroredBackend {
  readonly #client: EtcdClient;
  readonly #follower: EtcdFollower;
  override readonly leases: LeaseControl;

  constructor(options: EtcdOptions, client: EtcdClient, { uri, prefix }: { uri: string; prefix: string }) {
    const { clock, log, mirrorFile } = options;
    const mirror = DeadlineMirror.open({ file: mirrorFile, clock, log });
    const leases = new LeaseTable();
    const follower: EtcdFollower = new EtcdFollower({
      client,
      prefix,
      mirror,
      leases,
      clock,
      log,
      leasesPerSecond: () => control.settings.readsPerSecond ?? LEASES_PER_SECOND,
      onState: () => status.changed(),
    });
    const control: MirrorControl = new KeptMirrorSettings({
      mirror,
      defaults: {
        paused: false,
        readsPerSecond: options.leasesPerSecond ?? null,
        mostKeys: null,
        grouping: null,
      },
      onChange(before, after) {
        if (after.paused !== before.paused) after.paused ? follower.pause() : follower.resume();
      },
      enableNotifications: null,
    });
    if (control.settings.paused) follower.pause();
    const status = new EtcdStatus({ uri, follower, mirror, leases, clock });
    const attached = (id: string, lease: Lease | null) => {
      leases.attach(id, lease?.id ?? null);
      if (lease !== null) leases.set(lease);
    };
    const measure = (lease: string) => follower.measure(lease);
    const writes = new EtcdWrites({ client, mirror, leases, clock });
    super({
      capabilities: () => ETCD_CAPABILITIES,
      settings: UNCHANGEABLE_SETTINGS,
      mirror,
      reads: etcdReads(mirror, client, () => clock.now()),
      writes,
      status,
      control,
      keyImport: {
        serverNow: () => clock.now(),
        keyIn: (collection, id) => follower.keyIn(collection, id),
        writeKeys: (keys, mode) => importKeys({ client, clock }, keys, mode, attached),
      },
      options,
    });
    this.#client = client;
    this.#follower = follower;
    this.leases = new EtcdLeases({
      client,
      mirror,
      leases,
      clock,
      measure,
      checkWritable: () => this.checkWritable(),
    });
    follower.start();
  }

  override async close(): Promise<void> {
    this.#client.close();
    await this.#follower.stop();
    await super.close();
  }
}

const UNCHANGEABLE_SETTINGS: SettingsStore = {
  get: () => DEFAULT_SETTINGS,
  change: () => {
    throw new SandglassError('NOT_SUPPORTED', 'etcd revokes expired leases by its own configuration.', {
      feature: 'settings',
    });
  },
};

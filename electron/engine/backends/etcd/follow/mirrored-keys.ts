import { bytesOfText } from '../../../deadline-mirror/bytes-text.ts';
import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import { idOfKey } from '../../../deadline-mirror/key-id.ts';
import type { Departure, MirroredKey } from '../../../deadline-mirror/mirrored-key.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { inParallel } from '../connection/in-parallel.ts';
import { type KeyValue, NO_LEASE, type WatchEvent } from '../connection/replies.ts';
import { collectionOf } from '../keys/grouping.ts';
import { hasMeasurableLag, isTooEarlyToExpire, type Lease, measured } from '../leases/lease.ts';
import { timeToLive } from '../leases/lease-calls.ts';
import type { LeaseTable } from '../leases/lease-table.ts';

export interface MirroredKeysOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly mirror: DeadlineMirror;
  readonly leases: LeaseTable;
}

/** Requests in progress at once: the server answers a measurement from memory. */
const WIDTH = 8;

/**
 * Writes keys and deadlines into the mirror. The deadline of a key is that of its lease, which is measured before the
 * key is put. etcd does not say why a key left: the cause is inferred from whether its lease is gone, and when.
 */
export class MirroredKeys {
  readonly #options: MirroredKeysOptions;
  #sharedFolder: Buffer = Buffer.alloc(0);

  constructor(options: MirroredKeysOptions) {
    this.#options = options;
  }

  /** Keys that are put from now on are grouped below this folder. */
  setSharedFolder(folder: Buffer): void {
    this.#sharedFolder = folder;
  }

  /**
   * Returns the key that an `_id` names in a collection: the `_id` itself if that is in the collection, otherwise below
   * the collection's path; null if no such key is.
   */
  keyIn(collection: string, id: string): Buffer | null {
    const candidates = [bytesOfText(id), bytesOfText(`${collection}/${id}`)];
    return candidates.find(key => collectionOf(key, this.#sharedFolder) === collection) ?? null;
  }

  /** Puts keys as they were read; without values, their size stays unknown. */
  async put(keys: readonly KeyValue[], { hasValues }: { hasValues: boolean }): Promise<void> {
    const { leases, mirror } = this.#options;
    const ids = new Set(keys.map(({ lease }) => lease).filter(lease => lease !== NO_LEASE));
    await this.measure([...ids].filter(id => leases.get(id) === undefined && !leases.isGone(id)));
    const put: MirroredKey[] = [];
    for (const { key, value, lease } of keys) {
      const id = idOfKey(key);
      leases.attach(id, lease === NO_LEASE ? null : lease);
      const deadlineAt = lease === NO_LEASE ? null : leases.get(lease)?.deadlineAt;
      // The lease is gone already: an event for the deletion of the key follows.
      if (deadlineAt === undefined) continue;
      const collection = collectionOf(key, this.#sharedFolder);
      put.push({
        id,
        collection,
        deadlineAt,
        type: 'key',
        bytes: hasValues ? key.length + value.length : null,
      });
    }
    mirror.put(put);
  }

  /**
   * Applies events in their order. `isReplayed`: they happened before the watch was opened, so their lag cannot be
   * measured.
   */
  async apply(events: readonly WatchEvent[], { isReplayed }: { isReplayed: boolean }): Promise<void> {
    for (let from = 0; from < events.length; ) {
      const type = events[from]?.type;
      let to = from + 1;
      while (events[to]?.type === type) to++;
      const keys = events.slice(from, to).map(({ kv }) => kv);
      if (type === 'PUT') await this.put(keys, { hasValues: true });
      else await this.#depart(keys, isReplayed);
      from = to;
    }
  }

  /** Measures leases, and updates the deadlines of their keys. Returns how many leases now end later than before. */
  async measure(ids: readonly string[]): Promise<number> {
    let extended = 0;
    await inParallel(ids, WIDTH, async id => {
      const { client, clock, leases } = this.#options;
      const answer = await timeToLive(client, clock, id);
      if (answer === null) return leases.setGone(id);
      const before = leases.get(id);
      const lease = measured(before, answer);
      leases.set(lease);
      if (lease.deadlineAt === before?.deadlineAt) return;
      if (before !== undefined && lease.deadlineAt > before.deadlineAt) extended++;
      this.#move(lease);
    });
    return extended;
  }

  /** Sets the deadline of all keys of a lease. */
  #move({ id, deadlineAt }: Lease): void {
    const { mirror, leases } = this.#options;
    const moved: MirroredKey[] = [];
    for (const key of leases.keysOf(id)) {
      const collection = mirror.deadlineOf(key)?.collection;
      if (collection !== undefined) moved.push({ id: key, collection, deadlineAt, type: 'key', bytes: null });
    }
    mirror.put(moved);
  }

  async #depart(keys: readonly KeyValue[], isReplayed: boolean): Promise<void> {
    const { clock, mirror, leases } = this.#options;
    const at = clock.now();
    const gone = keys.map(({ key }) => idOfKey(key));
    await this.measure([
      ...new Set(gone.map(id => this.#mayHaveExpired(id, at)).filter(lease => lease !== null)),
    ]);
    const departures = gone.map((id): Departure => {
      const leaseId = this.#mayHaveExpired(id, at);
      const lease = leaseId === null ? undefined : leases.get(leaseId);
      if (leaseId === null || lease === undefined || !leases.isGone(leaseId)) {
        return { id, cause: 'deleted', at, measuresLag: false };
      }
      return { id, cause: 'expired', at, measuresLag: !isReplayed && hasMeasurableLag(lease, at) };
    });
    mirror.depart(departures);
    for (const id of gone) leases.attach(id, null);
  }

  /** Returns the lease of a key if its deadline has passed; null if not, so that the key was not removed by expiry. */
  #mayHaveExpired(id: string, at: number): string | null {
    const { leases } = this.#options;
    const leaseId = leases.leaseOf(id);
    const lease = leaseId === null ? undefined : leases.get(leaseId);
    return lease === undefined || isTooEarlyToExpire(lease, at) ? null : leaseId;
  }
}

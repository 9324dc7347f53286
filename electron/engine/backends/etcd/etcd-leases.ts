import type { LeaseList, LeaseRecord } from '../../../../shared/contract/leases.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { idOfKey, keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConfirmedLease, LeaseAndKey, LeaseControl } from '../port/leases.ts';
import { attachKey, gone } from './changes/key-changes.ts';
import type { EtcdClient } from './connection/etcd-client.ts';
import { isLeaseNotFound } from './connection/etcd-failure.ts';
import { inParallel } from './connection/in-parallel.ts';
import { NO_LEASE } from './connection/replies.ts';
import { readKey } from './keys/key-range.ts';
import type { TimeToLive } from './leases/lease.ts';
import { grantLease, keepLeaseAlive, leaseIds, leaseWithKeys, revokeLease } from './leases/lease-calls.ts';
import type { LeaseTable } from './leases/lease-table.ts';

/** Keys of a lease that are named. */
const MOST_KEYS = 1_000;
/** Keys of each lease that are named in a list. */
const MOST_KEYS_IN_LIST = 20;
/** Prefixes in which keys without a lease are counted. */
const LARGEST_PREFIXES = 100;
/** Leases that are read at once. */
const WIDTH = 8;

export interface EtcdLeasesOptions {
  readonly client: EtcdClient;
  readonly mirror: DeadlineMirror;
  /** Leases of the mirrored keys, as last measured. */
  readonly leases: LeaseTable;
  readonly clock: Clock;
  /** Reads the deadline of a lease again, for the mirror. */
  measure(id: string): Promise<void>;
  /** Throws READ_ONLY. */
  checkWritable(): void;
}

/** Leases of a cluster. Keys of every prefix are named, also those that the connection does not show. */
export class EtcdLeases implements LeaseControl {
  readonly #options: EtcdLeasesOptions;

  constructor(options: EtcdLeasesOptions) {
    this.#options = options;
  }

  async ofKey(collection: string, id: string): Promise<LeaseRecord | null> {
    this.#checkKey(collection, id);
    const found = await readKey(this.#options.client, keyOfId(id), { withValue: false });
    if (found === null) throw gone(id);
    return found.lease === NO_LEASE ? null : this.#read(found.lease);
  }

  /** Leases are ordered by their last measurement. Those without a mirrored key have none, and come last. */
  async list({ limit, after }: { limit: number; after?: string | undefined }): Promise<LeaseList> {
    const { client, clock, leases } = this.#options;
    const from = after === undefined ? null : placeOf(after);
    const all = (await leaseIds(client))
      .map(id => ({ id, deadlineAt: leases.get(id)?.deadlineAt ?? Number.MAX_SAFE_INTEGER }))
      .sort(comparePlaces);
    const left = from === null ? all : all.filter(place => comparePlaces(place, from) > 0);
    const page = left.slice(0, limit);
    const read: LeaseRecord[] = [];
    await inParallel(page, WIDTH, async ({ id }) => {
      // Null: it has ended meanwhile.
      const found = await leaseWithKeys(client, clock, id);
      if (found !== null) read.push(recordOf(found, MOST_KEYS_IN_LIST));
    });
    const last = page.at(-1);
    return {
      leases: read.sort((a, b) => a.deadlineAt - b.deadlineAt),
      total: all.length,
      next: last === undefined || left.length <= limit ? null : `${last.deadlineAt}-${leaseText(last.id)}`,
      withoutLease: await this.#withoutLease(),
    };
  }

  get(id: string): Promise<LeaseRecord> {
    return this.#read(decimal(id));
  }

  async grant(seconds: number): Promise<LeaseRecord> {
    const { client, clock, checkWritable } = this.#options;
    checkWritable();
    return recordOf({ ...(await grantLease(client, clock, seconds)), keys: [] }, MOST_KEYS);
  }

  async attach({ id, collection, key }: LeaseAndKey): Promise<LeaseRecord> {
    const { client } = this.#options;
    await this.#changeKey(collection, key, () =>
      attachKey(client, { id: key, key: keyOfId(key) }, { lease: decimal(id) }),
    );
    await this.#mirrorAgain(collection, key, decimal(id));
    return this.get(id);
  }

  async detach({ id, collection, key }: LeaseAndKey): Promise<LeaseRecord> {
    const { client } = this.#options;
    await this.#changeKey(collection, key, () =>
      attachKey(client, { id: key, key: keyOfId(key) }, { lease: NO_LEASE, from: decimal(id) }),
    );
    await this.#mirrorAgain(collection, key, null);
    return this.get(id);
  }

  async keepAlive(confirmed: ConfirmedLease): Promise<LeaseRecord> {
    const { client, measure } = this.#options;
    const id = await this.#check(confirmed);
    const left = await keepLeaseAlive(client, id, new AbortController().signal);
    if (left === null) throw ended(id);
    await measure(id);
    return this.#read(id);
  }

  async revoke(confirmed: ConfirmedLease): Promise<{ deleted: number }> {
    const id = await this.#check(confirmed);
    await revokeLease(this.#options.client, id);
    return { deleted: confirmed.keyCount };
  }

  /** Returns the id as etcd has it. A key may still be attached between this check and the change: etcd has no condition. */
  async #check({ id, keyCount }: ConfirmedLease): Promise<string> {
    this.#options.checkWritable();
    const found = await this.get(id);
    if (found.keyCount === keyCount) return decimal(id);
    throw new SandglassError(
      'EXPECTATION_FAILED',
      `The lease ${id} has ${found.keyCount} keys by now, and ${keyCount} were confirmed. Read it again.`,
      { keyCount: found.keyCount },
    );
  }

  #checkKey(collection: string, id: string): void {
    if (this.#options.mirror.deadlineOf(id)?.collection !== collection) throw gone(id);
  }

  async #changeKey(collection: string, id: string, change: () => Promise<void>): Promise<void> {
    this.#options.checkWritable();
    this.#checkKey(collection, id);
    try {
      await change();
    } catch (error) {
      throw isLeaseNotFound(error) ? noSuchLease() : error;
    }
  }

  /** Shows the change before the watch reports it. */
  async #mirrorAgain(collection: string, id: string, lease: string | null): Promise<void> {
    const { mirror, leases, measure } = this.#options;
    leases.attach(id, lease);
    if (lease !== null) await measure(lease);
    const deadlineAt = lease === null ? null : leases.get(lease)?.deadlineAt;
    // The lease has ended meanwhile: an event for the deletion of the key follows.
    if (deadlineAt === undefined) return;
    mirror.put([{ id, collection, deadlineAt, type: 'key', bytes: null }]);
  }

  async #read(id: string): Promise<LeaseRecord> {
    const { client, clock } = this.#options;
    const found = await leaseWithKeys(client, clock, id);
    if (found === null) throw ended(id);
    return recordOf(found, MOST_KEYS);
  }

  async #withoutLease(): Promise<LeaseList['withoutLease']> {
    const { mirror, clock } = this.#options;
    const summaries = await mirror.reads.summaries(mirror.largestCollections(LARGEST_PREFIXES), clock.now());
    return summaries
      .map(({ name, documents, withDeadline }) => ({ collection: name, keys: documents - withDeadline }))
      .filter(({ keys }) => keys > 0)
      .sort((a, b) => b.keys - a.keys);
  }
}

/** Place of a lease in the list. */
interface Place {
  readonly id: string;
  readonly deadlineAt: number;
}

function comparePlaces(a: Place, b: Place): number {
  return a.deadlineAt - b.deadlineAt || (BigInt(a.id) < BigInt(b.id) ? -1 : a.id === b.id ? 0 : 1);
}

/** Reads `next` of a page. Throws BAD_REQUEST. */
function placeOf(next: string): Place {
  const [, deadlineAt, id] = /^(\d{1,16})-([0-9a-f]{1,16})$/.exec(next) ?? [];
  if (deadlineAt === undefined || id === undefined)
    throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', {
      after: next,
    });
  return { id: decimal(id), deadlineAt: Number(deadlineAt) };
}

function recordOf(found: TimeToLive & { readonly keys: readonly Buffer[] }, mostKeys: number): LeaseRecord {
  return {
    id: leaseText(found.id),
    grantedSeconds: found.grantedSeconds,
    deadlineAt: found.receivedAt + found.seconds * 1_000,
    keys: found.keys.slice(0, mostKeys).map(idOfKey),
    keyCount: found.keys.length,
  };
}

/** Hexadecimal, as etcdctl shows it. */
export function leaseText(id: string): string {
  return BigInt.asUintN(64, BigInt(id)).toString(16);
}

function decimal(hexadecimal: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hexadecimal}`)).toString();
}

function ended(id: string): SandglassError {
  return new SandglassError(
    'DOCUMENT_NOT_FOUND',
    `The lease ${leaseText(id)} has ended: its keys are deleted.`,
    {
      lease: leaseText(id),
    },
  );
}

function noSuchLease(): SandglassError {
  return new SandglassError('DOCUMENT_NOT_FOUND', 'The lease does not exist; the key was not changed.');
}

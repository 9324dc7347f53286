import type { LeaseRecord } from '../../../../shared/contract/settings.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { idOfKey, keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConfirmedLease, LeaseControl } from '../port/leases.ts';
import { gone } from './changes/key-changes.ts';
import type { EtcdClient } from './connection/etcd-client.ts';
import { NO_LEASE } from './connection/replies.ts';
import { readKey } from './keys/key-range.ts';
import { keepLeaseAlive, keysOfLease, revokeLease, timeToLive } from './leases/lease-calls.ts';

const MOST_KEYS = 1_000;

export interface EtcdLeasesOptions {
  readonly client: EtcdClient;
  readonly mirror: Pick<DeadlineMirror, 'deadlineOf'>;
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
    const { client, mirror } = this.#options;
    if (mirror.deadlineOf(id)?.collection !== collection) throw gone(id);
    const found = await readKey(client, keyOfId(id), { withValue: false });
    if (found === null) throw gone(id);
    return found.lease === NO_LEASE ? null : this.#read(found.lease);
  }

  get(id: string): Promise<LeaseRecord> {
    return this.#read(decimal(id));
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

  async #read(id: string): Promise<LeaseRecord> {
    const { client, clock } = this.#options;
    const found = await timeToLive(client, clock, id);
    if (found === null) throw ended(id);
    const keys = await keysOfLease(client, id);
    return {
      id: leaseText(id),
      grantedSeconds: found.grantedSeconds,
      deadlineAt: found.receivedAt + found.seconds * 1_000,
      keys: keys.slice(0, MOST_KEYS).map(idOfKey),
      keyCount: keys.length,
    };
  }
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

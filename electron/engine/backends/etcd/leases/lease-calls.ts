import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isLeaseNotFound } from '../connection/etcd-failure.ts';
import {
  grantReply,
  keepAliveReply,
  leasesReply,
  revokeReply,
  timeToLiveReply,
} from '../connection/replies.ts';
import type { TimeToLive } from './lease.ts';

/** Longest lease that etcd grants, s. */
const LONGEST_SECONDS = 9_000_000_000;

/** Returns null if the lease does not exist. */
export async function timeToLive(
  client: EtcdClient,
  clock: Pick<Clock, 'now'>,
  id: string,
): Promise<TimeToLive | null> {
  const sentAt = clock.now();
  const { TTL, grantedTTL } = await client.call('lease/timetolive', { ID: id }, timeToLiveReply);
  if (grantedTTL === 0) return null;
  return { id, seconds: TTL, grantedSeconds: grantedTTL, sentAt, receivedAt: clock.now() };
}

/** Returns a lease with its keys, of all prefixes; null if it does not exist. */
export async function leaseWithKeys(
  client: EtcdClient,
  clock: Pick<Clock, 'now'>,
  id: string,
): Promise<(TimeToLive & { readonly keys: readonly Buffer[] }) | null> {
  const sentAt = clock.now();
  const reply = await client.call('lease/timetolive', { ID: id, keys: true }, timeToLiveReply);
  const { TTL, grantedTTL, keys } = reply;
  if (grantedTTL === 0) return null;
  return { id, seconds: TTL, grantedSeconds: grantedTTL, sentAt, receivedAt: clock.now(), keys };
}

/** Returns the ids of all leases of the cluster. */
export async function leaseIds(client: EtcdClient): Promise<string[]> {
  return (await client.call('lease/leases', {}, leasesReply)).leases.map(({ ID }) => ID);
}

/** Grants a lease. The server may grant more time than requested: its minimum is a few seconds. */
export async function grantLease(
  client: EtcdClient,
  clock: Pick<Clock, 'now'>,
  seconds: number,
): Promise<TimeToLive> {
  if (seconds > LONGEST_SECONDS) {
    throw new SandglassError(
      'INVALID_EXPIRATION',
      `etcd grants leases of up to ${LONGEST_SECONDS.toLocaleString('en')} seconds. To keep the key, clear its expiration.`,
      { after: seconds },
    );
  }
  const sentAt = clock.now();
  // The call is repeatable: if an answer is lost, a lease without keys remains, which expires by itself.
  const { ID, TTL } = await client.call('lease/grant', { TTL: String(seconds) }, grantReply);
  return { id: ID, seconds: TTL, grantedSeconds: TTL, sentAt, receivedAt: clock.now() };
}

/** Revokes a lease, which deletes all keys attached to it. Without effect if it does not exist. */
export async function revokeLease(client: EtcdClient, id: string): Promise<void> {
  try {
    await client.call('lease/revoke', { ID: id }, revokeReply);
  } catch (error) {
    if (!isLeaseNotFound(error)) throw error;
  }
}

/** Restarts the duration of a lease. Returns the remaining seconds; null if the lease does not exist. */
export async function keepLeaseAlive(
  client: EtcdClient,
  id: string,
  signal: AbortSignal,
): Promise<number | null> {
  let seconds = 0;
  await client.stream('lease/keepalive', { ID: id }, keepAliveReply, {
    signal,
    onMessage: ({ result }) => {
      seconds = result.TTL;
    },
  });
  return seconds > 0 ? seconds : null;
}

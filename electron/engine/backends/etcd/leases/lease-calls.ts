import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isLeaseNotFound } from '../connection/etcd-failure.ts';
import { grantReply, keepAliveReply, revokeReply, timeToLiveReply } from '../connection/replies.ts';
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

/** Returns the keys that hang on a lease, of all prefixes; empty if it does not exist. */
export async function keysOfLease(client: EtcdClient, id: string): Promise<Buffer[]> {
  return (await client.call('lease/timetolive', { ID: id, keys: true }, timeToLiveReply)).keys;
}

/** Grants a lease. The server may give more time than asked for: a few seconds are its minimum. */
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
  // A grant whose answer is lost leaves a lease without keys, which expires by itself: it may be repeated.
  const { ID, TTL } = await client.call('lease/grant', { TTL: String(seconds) }, grantReply);
  return { id: ID, seconds: TTL, grantedSeconds: TTL, sentAt, receivedAt: clock.now() };
}

/** Deletes all keys that hang on the lease. A lease that does not exist is no failure. */
export async function revokeLease(client: EtcdClient, id: string): Promise<void> {
  try {
    await client.call('lease/revoke', { ID: id }, revokeReply);
  } catch (error) {
    if (!isLeaseNotFound(error)) throw error;
  }
}

/** Starts the duration of a lease again. Returns the seconds that are left; null: the lease does not exist. */
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

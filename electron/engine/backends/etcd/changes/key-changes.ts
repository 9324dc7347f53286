import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isUnreachable } from '../connection/etcd-failure.ts';
import { deleteReply, txnReply } from '../connection/replies.ts';
import { readKey } from '../keys/key-range.ts';
import { granted, type Lease } from '../leases/lease.ts';
import { grantLease, revokeLease } from '../leases/lease-calls.ts';
import type { ChosenKey } from './bulk-change.ts';

/** Attempts at a change while another client changes the key at the same time. */
const TRIES = 3;

/**
 * Gives a key a lease of its own that ends at `at`, epoch ms; its value stays. Other keys of its former lease are not
 * affected. Returns the lease, whose deadline may be later than `at`: etcd grants whole seconds, and a minimum. Throws
 * DOCUMENT_NOT_FOUND if the key is gone (it is not created again), EXPECTATION_FAILED if other clients change it at
 * every attempt.
 */
export async function setDeadline(
  client: EtcdClient,
  clock: Pick<Clock, 'now'>,
  { id, key }: ChosenKey,
  at: number,
): Promise<Lease> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await readKey(client, key, { withValue: false });
    if (found === null) throw gone(id);
    const seconds = Math.max(1, Math.ceil((at - clock.now()) / 1_000));
    const lease = granted(await grantLease(client, clock, seconds));
    try {
      if (await attach(client, { id, key }, { lease: lease.id, modRevision: found.mod_revision }))
        return lease;
    } catch (error) {
      if (!isUnreachable(error)) await revokeLease(client, lease.id);
      throw error;
    }
    // The transaction was not applied, so the new lease has no key.
    await revokeLease(client, lease.id);
  }
  throw keepsChanging(id);
}

/**
 * Attaches a key to a lease, with which it is then deleted; NO_LEASE detaches it, so that it never expires. Other keys
 * of its former lease are not affected. Throws as `setDeadline` does, EXPECTATION_FAILED also if the key has another
 * lease than `from`.
 */
export async function attachKey(
  client: EtcdClient,
  { id, key }: ChosenKey,
  { lease, from }: { lease: string; from?: string },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await readKey(client, key, { withValue: false });
    if (found === null) throw gone(id);
    if (from !== undefined && found.lease !== from) throw attachedElsewhere(id);
    if (found.lease === lease) return;
    if (await attach(client, { id, key }, { lease, modRevision: found.mod_revision })) return;
  }
  throw keepsChanging(id);
}

/** Deletes a key. Throws DOCUMENT_NOT_FOUND if it is gone already. */
export async function deleteKey(client: EtcdClient, { id, key }: ChosenKey): Promise<void> {
  const encoded = key.toString('base64');
  try {
    const { deleted } = await client.call('kv/deleterange', { key: encoded }, deleteReply, {
      isRepeatable: false,
    });
    if (deleted === 0) throw gone(id);
  } catch (error) {
    if (!isLostReply(error)) throw error;
    if ((await readKey(client, key, { withValue: false })) !== null) throw error;
  }
}

/** Returns false if the key has changed since the revision; nothing is then written. */
async function attach(
  client: EtcdClient,
  { id, key }: ChosenKey,
  { lease, modRevision }: { lease: string; modRevision: number },
): Promise<boolean> {
  const encoded = key.toString('base64');
  try {
    const { succeeded } = await client.call(
      'kv/txn',
      {
        // A key that is gone has the revision 0; a key that was created again has a later one.
        compare: [{ key: encoded, target: 'MOD', result: 'EQUAL', mod_revision: String(modRevision) }],
        success: [{ request_put: { key: encoded, ignore_value: true, lease } }],
      },
      txnReply,
      { isRepeatable: false },
    );
    return succeeded;
  } catch (error) {
    if (!isLostReply(error)) throw error;
    // The lease of the key shows whether it is attached, by this transaction or by another client.
    const found = await readKey(client, key, { withValue: false });
    if (found === null) throw gone(id);
    if (found.lease === lease) return true;
    throw error;
  }
}

function isLostReply(error: unknown): boolean {
  return isUnreachable(error) && error.data.mayBeApplied === true;
}

/** Error for a key that expired or was deleted. */
export function gone(id: string): SandglassError {
  return new SandglassError('DOCUMENT_NOT_FOUND', `There is no key ${id}: it expired or was deleted.`, {
    _id: id,
  });
}

function keepsChanging(id: string): SandglassError {
  return new SandglassError(
    'EXPECTATION_FAILED',
    `The key ${id} was changed by another client ${TRIES} times meanwhile; its lease is unchanged.`,
    { _id: id },
  );
}

function attachedElsewhere(id: string): SandglassError {
  return new SandglassError(
    'EXPECTATION_FAILED',
    `The key ${id} is no longer attached to this lease; nothing was changed. Read it again.`,
    { _id: id },
  );
}

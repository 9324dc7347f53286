import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type ImportedKey, type KeyOutcome, keyExists } from '../../mirrored/mirrored-import.ts';
import type { WriteMode } from '../../port/writes.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isUnreachable } from '../connection/etcd-failure.ts';
import { inParallel } from '../connection/in-parallel.ts';
import { NO_LEASE, txnReply } from '../connection/replies.ts';
import { granted, type Lease } from '../leases/lease.ts';
import { grantLease, revokeLease } from '../leases/lease-calls.ts';
import { bytesOfValue } from './etcd-value.ts';

const WIDTH = 8;

/** The lease of a written key; null: it has none. */
export type OnKeyWritten = (id: string, lease: Lease | null) => void;

/**
 * Writes keys, each with a lease of its own that ends at its deadline or, since leases have whole seconds, up to a second
 * later. Throws SERVER_UNREACHABLE if the cluster is lost: some of the keys may then be written.
 */
export async function importKeys(
  { client, clock }: { client: EtcdClient; clock: Pick<Clock, 'now'> },
  keys: readonly ImportedKey[],
  mode: WriteMode,
  onWritten: OnKeyWritten,
): Promise<KeyOutcome[]> {
  const outcomes = new Map<ImportedKey, KeyOutcome>();
  await inParallel(keys, WIDTH, async key => {
    try {
      outcomes.set(key, await importKey({ client, clock }, key, mode, onWritten));
    } catch (error) {
      if (isUnreachable(error) || !(error instanceof SandglassError)) throw error;
      outcomes.set(key, { is: 'rejected', code: error.code, message: error.message });
    }
  });
  return keys.flatMap(key => outcomes.get(key) ?? []);
}

async function importKey(
  { client, clock }: { client: EtcdClient; clock: Pick<Clock, 'now'> },
  { id, key, value, deadlineAt }: ImportedKey,
  mode: WriteMode,
  onWritten: OnKeyWritten,
): Promise<KeyOutcome> {
  const seconds = deadlineAt === null ? null : Math.max(1, Math.ceil((deadlineAt - clock.now()) / 1_000));
  const lease = seconds === null ? null : granted(await grantLease(client, clock, seconds));
  const encoded = key.toString('base64');
  const put = {
    request_put: {
      key: encoded,
      value: bytesOfValue(value).toString('base64'),
      lease: lease?.id ?? NO_LEASE,
    },
  };
  let isNew = false;
  try {
    const reply = await client.call(
      'kv/txn',
      {
        compare: [{ key: encoded, target: 'VERSION', result: 'EQUAL', version: '0' }],
        success: [put],
        failure: mode === 'upsert' ? [put] : [],
      },
      txnReply,
      { isRepeatable: false },
    );
    isNew = reply.succeeded;
  } catch (error) {
    // A lease without a key expires by itself where the cluster cannot be reached.
    if (lease !== null && !isUnreachable(error)) await revokeLease(client, lease.id);
    throw error;
  }
  if (!isNew && mode === 'insert') {
    if (lease !== null) await revokeLease(client, lease.id);
    return keyExists(id);
  }
  onWritten(id, lease);
  return { is: isNew ? 'inserted' : 'updated', type: 'key', deadlineAt: lease?.deadlineAt ?? null };
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isUnreachable } from '../connection/etcd-failure.ts';
import { txnReply } from '../connection/replies.ts';
import { readKey } from '../keys/key-range.ts';

/** A key with its new value. */
export interface Edit {
  readonly id: string;
  readonly key: Buffer;
  readonly value: Buffer;
  /** Revision of the value that was edited; null: the latest. */
  readonly modRevision: number | null;
}

/**
 * Replaces a value; the key keeps its lease. Returns the new revision. Throws DOCUMENT_NOT_FOUND if the key expired or
 * was deleted meanwhile (it is not created again), and EXPECTATION_FAILED if it was changed meanwhile.
 */
export async function editValue(client: EtcdClient, { id, key, value, modRevision }: Edit): Promise<number> {
  const found = await readKey(client, key, { withValue: false });
  if (found === null) throw gone(id);
  const expected = modRevision ?? found.mod_revision;
  if (expected !== found.mod_revision) throw changed(id);
  const encoded = key.toString('base64');
  try {
    const { succeeded, header } = await client.call(
      'kv/txn',
      {
        // A key that is gone has the revision 0; a key that was created again has a later one.
        compare: [{ key: encoded, target: 'MOD', result: 'EQUAL', mod_revision: String(expected) }],
        success: [{ request_put: { key: encoded, value: value.toString('base64'), ignore_lease: true } }],
      },
      txnReply,
      { isRepeatable: false },
    );
    if (succeeded) return header.revision;
  } catch (error) {
    if (!isUnreachable(error) || error.data.mayBeApplied !== true) throw error;
    return afterLostReply(client, { id, key, value, modRevision: expected }, error);
  }
  throw (await readKey(client, key, { withValue: false })) === null ? gone(id) : changed(id);
}

/** Reads the key after a request without a reply, to find out whether the edit was applied. */
async function afterLostReply(
  client: EtcdClient,
  { id, key, value, modRevision }: Edit,
  lost: SandglassError,
): Promise<number> {
  const found = await readKey(client, key, { withValue: true });
  if (found === null) throw gone(id);
  if (found.mod_revision === modRevision) throw lost;
  if (found.value.equals(value)) return found.mod_revision;
  throw changed(id);
}

function gone(id: string): SandglassError {
  return new SandglassError(
    'DOCUMENT_NOT_FOUND',
    `The key ${id} expired or was deleted meanwhile; nothing was written.`,
    { _id: id },
  );
}

function changed(id: string): SandglassError {
  return new SandglassError(
    'EXPECTATION_FAILED',
    `The key ${id} was changed meanwhile; nothing was written. Read it again, then edit it.`,
    { _id: id },
  );
}

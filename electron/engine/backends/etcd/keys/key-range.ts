import type { EtcdClient } from '../connection/etcd-client.ts';
import { type KeyValue, rangeReply } from '../connection/replies.ts';

/** A key with its lease, and with its value if that was read. */
export async function readKey(
  client: EtcdClient,
  key: Buffer,
  { withValue }: { withValue: boolean },
): Promise<KeyValue | null> {
  const { kvs } = await client.call(
    'kv/range',
    { key: key.toString('base64'), keys_only: !withValue },
    rangeReply,
  );
  return kvs[0] ?? null;
}

export interface KeyPage {
  readonly keys: readonly KeyValue[];
  /** Keys of the whole range from `from` on. */
  readonly count: number;
  readonly revision: number;
  readonly hasMore: boolean;
}

/** Reads keys without values, as of a revision; null: the latest. Throws REVISION_COMPACTED. */
export async function readKeys(
  client: EtcdClient,
  range: { from: Buffer; end: Buffer; revision: number | null; limit: number },
): Promise<KeyPage> {
  const { from, end, revision, limit } = range;
  const { header, kvs, more, count } = await client.call(
    'kv/range',
    {
      key: from.toString('base64'),
      range_end: end.toString('base64'),
      keys_only: true,
      limit: String(limit),
      ...(revision !== null && { revision: String(revision) }),
    },
    rangeReply,
  );
  return { keys: kvs, count, revision: header.revision, hasMore: more };
}

/** Returns the number of keys in a range, without reading them. */
export async function countKeys(client: EtcdClient, from: Buffer, end: Buffer): Promise<number> {
  const range = { key: from.toString('base64'), range_end: end.toString('base64'), count_only: true };
  return (await client.call('kv/range', range, rangeReply)).count;
}

/** Returns the first key after this one. */
export function keyAfter(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0])]);
}

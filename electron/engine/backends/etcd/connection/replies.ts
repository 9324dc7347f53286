import { z } from 'zod';

/**
 * Replies of the JSON gateway: fields with their default value are absent, 64-bit integers are texts, bytes are base64.
 * Ids of leases and members stay texts, since they exceed 2^53.
 */
const integer = z.coerce.number().default(0);
const id64 = z.string().default('0');
const bytes = z
  .string()
  .default('')
  .transform(text => Buffer.from(text, 'base64'));

/** Id of no lease. */
export const NO_LEASE = '0';

const header = z
  .object({ cluster_id: id64, member_id: id64, revision: integer, raft_term: integer })
  .prefault({});

export const keyValue = z.object({
  key: bytes,
  value: bytes,
  create_revision: integer,
  mod_revision: integer,
  version: integer,
  lease: id64,
});
export type KeyValue = z.output<typeof keyValue>;

export const rangeReply = z.object({
  header,
  kvs: z.array(keyValue).default([]),
  more: z.boolean().default(false),
  count: integer,
});

/** @internal */
export const putReply = z.object({ header });

export const deleteReply = z.object({ deleted: integer });

export const txnReply = z.object({ header, succeeded: z.boolean().default(false) });

export const grantReply = z.object({ ID: id64, TTL: integer, error: z.string().default('') });
export const leasesReply = z.object({ leases: z.array(z.object({ ID: id64 })).default([]) });
export const revokeReply = z.object({ header });
/** `grantedTTL` 0: the lease does not exist. */
export const timeToLiveReply = z.object({
  ID: id64,
  TTL: integer,
  grantedTTL: integer,
  keys: z.array(bytes).default([]),
});

/** One message of a stream; TTL 0: the lease does not exist. */
export const keepAliveReply = z.object({ result: z.object({ TTL: integer }) });

export const authenticateReply = z.object({ token: z.string() });

export const statusReply = z.object({
  header,
  version: z.string().default('unknown'),
  dbSize: integer,
  dbSizeInUse: integer,
  leader: id64,
  raftTerm: integer,
  /** Since etcd 3.6, bytes. */
  dbSizeQuota: integer,
});
export type StatusReply = z.output<typeof statusReply>;

export const membersReply = z.object({
  members: z
    .array(z.object({ ID: id64, name: z.string().default(''), isLearner: z.boolean().default(false) }))
    .default([]),
});

export const alarmsReply = z.object({
  alarms: z.array(z.object({ memberID: id64, alarm: z.string().default('NONE') })).default([]),
});

export const watchMessage = z.object({
  result: z.object({
    header,
    created: z.boolean().default(false),
    canceled: z.boolean().default(false),
    cancel_reason: z.string().default(''),
    compact_revision: integer,
    events: z.array(z.object({ type: z.enum(['PUT', 'DELETE']).default('PUT'), kv: keyValue })).default([]),
  }),
});
export type WatchMessage = z.output<typeof watchMessage>['result'];
export type WatchEvent = WatchMessage['events'][number];

import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { count, instant, queryNumber } from './schemas/common-schemas.ts';

/** A lease of etcd: all keys attached to it are deleted when it ends. */
export const lease = z.object({
  /** Hexadecimal, as etcdctl shows it. */
  id: z.string(),
  /** Duration that a keep-alive starts again, s. */
  grantedSeconds: count,
  /** Within a second. */
  deadlineAt: instant,
  /** Keys that are deleted with the lease, of all prefixes; the first 1,000. */
  keys: z.array(z.string()),
  keyCount: count,
});
export type LeaseRecord = z.infer<typeof lease>;

/** Leases of a cluster, those that end first at the beginning, and the keys that none of them deletes. */
export const leaseList = z.object({
  leases: z.array(lease),
  /** Leases of the cluster. */
  total: count,
  /** Null: there are no more. */
  next: z.string().nullable(),
  /** Prefixes with keys that have no lease and never expire, of the 100 largest prefixes; most such keys first. */
  withoutLease: z.array(z.object({ collection: z.string(), keys: count })),
});
export type LeaseList = z.infer<typeof leaseList>;

const leaseId = z.object({ id: z.string().regex(/^[0-9a-f]{1,16}$/, 'The id of a lease is hexadecimal.') });
/** The number of keys that the caller was shown; the call is refused if the lease has another number by now. */
const confirmedLease = leaseId.extend({ keyCount: count });
const leaseAndKey = leaseId.extend({
  collection: z.string(),
  /** `_id` of the key. */
  key: z.string(),
});

const tags = ['Leases'];

export const leases = {
  ofKey: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/documents/{id}/lease',
      tags,
      summary: 'The lease of a key, and every key that is deleted with it; null: the key has none',
    })
    .input(z.object({ collection: z.string(), id: z.string() }))
    .output(lease.nullable()),
  list: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/leases',
      tags,
      summary: 'The leases of the cluster with their keys, and the number of keys without a lease',
    })
    .input(
      z.object({
        limit: queryNumber.pipe(z.number().int().min(1).max(500)).default(100),
        /** `next` of the page before. */
        after: z.string().optional(),
      }),
    )
    .output(leaseList),
  get: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/leases/{id}',
      tags,
      summary: 'A lease and every key that is deleted with it',
    })
    .input(leaseId)
    .output(lease),
  grant: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases',
      tags,
      summary: 'Grant a lease without keys; it ends after its duration unless it is kept alive',
    })
    .input(
      z.object({
        /** Duration, s. The server may grant more: its minimum is a few seconds. */
        seconds: z.number().int().min(1).max(9_000_000_000),
      }),
    )
    .output(lease),
  attach: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/attach',
      tags,
      summary: 'Attach a key to a lease, with which it is deleted; it leaves the lease that it had',
    })
    .input(leaseAndKey)
    .output(lease),
  detach: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/detach',
      tags,
      summary: 'Detach a key from this lease: it never expires; the other keys of the lease stay attached',
    })
    .input(leaseAndKey)
    .output(lease),
  keepAlive: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/keep-alive',
      tags,
      summary: 'Restart the duration of a lease once, for all of its keys',
    })
    .input(confirmedLease)
    .output(lease),
  revoke: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/revoke',
      tags,
      summary: 'End a lease now, which deletes all of its keys',
    })
    .input(confirmedLease)
    .output(z.object({ deleted: count })),
};

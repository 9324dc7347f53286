import { z } from 'zod';
import { count, instant } from './common-schemas.ts';
import { procedure } from './procedure-builder.ts';

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

const byId = z.object({ id: z.string().regex(/^[0-9a-f]{1,16}$/, 'The id of a lease is hexadecimal.') });
/** The number of keys that the caller was shown; the call is refused if the lease has another number by now. */
const confirmed = byId.extend({ keyCount: count });

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
  get: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/leases/{id}',
      tags,
      summary: 'A lease and every key that is deleted with it',
    })
    .input(byId)
    .output(lease),
  keepAlive: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/keep-alive',
      tags,
      summary: 'Restart the duration of a lease once, for all of its keys',
    })
    .input(confirmed)
    .output(lease),
  revoke: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/revoke',
      tags,
      summary: 'End a lease now, which deletes all of its keys',
    })
    .input(confirmed)
    .output(z.object({ deleted: count })),
};

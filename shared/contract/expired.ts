import { z } from 'zod';
import { collectionName, count, indexName, instant, nothing, procedure } from './base.ts';
import { expirationSetting } from './documents.ts';
import { job } from './jobs.ts';

/** What was copied out of a store, which its purge does not reach [X4]. */
export const OUTSIDE_COPIES = ['backups', 'exports'] as const;

/** Which expiries: by the `id` of their entry in `metrics.expired`, or all of a collection in a span of removal times. */
const chosen = z.union([
  z.strictObject({ ids: z.array(z.string()).min(1).max(100_000) }),
  z.strictObject({
    collection: collectionName,
    index: indexName.optional(),
    removedFrom: instant.optional(),
    removedTo: instant.optional(),
  }),
]);

/**
 * That so many were erased, when, and by whom: for those who must show it.
 *
 * A follower is `pending` until its file is erased too, then `confirmed`; `forgotten`: it was forgotten before it confirmed,
 * and its file may still hold them.
 */
export const purgeRecord = z.object({
  id: count,
  /** Null: of several, or chosen one by one. */
  collection: z.string().nullable(),
  by: z.string(),
  documents: count,
  /** Gone from this store's retention, log and file. */
  erasedAt: instant,
  /** No follower is pending; null: some are. */
  purgedAt: instant.nullable(),
  /** Those registered at `erasedAt`; `at`: since when it is in that state. */
  followers: z.array(
    z.object({ name: z.string(), state: z.enum(['pending', 'confirmed', 'forgotten']), at: instant }),
  ),
  notReached: z.array(z.enum(OUTSIDE_COPIES)),
});
export type PurgeRecord = z.infer<typeof purgeRecord>;

/** [X4] */
export const expired = {
  restore: procedure({ permission: 'configure', writes: true, body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/expired/restore',
      tags: ['Expired'],
      summary:
        'Bring back what expired, pinned or with a new expiration; a job, done when it answers for up to 1,000 ids',
    })
    .input(
      z.strictObject({
        what: chosen,
        /** Never into instant expiry again: a pin unless said otherwise. */
        expiration: expirationSetting.default({ never: true }),
        /** Where the `_id` was taken since. */
        onConflict: z.enum(['skip', 'replace', 'newId']).default('skip'),
        /** The same for single ones, by their entry's `id`. */
        choices: z.record(z.string(), z.enum(['skip', 'replace', 'newId'])).default({}),
      }),
    )
    .output(job),
  /** Lets go of restorable copies, and of their traces in log and file. */
  purge: procedure({ permission: 'configure', writes: true, body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/expired/purge',
      tags: ['Expired'],
      summary: 'Purge restorable copies now, from retention, log and file; a job',
    })
    .input(z.strictObject({ what: chosen.optional() }).default({}))
    .output(job),
  purges: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/expired/purges',
      tags: ['Expired'],
      summary: 'What was purged, when and by whom, latest first',
    })
    .input(nothing.optional())
    .output(z.array(purgeRecord)),
};

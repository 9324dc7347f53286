import { z } from 'zod';
import { expirationSetting } from './documents.ts';
import { job } from './jobs.ts';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, indexName, instant, nothing } from './schemas/common-schemas.ts';

/** Copies outside the store, which a purge does not reach [X4]. */
export const OUTSIDE_COPIES = ['backups', 'exports'] as const;

/**
 * Selects expired documents: by the `id` of their entry in `metrics.expired`, or all of a collection within a span of
 * removal times.
 */
const chosen = z.union([
  z.strictObject({ ids: z.array(z.string()).min(1).max(100_000) }),
  z.strictObject({
    collection: collectionName,
    index: indexName.optional(),
    removedFrom: instant.optional(),
    removedTo: instant.optional(),
    /** Reason of the removal; absent: a restore takes expired documents only, a purge also those deleted by hand. */
    cause: z.enum(['expired', 'deleted', 'any']).optional(),
  }),
]);

/**
 * Record of a purge: how many documents were erased, when and by whom.
 *
 * A follower is `pending` until its file is erased too, then `confirmed`. `forgotten`: it was removed before it
 * confirmed, and its file may still contain the documents.
 */
export const purgeRecord = z.object({
  id: count,
  /** The collection; null: several, or documents selected by id. */
  collection: z.string().nullable(),
  by: z.string(),
  documents: count,
  /** When the documents were erased from this store's retention, log and file. */
  erasedAt: instant,
  /** When the last pending follower confirmed; null: some are pending. */
  purgedAt: instant.nullable(),
  /** Followers registered when the erasure began; `at`: start of the state. */
  followers: z.array(
    z.object({ name: z.string(), state: z.enum(['pending', 'confirmed', 'forgotten']), at: instant }),
  ),
  notReached: z.array(z.enum(OUTSIDE_COPIES)),
});
export type PurgeRecord = z.infer<typeof purgeRecord>;

/** [X4] */
export const expired = {
  restore: procedure({ permission: 'configure', writes: true, feature: 'restore', body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/expired/restore',
      tags: ['Expired'],
      summary:
        'Restore expired documents, pinned or with a new expiration; a job, finished in the answer for up to 1,000 ids',
    })
    .input(
      z.strictObject({
        what: chosen,
        /** The expiration of the restored documents. A pin by default, so that they do not expire again at once. */
        expiration: expirationSetting.default({ never: true }),
        /** Applied if the `_id` is in use again. */
        onConflict: z.enum(['skip', 'replace', 'newId']).default('skip'),
        /** Overrides `onConflict` for single documents, by the `id` of their entry. */
        choices: z.record(z.string(), z.enum(['skip', 'replace', 'newId'])).default({}),
      }),
    )
    .output(job),
  /** Erases restorable copies, and their traces in log and file. */
  purge: procedure({ permission: 'configure', writes: true, feature: 'purge', body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/expired/purge',
      tags: ['Expired'],
      summary: 'Purge restorable copies from retention, log and file; a job',
    })
    .input(z.strictObject({ what: chosen.optional() }).default({}))
    .output(job),
  purges: procedure({ permission: 'read', writes: false, feature: 'purge' })
    .route({
      method: 'GET',
      path: '/api/expired/purges',
      tags: ['Expired'],
      summary: 'Purges, latest first',
    })
    .input(nothing.optional())
    .output(z.array(purgeRecord)),
};

import { z } from 'zod';
import { documentFilter } from './documents.ts';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, instant } from './schemas/common-schemas.ts';
import { onExpire } from './ttl-indexes.ts';

/** The member of an exported document that holds its expiration. An import always removes it from the document. */
export const EXPIRATION_MEMBER = '$expiration';

export const exportedExpiration = z.object({
  /** Deadline; null: none, or pinned. */
  deadlineAt: instant.nullable(),
  /** The governing index, or `explicit`. An index reads its reference time from the document itself. */
  deadlineFrom: z.string().nullable(),
  exportedAt: instant,
  /** Set by hand [E1]. */
  explicit: z
    .union([z.object({ at: instant, onExpire: onExpire.optional() }), z.object({ never: z.literal(true) })])
    .optional(),
  /** Duration of the explicit expiration if one was set [E2], s. */
  after: z.number().optional(),
});
export type ExportedExpiration = z.infer<typeof exportedExpiration>;

/** An export is read page by page: the reader determines the pace and can stop at any time. */
export const exports = {
  read: procedure({ permission: 'read', writes: false, feature: 'export' })
    .input(
      z.object({
        collection: collectionName,
        after: z.string().optional(),
        /** `_id`s of the documents to export; not with `filter`. */
        ids: z.array(z.string()).max(100_000).optional(),
        /** Exports the documents that `documents.list` returns with this filter. */
        filter: documentFilter.optional(),
        /**
         * Adds `$expiration` to each document: its deadline, the source of the deadline, and its explicit expiration.
         */
        deadlines: z.boolean().default(false),
        includeExpired: z.boolean().default(false),
        limit: count.min(1).max(10_000).default(1_000),
      }),
    )
    .output(
      z.object({
        /** NDJSON: one document per line. */
        text: z.string(),
        documents: count,
        next: z.string().nullable(),
        revision: count,
      }),
    ),
};

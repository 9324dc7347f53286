import { z } from 'zod';
import { collectionName, count } from './common-schemas.ts';
import { documentFilter } from './documents.ts';
import { procedure } from './procedure-builder.ts';

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

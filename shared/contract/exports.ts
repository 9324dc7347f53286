import { z } from 'zod';
import { collectionName, count, procedure } from './base.ts';
import { documentFilter } from './documents.ts';

/** An export is read in pages, so that whoever reads sets the pace, and stops when they like. */
export const exports = {
  read: procedure({ permission: 'read', writes: false })
    .input(
      z.object({
        collection: collectionName,
        after: z.string().optional(),
        /** Only these; not with `filter`. */
        ids: z.array(z.string()).max(100_000).optional(),
        /** Only what it chooses, as a page of `documents.list` would. */
        filter: documentFilter.optional(),
        /** Each document carries `$expiration`: its deadline, where that is from, and its explicit expiration. */
        deadlines: z.boolean().default(false),
        includeExpired: z.boolean().default(false),
        limit: count.min(1).max(10_000).default(1_000),
      }),
    )
    .output(
      z.object({
        /** NDJSON: a document a line. */
        text: z.string(),
        documents: count,
        next: z.string().nullable(),
        revision: count,
      }),
    ),
};

import { z } from 'zod';
import { instant } from './common-schemas.ts';
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

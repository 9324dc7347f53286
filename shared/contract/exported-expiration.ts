import { z } from 'zod';
import { instant } from './base.ts';
import { onExpire } from './ttl-indexes.ts';

/** The member of an exported document that keeps its expiration. An import takes it out again, whatever it holds. */
export const EXPIRATION_MEMBER = '$expiration';

export const exportedExpiration = z.object({
  /** Null: it had none, or was pinned. */
  deadlineAt: instant.nullable(),
  /** The index that gave it, or `explicit`. An index reads its reference time from the document itself. */
  deadlineFrom: z.string().nullable(),
  exportedAt: instant,
  /** Set by hand [E1]. */
  explicit: z
    .union([z.object({ at: instant, onExpire: onExpire.optional() }), z.object({ never: z.literal(true) })])
    .optional(),
  /** The duration in seconds that the explicit expiration was given as [E2]. */
  after: z.number().optional(),
});
export type ExportedExpiration = z.infer<typeof exportedExpiration>;

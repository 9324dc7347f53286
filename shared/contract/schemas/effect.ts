import { z } from 'zod';
import { collectionName, count, instant } from './common-schemas.ts';

/** Number of documents that a person confirmed to become due [R8]. */
export const effectExpectation = z.strictObject({ due: count });

/**
 * Exact effect of a bulk change, a manual pass, a resume or a confirmation. A 409 answer has it as `data.effect`; its
 * `due` is the value for `expect` [R8].
 */
export const effect = z.object({
  at: instant,
  /** Number of documents in the collections below. */
  documents: count,
  /**
   * Number of documents that become due at once or, by a change of expirations, within 24 h, and were not due before.
   */
  due: count,
  /** Number of documents that `only` leaves unchanged, in all collections; absent without it. */
  unchanged: count.optional(),
  /** Whether one collection exceeds what `confirmShare` and `confirmDocuments` allow without confirmation. */
  needsConfirmation: z.boolean(),
  /** Collections in which documents become due. */
  collections: z.array(z.object({ collection: collectionName, documents: count, due: count })),
});
export type Effect = z.infer<typeof effect>;

/** Returns the effect in the engine's refusal of an unconfirmed call [R8]; null if the error has none. */
export function effectIn(data: unknown): Effect | null {
  const read = z.object({ effect }).safeParse(data);
  return read.success ? read.data.effect : null;
}

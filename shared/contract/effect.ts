import { z } from 'zod';
import { collectionName, count, instant } from './common-schemas.ts';

/** Number of documents that a person confirmed to become due [R8]. */
export const effectExpectation = z.strictObject({ due: count });

/**
 * Exact effect of a bulk change, a pass by hand, a resume or a confirmation. Answers of 409 carry it as `data.effect`,
 * and `due` of it is what `expect` takes [R8].
 */
export const effect = z.object({
  at: instant,
  /** Documents of the collections below. */
  documents: count,
  /** Documents that become due at once or, by a change of expirations, within 24 h, and were not before. */
  due: count,
  /** More than the settings `confirmShare` and `confirmDocuments` allow without confirmation, in one collection. */
  needsConfirmation: z.boolean(),
  /** Collections in which documents become due. */
  collections: z.array(z.object({ collection: collectionName, documents: count, due: count })),
});
export type Effect = z.infer<typeof effect>;

/** Returns the effect in the data of an error with which the engine refuses an unconfirmed call [R8]; null if there is none. */
export function effectIn(data: unknown): Effect | null {
  const read = z.object({ effect }).safeParse(data);
  return read.success ? read.data.effect : null;
}

import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { base, collectionName, count, indexName, instant } from './base.ts';

const place = z.object({ revision: count, at: instant });

/** [V2, V4] One change of one document, or the marker behind the last of its revision. */
export const changeEvent = z.discriminatedUnion('kind', [
  place.extend({
    kind: z.enum(['insert', 'update', 'delete', 'expiration', 'definition']),
    position: count,
    collection: collectionName,
    _id: z.string(),
  }),
  place.extend({
    kind: z.literal('expire'),
    position: count,
    collection: collectionName,
    _id: z.string(),
    /** The index that acted, or `explicit`. */
    index: indexName,
    action: z.enum(['delete', 'patch', 'replace', 'move']),
    deadlineAt: instant,
    /** From the deadline to the action. */
    lagMs: z.number(),
    /** 0: completed by a write of the same `_id` and not by the reaper [C4]. */
    pass: count,
  }),
  /** Everything of this revision has been told. */
  place.extend({ kind: z.literal('end') }),
]);
export type ChangeEvent = z.infer<typeof changeEvent>;

export const events = {
  watch: base
    .route({
      method: 'GET',
      path: '/api/events',
      tags: ['Live'],
      summary:
        'Every change in order, as server-sent events; an event’s id is revision.position, and `from` (or Last-Event-ID) resumes [V2, V3]',
    })
    .input(
      z
        .object({
          collection: collectionName.optional(),
          /**
           * `revision` or `revision.position`, inclusive; without it, what is committed from now on. Below the oldest
           * kept it is REVISION_COMPACTED, which names that one.
           */
          from: z.coerce
            .string()
            .regex(/^\d{1,16}(\.\d{1,10})?$/, 'from is revision or revision.position.')
            .optional(),
        })
        .optional(),
    )
    .output(eventIterator(changeEvent)),
};

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
    deadlineAt: instant,
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
        'Every change as it is committed, as server-sent events [V2]; an event’s id is revision.position',
    })
    .input(z.object({ collection: collectionName.optional() }).optional())
    .output(eventIterator(changeEvent)),
};

import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { collectionName, count, indexName, instant, procedure, queryNumber } from './base.ts';

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

/** `revision` or `revision.position`, inclusive. */
const from = z.coerce
  .string()
  .regex(/^\d{1,16}(\.\d{1,10})?$/, 'from is revision or revision.position.')
  .optional();

export const events = {
  /**
   * The same as `watch`, a page at a time and at the pace of whoever asks: as soon as there is something, and
   * without events when nothing came within `waitMs`. Ask again from `next`.
   */
  read: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/changes',
      tags: ['Live'],
      summary: 'A page of the change log; ask again from its `next` [V2, V3]',
    })
    .input(
      z.object({
        collection: collectionName.optional(),
        from,
        limit: queryNumber.pipe(z.number().int().min(1).max(5_000)).default(500),
        waitMs: queryNumber.pipe(z.number().int().min(0).max(30_000)).default(0),
      }),
    )
    .output(
      z.object({
        /** `id` is `revision.position`. */
        events: z.array(z.object({ id: z.string(), event: changeEvent })),
        next: z.string(),
        /** Of the store. */
        revision: count,
      }),
    ),
  /**
   * Events come as they happen. Over HTTP no faster than they are read; over a port or a socket they gather with one
   * that reads slowly, so whoever begins far back asks `read` (see shared/model/pulled-events.ts).
   */
  watch: procedure({ permission: 'read', writes: false })
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
           * Without it, what is committed from now on. Below the oldest kept it is REVISION_COMPACTED, which names
           * that one; ahead of what is committed, it waits.
           */
          from,
        })
        .optional(),
    )
    .output(eventIterator(changeEvent)),
};

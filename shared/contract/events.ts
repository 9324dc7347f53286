import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, indexName, instant, queryNumber } from './schemas/common-schemas.ts';

const place = z.object({ revision: count, at: instant });

/** [V2, V4] One change of one document, or the end of a revision. */
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
    /** Time from the deadline to the action. */
    lagMs: z.number(),
    /** 0: the expiry was completed by a write of the same `_id`, not by the reaper [C4]. */
    pass: count,
  }),
  /** Marks the last event of its revision. */
  place.extend({ kind: z.literal('end') }),
]);
export type ChangeEvent = z.infer<typeof changeEvent>;

/** `revision` or `revision.position`, inclusive. */
const from = z.coerce
  .string()
  .regex(/^\d{1,16}(\.\d{1,10})?$/, 'from is revision or revision.position.')
  .optional();

const pageInput = z.object({
  collection: collectionName.optional(),
  from,
  limit: queryNumber.pipe(z.number().int().min(1).max(5_000)).default(500),
  waitMs: queryNumber.pipe(z.number().int().min(0).max(30_000)).default(0),
});

export const events = {
  /**
   * The events of `watch`, one page at a time. Answers as soon as there is an event, or without events after `waitMs`.
   * Call again with `from: next`.
   */
  read: procedure({ permission: 'read', writes: false, feature: 'changeLog' })
    .route({
      method: 'GET',
      path: '/api/changes',
      tags: ['Live'],
      summary: 'A page of the change log; the next page begins at `next` [V2, V3]',
    })
    .input(pageInput)
    .output(
      z.object({
        /** `id` is `revision.position`. */
        events: z.array(z.object({ id: z.string(), event: changeEvent })),
        next: z.string(),
        /** Revision of the store. */
        revision: count,
      }),
    ),
  /**
   * The same page as the text of an event stream, for a host that sends it on unread. Decoding and encoding the events
   * once more would take twice as long as reading them.
   */
  readFrames: procedure({ permission: 'read', writes: false, feature: 'changeLog' })
    .input(pageInput)
    .output(
      z.object({
        /** Server-sent events: `message`, with the event's id, and its JSON as data; empty without events. */
        frames: z.string(),
        next: z.string(),
      }),
    ),
  /**
   * Events as they happen. Over HTTP they are sent no faster than they are read. Over a port or a socket they are
   * buffered for a slow reader, so a reader that starts far back should use `read` (see
   * shared/model/change-log/pulled-events.ts).
   */
  watch: procedure({ permission: 'read', writes: false, feature: 'changeLog' })
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
           * Absent: events committed from now on. Below the oldest revision kept: REVISION_COMPACTED, which names that
           * revision. Ahead of the last commit: waits for it.
           */
          from,
        })
        .optional(),
    )
    .output(eventIterator(changeEvent)),
};

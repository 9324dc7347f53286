import { z } from 'zod';
import { job } from './jobs.ts';
import { procedure } from './procedure-builder.ts';
import { hold, pause } from './reaper.ts';
import { collectionName, count, instant, nothing } from './schemas/common-schemas.ts';

const collectionState = z.enum(['none', 'running', 'paused', 'held', 'building']);

/** Summary of a collection, kept without reading documents [M1]. */
export const collectionSummary = z.object({
  name: collectionName,
  /** Stored documents, overdue ones included. */
  documents: count,
  bytes: count,
  withDeadline: count,
  pinned: count,
  /** Past their deadline and still stored; hidden from reads. */
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  /**
   * Time at which the reaper acts on overdue documents: their deadline, or the next tick of their index's schedule
   * [R1]. An instant in the past means that the reaper is late. Null: nothing is overdue.
   */
  actionDueAt: instant.nullable(),
  /** The longest interval between two ticks of one of its indexes [R1]; null: each index removes at its deadlines. */
  passEveryMs: z.number().nullable(),
  /** Past their deadline and left unchanged because the action failed [A5]. */
  quarantined: count,
  nextDeadlineAt: instant.nullable(),
  /** The index with the next deadline, or `explicit`. */
  nextDeadlineFrom: z.string().nullable(),
  ttlIndexes: count,
  /**
   * `none`: no TTL; `building`: an index is being built or recounted; `paused`: this collection or the whole store.
   */
  state: collectionState,
  paused: pause.nullable(),
  holds: z.array(hold),
  /** The counts by earliest deadline are being rebuilt; until then counts are per index. */
  recounting: z.boolean(),
  createdAt: instant,
});
export type CollectionSummary = z.infer<typeof collectionSummary>;

export const droppedCollection = z.object({
  id: count,
  name: collectionName,
  documents: count,
  bytes: count,
  droppedAt: instant,
  droppedBy: z.string(),
  /** The collection can be restored until this instant. */
  keepUntil: instant,
});
export type DroppedCollection = z.infer<typeof droppedCollection>;

export const collections = {
  list: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/collections', tags: ['Collections'], summary: 'List collections' })
    .input(nothing.optional())
    .output(z.array(collectionSummary)),
  create: procedure({ permission: 'write', writes: true, feature: 'collections' })
    .route({
      method: 'POST',
      path: '/api/collections',
      tags: ['Collections'],
      summary: 'Create a collection',
      successStatus: 201,
    })
    .input(z.object({ name: collectionName }))
    .output(collectionSummary),
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}',
      tags: ['Collections'],
      summary: 'One collection',
    })
    .input(z.object({ collection: collectionName }))
    .output(collectionSummary),
  drop: procedure({ permission: 'configure', writes: true, feature: 'collections' })
    .route({
      method: 'DELETE',
      path: '/api/collections/{collection}',
      tags: ['Collections'],
      summary: 'Drop a collection with its documents and indexes',
    })
    .input(z.object({ collection: collectionName }))
    .output(z.object({ dropped: z.literal(true), documents: count })),
  /** Dropped collections that can still be restored [X4]. */
  dropped: procedure({ permission: 'read', writes: false, feature: 'collections' })
    .route({
      method: 'GET',
      path: '/api/dropped-collections',
      tags: ['Collections'],
      summary: 'Dropped collections that can be restored',
    })
    .input(nothing.optional())
    .output(z.array(droppedCollection)),
  restore: procedure({ permission: 'configure', writes: true, feature: 'collections' })
    .route({
      method: 'POST',
      path: '/api/dropped-collections/{id}/restore',
      tags: ['Collections'],
      summary: 'Restore a dropped collection, under its name or another [X4]',
    })
    .input(z.object({ id: z.coerce.number().int(), name: collectionName.optional() }))
    .output(collectionSummary),
  purge: procedure({ permission: 'configure', writes: true, feature: 'collections' })
    .route({
      method: 'DELETE',
      path: '/api/dropped-collections/{id}',
      tags: ['Collections'],
      summary: 'Purge a dropped collection now; a job [X4]',
    })
    .input(z.object({ id: z.coerce.number().int() }))
    .output(job),
};

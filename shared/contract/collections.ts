import { z } from 'zod';
import { base, collectionName, count, instant, nothing } from './base.ts';
import { pause } from './reaper.ts';

export const collectionState = z.enum(['none', 'running', 'paused', 'building']);

/** What is known of a collection at any moment without reading a document [M1]. */
export const collectionSummary = z.object({
  name: collectionName,
  /** Stored and not yet removed; those overdue are among them. */
  documents: count,
  bytes: count,
  withDeadline: count,
  pinned: count,
  /** Past their deadline and still stored: hidden from reads. */
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  nextDeadlineAt: instant.nullable(),
  /** Index (or `explicit`) of the next deadline. */
  nextDeadlineFrom: z.string().nullable(),
  ttlIndexes: count,
  /** `none`: no TTL; `building`: an index is being built or recounted; `paused`: here or for the whole store. */
  state: collectionState,
  paused: pause.nullable(),
  /** The earliest-deadline counts are being made again; counts are per index meanwhile. */
  recounting: z.boolean(),
  createdAt: instant,
});
export type CollectionSummary = z.infer<typeof collectionSummary>;

export const collections = {
  list: base
    .route({ method: 'GET', path: '/api/collections', tags: ['Collections'], summary: 'List collections' })
    .input(nothing.optional())
    .output(z.array(collectionSummary)),
  create: base
    .route({
      method: 'POST',
      path: '/api/collections',
      tags: ['Collections'],
      summary: 'Create a collection',
      successStatus: 201,
    })
    .input(z.object({ name: collectionName }))
    .output(collectionSummary),
  get: base
    .route({
      method: 'GET',
      path: '/api/collections/{collection}',
      tags: ['Collections'],
      summary: 'One collection',
    })
    .input(z.object({ collection: collectionName }))
    .output(collectionSummary),
  drop: base
    .route({
      method: 'DELETE',
      path: '/api/collections/{collection}',
      tags: ['Collections'],
      summary: 'Drop a collection with its documents and indexes',
    })
    .input(z.object({ collection: collectionName }))
    .output(z.object({ dropped: z.literal(true), documents: count })),
};

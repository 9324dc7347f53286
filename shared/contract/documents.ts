import { z } from 'zod';
import {
  collectionName,
  count,
  indexName,
  instant,
  jsonObject,
  procedure,
  queryFlag,
  queryNumber,
} from './base.ts';
import { job, rejectedDocument, writeMode } from './jobs.ts';
import { onExpire } from './ttl-indexes.ts';

/**
 * What a document is waiting for. `soon`: due within the hour. `paused`: overdue, and its index, collection or store is
 * paused. `quarantined`: overdue, and left as it is because the action did not get it out of the way [A5].
 */
export const documentState = z.enum(['live', 'soon', 'overdue', 'paused', 'quarantined', 'never', 'pinned']);
export type DocumentState = z.infer<typeof documentState>;

/** What an overdue document waits for [X1]. */
export const waitsFor = z.enum([
  'reaper',
  'paused index',
  'paused collection',
  'paused store',
  'schedule',
  'hold',
  'limit',
  'quarantine',
  'index build',
]);
export type WaitsFor = z.infer<typeof waitsFor>;

export const documentRecord = z.object({
  _id: z.string(),
  document: jsonObject,
  updatedAt: instant,
  deadlineAt: instant.nullable(),
  /** The index that gives the deadline, or `explicit`. */
  deadlineFrom: z.string().nullable(),
  state: documentState,
  /** Ordinary reads do not see it: it is past its deadline, and due for delete or move [V1]. */
  hidden: z.boolean(),
  /** Only of one that is past its deadline. */
  waitsFor: waitsFor.optional(),
  /** Of the whole document, clipped or not. */
  bytes: count,
  /** Only with `clip`: not all of the document is here. */
  clipped: z.literal(true).optional(),
});
export type DocumentRecord = z.infer<typeof documentRecord>;

export const writeReport = z.object({
  inserted: count,
  updated: count,
  /** Of those, how many were past their deadline the moment they were written [C4]. */
  expiredOnArrival: count,
  /** The first 1,000 of them; `rejectedCount` says how many there are where that is more. */
  rejected: z.array(rejectedDocument),
  rejectedCount: count.optional(),
  /** The `_id` of each written document, in order; only for up to 1,000 documents. */
  ids: z.array(z.string()),
  revision: count,
});
export type WriteReport = z.infer<typeof writeReport>;

const inCollection = z.object({ collection: collectionName });
const oneDocument = inCollection.extend({ id: z.string() });

export const deadlineCandidate = z.object({
  from: z.string(),
  deadlineAt: instant.nullable(),
  /** Why this index gives none. */
  reason: z.string().nullable(),
  /** What an expression or a quarantined action said of it [D8, A5]. */
  message: z.string().nullable(),
  paused: z.boolean(),
});

/** [X1] */
export const explanation = z.object({
  _id: z.string(),
  state: documentState,
  deadlineAt: instant.nullable(),
  deadlineFrom: z.string().nullable(),
  /** Null while it is not due. */
  waitsFor: waitsFor.nullable(),
  /** One sentence for a person. */
  sentence: z.string(),
  candidates: z.array(deadlineCandidate),
});
export type Explanation = z.infer<typeof explanation>;

export const expirationRecord = z.object({
  _id: z.string(),
  deadlineAt: instant.nullable(),
  deadlineFrom: z.string().nullable(),
  state: documentState,
});

/** What happens at the instant, unless it is deleted [E1]. */
const instead = onExpire.optional();
/** `{at}` epoch ms, `{after}` seconds from now, or `{never: true}` [E1]. */
export const expirationSetting = z.union(
  [
    z.strictObject({ at: z.number(), onExpire: instead }),
    z.strictObject({ after: z.number(), onExpire: instead }),
    z.strictObject({ never: z.literal(true) }),
  ],
  'Give one of {"at": milliseconds since 1970}, {"after": seconds from now} and {"never": true}; both are numbers, not text.',
);
export type ExpirationSetting = z.infer<typeof expirationSetting>;

/** Documents chosen by what a page of `documents.list` can be asked for. */
export const documentFilter = z.strictObject({
  state: documentState.optional(),
  index: indexName.optional(),
  reason: z.string().optional(),
  dueFrom: z.number().optional(),
  dueTo: z.number().optional(),
  /** Text that the document's JSON holds. */
  filter: z.string().optional(),
  /** A CEL condition over `doc` and `updatedAt`; one that has no value for a document does not choose it. */
  cel: z.string().optional(),
});
export type DocumentFilter = z.infer<typeof documentFilter>;

/** Either `ids`, or a `filter` that is walked in chunks [E3]. */
const chosen = {
  ids: z.array(z.string()).min(1).max(100_000).optional(),
  filter: documentFilter.optional(),
};

/** `updatedAt` only where a lastModified index serves it. */
export const sortKey = z.enum(['_id', 'deadline', 'updatedAt']);
const path = '/api/collections/{collection}/documents';
const tags = ['Documents'];

export const documents = {
  write: procedure({ permission: 'write', writes: true, body: 'documents' })
    .route({
      method: 'POST',
      path,
      tags,
      summary: 'Write documents: one object, an array of them, or NDJSON',
      inputStructure: 'detailed',
    })
    .input(
      z.object({
        params: inCollection,
        query: z
          .object({ mode: writeMode.default('insert'), atomic: queryFlag.default(false) })
          .default({ mode: 'insert', atomic: false }),
        body: z.unknown(),
      }),
    )
    .output(writeReport),
  list: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path, tags, summary: 'A page of documents' })
    .input(
      inCollection.extend({
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
        after: z.string().optional(),
        /** Begin at this `_id` (with `sort: _id`). */
        startAt: z.string().optional(),
        sort: sortKey.default('_id'),
        order: z.enum(['asc', 'desc']).default('asc'),
        state: documentState.optional(),
        /** Only documents that no TTL index or only this one governs. */
        index: indexName.optional(),
        reason: z.string().optional(),
        dueFrom: queryNumber.optional(),
        dueTo: queryNumber.optional(),
        filter: z.string().optional(),
        /** A CEL condition, as in `documentFilter`. INVALID_FILTER names the column of a mistake. */
        cel: z.string().optional(),
        /**
         * Of a document of more JSON than this many bytes only the beginnings of its values are given, enough for a row
         * of a table; its record says `clipped`.
         */
        clip: queryNumber.pipe(z.number().int().min(1_024)).optional(),
        includeExpired: queryFlag.default(false),
      }),
    )
    .output(
      z.object({
        documents: z.array(documentRecord),
        /** Give it back as `after` for the next page; null at the end. */
        next: z.string().nullable(),
        /** True where a page ended before it was full: a scan at its time limit, or large documents at the page's size. */
        partial: z.boolean(),
        now: instant,
        revision: count,
      }),
    ),
  get: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: `${path}/{id}`, tags, summary: 'One document' })
    .input(oneDocument.extend({ includeExpired: queryFlag.default(false) }))
    .output(documentRecord),
  put: procedure({ permission: 'write', writes: true, body: 'documents' })
    .route({
      method: 'PUT',
      path: `${path}/{id}`,
      tags,
      summary: 'Write one document; its explicit expiration stays [C3]',
      inputStructure: 'detailed',
    })
    .input(z.object({ params: oneDocument, body: jsonObject }))
    .output(documentRecord.extend({ created: z.boolean(), expiredOnArrival: z.boolean() })),
  delete: procedure({ permission: 'write', writes: true })
    .route({ method: 'DELETE', path: `${path}/{id}`, tags, summary: 'Delete one document by hand' })
    .input(oneDocument)
    .output(z.object({ deleted: z.literal(true), revision: count })),
  explain: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: `${path}/{id}/explanation`,
      tags,
      summary: 'Its deadline, and which rule gave it [X1]',
    })
    .input(oneDocument)
    .output(explanation),
  setExpiration: procedure({ permission: 'write', writes: true })
    .route({
      method: 'PUT',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Set an explicit expiration: {at}, {after} or {never: true} [E1]',
      inputStructure: 'detailed',
    })
    .input(z.object({ params: oneDocument, body: expirationSetting }))
    .output(expirationRecord),
  clearExpiration: procedure({ permission: 'write', writes: true })
    .route({
      method: 'DELETE',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Clear the explicit expiration [E1]',
    })
    .input(oneDocument)
    .output(expirationRecord),
  setExpirations: procedure({ permission: 'write', writes: true, body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/expirations',
      tags,
      summary:
        'Set or clear the explicit expiration of many documents; a job, done when it answers for up to 1,000 ids [E3]',
    })
    .input(
      inCollection.extend({
        ...chosen,
        set: expirationSetting.optional(),
        clear: z.literal(true).optional(),
      }),
    )
    .output(job),
  deleteMany: procedure({ permission: 'write', writes: true, body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/deletions',
      tags,
      summary: 'Delete many documents by hand; a job, done when it answers for up to 1,000 ids',
    })
    .input(inCollection.extend(chosen))
    .output(job),
  keepAlive: procedure({ permission: 'write', writes: true })
    .route({
      method: 'POST',
      path: `${path}/{id}/keep-alive`,
      tags,
      summary: 'Count its explicit duration anew from now (etcd’s lease renewal) [E2]',
    })
    .input(oneDocument)
    .output(expirationRecord),
};

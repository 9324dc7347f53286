import { z } from 'zod';
import {
  base,
  collectionName,
  count,
  indexName,
  instant,
  jsonObject,
  queryFlag,
  queryNumber,
} from './base.ts';

/** What a document is waiting for. `soon`: due within the hour. `paused`: overdue, and its index, collection or store is paused. */
export const documentState = z.enum(['live', 'soon', 'overdue', 'paused', 'never', 'pinned']);
export type DocumentState = z.infer<typeof documentState>;

export const documentRecord = z.object({
  _id: z.string(),
  document: jsonObject,
  updatedAt: instant,
  deadlineAt: instant.nullable(),
  /** The index that gives the deadline, or `explicit`. */
  deadlineFrom: z.string().nullable(),
  state: documentState,
  bytes: count,
});
export type DocumentRecord = z.infer<typeof documentRecord>;

export const rejectedDocument = z.object({
  /** 1-based line of the text, or position in the array. */
  line: count,
  _id: z.string().optional(),
  code: z.string(),
  message: z.string(),
});
export type RejectedDocument = z.infer<typeof rejectedDocument>;

export const writeMode = z.enum(['insert', 'upsert']);

export const writeReport = z.object({
  inserted: count,
  updated: count,
  /** Of those, how many were past their deadline the moment they were written [C4]. */
  expiredOnArrival: count,
  rejected: z.array(rejectedDocument),
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
  paused: z.boolean(),
});

/** [X1] */
export const explanation = z.object({
  _id: z.string(),
  state: documentState,
  deadlineAt: instant.nullable(),
  deadlineFrom: z.string().nullable(),
  /** What an overdue document waits for. */
  waitsFor: z.enum(['reaper', 'paused index', 'paused collection', 'paused store', 'schedule']).nullable(),
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

/** `{at}` epoch ms, `{after}` seconds from now, or `{never: true}` [E1]. */
export const expirationSetting = z.union([
  z.strictObject({ at: z.number() }),
  z.strictObject({ after: z.number() }),
  z.strictObject({ never: z.literal(true) }),
]);
export type ExpirationSetting = z.infer<typeof expirationSetting>;

export const bulkResult = z.object({
  succeeded: count,
  failed: z.array(z.object({ _id: z.string(), code: z.string(), message: z.string() })),
  revision: count,
});
export type BulkResult = z.infer<typeof bulkResult>;

export const sortKey = z.enum(['_id', 'deadline']);
const path = '/api/collections/{collection}/documents';
const tags = ['Documents'];

export const documents = {
  write: base
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
  list: base
    .route({ method: 'GET', path, tags, summary: 'A page of documents' })
    .input(
      inCollection.extend({
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
        after: z.string().optional(),
        sort: sortKey.default('_id'),
        order: z.enum(['asc', 'desc']).default('asc'),
        state: documentState.optional(),
        /** Only documents that no TTL index or only this one governs. */
        index: indexName.optional(),
        reason: z.string().optional(),
        dueFrom: queryNumber.optional(),
        dueTo: queryNumber.optional(),
        filter: z.string().optional(),
        includeExpired: queryFlag.default(false),
      }),
    )
    .output(
      z.object({
        documents: z.array(documentRecord),
        /** Give it back as `after` for the next page; null at the end. */
        next: z.string().nullable(),
        /** True where a scan stopped at its time limit before the page was full. */
        partial: z.boolean(),
        now: instant,
        revision: count,
      }),
    ),
  get: base
    .route({ method: 'GET', path: `${path}/{id}`, tags, summary: 'One document' })
    .input(oneDocument.extend({ includeExpired: queryFlag.default(false) }))
    .output(documentRecord),
  put: base
    .route({
      method: 'PUT',
      path: `${path}/{id}`,
      tags,
      summary: 'Write one document; its explicit expiration stays [C3]',
      inputStructure: 'detailed',
    })
    .input(z.object({ params: oneDocument, body: jsonObject }))
    .output(documentRecord.extend({ created: z.boolean(), expiredOnArrival: z.boolean() })),
  delete: base
    .route({ method: 'DELETE', path: `${path}/{id}`, tags, summary: 'Delete one document by hand' })
    .input(oneDocument)
    .output(z.object({ deleted: z.literal(true), revision: count })),
  explain: base
    .route({
      method: 'GET',
      path: `${path}/{id}/explanation`,
      tags,
      summary: 'Its deadline, and which rule gave it [X1]',
    })
    .input(oneDocument)
    .output(explanation),
  setExpiration: base
    .route({
      method: 'PUT',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Set an explicit expiration: {at}, {after} or {never: true} [E1]',
      inputStructure: 'detailed',
    })
    .input(z.object({ params: oneDocument, body: expirationSetting }))
    .output(expirationRecord),
  clearExpiration: base
    .route({
      method: 'DELETE',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Clear the explicit expiration [E1]',
    })
    .input(oneDocument)
    .output(expirationRecord),
  setExpirations: base
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/expirations',
      tags,
      summary: 'Set or clear the explicit expiration of many documents',
    })
    .input(
      inCollection.extend({
        ids: z.array(z.string()).min(1).max(100_000),
        set: expirationSetting.optional(),
        clear: z.literal(true).optional(),
      }),
    )
    .output(bulkResult),
  deleteMany: base
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/deletions',
      tags,
      summary: 'Delete many documents by hand',
    })
    .input(inCollection.extend({ ids: z.array(z.string()).min(1).max(100_000) }))
    .output(bulkResult),
};

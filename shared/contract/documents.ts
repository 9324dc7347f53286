import { z } from 'zod';
import { DEADLINE_CONDITIONS } from '../model/deadline-condition.ts';
import { job, rejectedDocument, writeMode } from './jobs.ts';
import { procedure } from './procedure-builder.ts';
import {
  collectionName,
  count,
  indexName,
  instant,
  jsonObject,
  queryFlag,
  queryNumber,
} from './schemas/common-schemas.ts';
import { effect, effectExpectation } from './schemas/effect.ts';
import { onExpire } from './ttl-indexes.ts';

/**
 * `soon`: due within the hour. `paused`: overdue, and its index, collection or store is paused. `quarantined`: overdue,
 * and left unchanged because the action neither removed it nor gave it a later deadline [A5].
 */
export const documentState = z.enum(['live', 'soon', 'overdue', 'paused', 'quarantined', 'never', 'pinned']);
export type DocumentState = z.infer<typeof documentState>;

/** Reason why an overdue document is still stored [X1]. */
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
  /** The governing index, or `explicit`. */
  deadlineFrom: z.string().nullable(),
  state: documentState,
  /** Hidden from ordinary reads: past its deadline, and due for delete or move [V1]. */
  hidden: z.boolean(),
  /** Present only if the document is past its deadline. */
  waitsFor: waitsFor.optional(),
  /** Size of the whole document, clipped or not. */
  bytes: count,
  /** Present only with `clip`: the document is not complete. */
  clipped: z.literal(true).optional(),
});
export type DocumentRecord = z.infer<typeof documentRecord>;

export const writeReport = z.object({
  inserted: count,
  updated: count,
  /** Number of these documents that were past their deadline when they were written [C4]. */
  expiredOnArrival: count,
  /** The first 1,000 rejected documents; `rejectedCount` is their total number if there are more. */
  rejected: z.array(rejectedDocument),
  rejectedCount: count.optional(),
  /** The `_id` of each written document, in order; absent for more than 1,000 documents. */
  ids: z.array(z.string()),
  revision: count,
});
export type WriteReport = z.infer<typeof writeReport>;

const inCollection = z.object({ collection: collectionName });
const oneDocument = inCollection.extend({ id: z.string() });

const deadlineCandidate = z.object({
  from: z.string(),
  deadlineAt: instant.nullable(),
  /** Reason why this index gives no deadline. */
  reason: z.string().nullable(),
  /** Error of the expression or of the quarantined action [D8, A5]. */
  message: z.string().nullable(),
  paused: z.boolean(),
});

/** [X1] */
export const explanation = z.object({
  _id: z.string(),
  state: documentState,
  deadlineAt: instant.nullable(),
  deadlineFrom: z.string().nullable(),
  /** Null: not due yet. */
  waitsFor: waitsFor.nullable(),
  /** One sentence for a person. */
  sentence: z.string(),
  candidates: z.array(deadlineCandidate),
});
export type Explanation = z.infer<typeof explanation>;

const expirationRecord = z.object({
  _id: z.string(),
  deadlineAt: instant.nullable(),
  deadlineFrom: z.string().nullable(),
  state: documentState,
});

/** The action at that instant; absent: delete [E1]. */
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

/** Selects documents by the filters of `documents.list`. */
export const documentFilter = z.strictObject({
  state: documentState.optional(),
  index: indexName.optional(),
  reason: z.string().optional(),
  dueFrom: z.number().optional(),
  dueTo: z.number().optional(),
  /** Text that the document's JSON contains. */
  filter: z.string().optional(),
  /** A CEL condition over `doc` and `updatedAt`. Documents for which the condition has no value are not selected. */
  cel: z.string().optional(),
});
export type DocumentFilter = z.infer<typeof documentFilter>;

/** Either `ids`, or a `filter` that is applied in chunks [E3]. */
const chosen = {
  ids: z.array(z.string()).min(1).max(100_000).optional(),
  filter: documentFilter.optional(),
};

/** Requires the feature `conditionalExpiration`. Documents that it does not admit are left unchanged. */
const condition = z.enum(DEADLINE_CONDITIONS);

/** A change of many explicit expirations: either `set` or `clear`. */
const expirationChange = {
  ...chosen,
  /** With `set` of an instant or a duration. */
  only: condition.optional(),
  set: expirationSetting.optional(),
  clear: z.literal(true).optional(),
};

/** `updatedAt` requires a lastModified index. */
export const sortKey = z.enum(['_id', 'deadline', 'updatedAt']);
const path = '/api/collections/{collection}/documents';
const tags = ['Documents'];

export const documents = {
  write: procedure({ permission: 'write', writes: true, feature: 'insert', body: 'documents' })
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
  list: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path, tags, summary: 'A page of documents' })
    .input(
      inCollection.extend({
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
        after: z.string().optional(),
        /** Start at this `_id` (with `sort: _id`). */
        startAt: z.string().optional(),
        sort: sortKey.default('_id'),
        order: z.enum(['asc', 'desc']).default('asc'),
        state: documentState.optional(),
        /** Only documents that this index governs or, with `reason`, to which it gives no deadline. */
        index: indexName.optional(),
        reason: z.string().optional(),
        dueFrom: queryNumber.optional(),
        dueTo: queryNumber.optional(),
        filter: z.string().optional(),
        /** A CEL condition, as in `documentFilter`. Throws INVALID_FILTER with the column of the error. */
        cel: z.string().optional(),
        /**
         * Size of a document's JSON, bytes. Of a larger document only the beginnings of its values are returned, enough
         * for a row of a table; its record has `clipped`.
         */
        clip: queryNumber.pipe(z.number().int().min(1_024)).optional(),
        includeExpired: queryFlag.default(false),
      }),
    )
    .output(
      z.object({
        documents: z.array(documentRecord),
        /** The `after` of the next page; null at the end. */
        next: z.string().nullable(),
        /**
         * Whether the page ended before it was full: a scan reached its time limit, or the documents the size limit of
         * a page.
         */
        partial: z.boolean(),
        now: instant,
        revision: count,
      }),
    ),
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: `${path}/{id}`, tags, summary: 'One document' })
    .input(oneDocument.extend({ includeExpired: queryFlag.default(false) }))
    .output(documentRecord),
  missing: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/missing-documents',
      tags,
      summary: 'Those of up to 1,000 ids under which no document is stored, due or not',
    })
    .input(inCollection.extend({ ids: z.array(z.string()).min(1).max(1_000) }))
    .output(z.object({ missing: z.array(z.string()), revision: count })),
  put: procedure({ permission: 'write', writes: true, feature: 'edit', body: 'documents' })
    .route({
      method: 'PUT',
      path: `${path}/{id}`,
      tags,
      summary: 'Write one document; its explicit expiration stays [C3]',
      inputStructure: 'detailed',
    })
    .input(z.object({ params: oneDocument, body: jsonObject }))
    .output(documentRecord.extend({ created: z.boolean(), expiredOnArrival: z.boolean() })),
  delete: procedure({ permission: 'write', writes: true, feature: 'delete' })
    .route({ method: 'DELETE', path: `${path}/{id}`, tags, summary: 'Delete one document by hand' })
    .input(oneDocument)
    .output(z.object({ deleted: z.literal(true), revision: count })),
  explain: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: `${path}/{id}/explanation`,
      tags,
      summary: 'The deadline of a document and the rule that gave it [X1]',
    })
    .input(oneDocument)
    .output(explanation),
  setExpiration: procedure({ permission: 'write', writes: true, feature: 'expiration' })
    .route({
      method: 'PUT',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Set an explicit expiration: {at}, {after} or {never: true} [E1]',
      inputStructure: 'detailed',
    })
    .input(
      z.object({
        params: oneDocument,
        /** Throws EXPECTATION_FAILED if `only` does not admit the document. */
        query: z.object({ only: condition.optional() }).default({}),
        body: expirationSetting,
      }),
    )
    .output(expirationRecord),
  clearExpiration: procedure({ permission: 'write', writes: true, feature: 'expiration' })
    .route({
      method: 'DELETE',
      path: `${path}/{id}/expiration`,
      tags,
      summary: 'Clear the explicit expiration [E1]',
    })
    .input(oneDocument)
    .output(expirationRecord),
  setExpirations: procedure({ permission: 'write', writes: true, feature: 'expiration', body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/expirations',
      tags,
      summary:
        'Set or clear the explicit expiration of many documents; a job, finished in the answer for up to 1,000 ids [E3]',
    })
    .input(
      inCollection.extend({
        ...expirationChange,
        expect: effectExpectation.optional(),
        /**
         * Instant from which `set.after` counts, for a change that is sent in several calls; at most an hour ago.
         * Default: the beginning of the call, for all of its documents.
         */
        countFrom: instant.optional(),
      }),
    )
    .output(job),
  previewExpirations: procedure({ permission: 'read', writes: false, feature: 'expiration', body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/expirations/preview',
      tags,
      summary: 'The exact effect of setting or clearing the explicit expiration of many documents [R8]',
    })
    .input(inCollection.extend(expirationChange))
    .output(effect),
  deleteMany: procedure({ permission: 'write', writes: true, feature: 'delete', body: 'ids' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/deletions',
      tags,
      summary: 'Delete many documents by hand; a job, finished in the answer for up to 1,000 ids',
    })
    .input(inCollection.extend(chosen))
    .output(job),
  keepAlive: procedure({ permission: 'write', writes: true, feature: 'keepAlive' })
    .route({
      method: 'POST',
      path: `${path}/{id}/keep-alive`,
      tags,
      summary: 'Restart its explicit duration from now (lease renewal in etcd) [E2]',
    })
    .input(oneDocument)
    .output(expirationRecord),
};

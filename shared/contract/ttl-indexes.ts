import { z } from 'zod';
import { LONGEST_EXPIRE_AFTER } from '../model/duration.ts';
import { NEVER_REASONS } from '../model/reference-time.ts';
import { base, collectionName, count, indexName, instant } from './base.ts';
import { pause } from './reaper.ts';

const expireAfter = z
  .number({ error: 'expireAfter is a number of seconds.' })
  .min(0, 'expireAfter is 0 or more seconds.')
  .max(LONGEST_EXPIRE_AFTER, 'expireAfter is at most 100 years.');

export const timeUnit = z.enum(['seconds', 'milliseconds']);

/** [D1, D4] */
export const ttlSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('field'),
    field: z.string(),
    unit: timeUnit.default('seconds'),
    expireAfter,
  }),
]);

export const onExpire = z.discriminatedUnion('action', [z.strictObject({ action: z.literal('delete') })]);

/** [R1] */
export const schedule = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('exact') }),
  z.strictObject({ mode: z.literal('every'), everyMs: z.number().int().min(1).max(86_400_000) }),
]);

/** What the person saw; with `at`, the preview’s own instant, time that passed since changes nothing about it [R8]. */
const expectation = z.strictObject({ dueAtOnce: count, at: instant.optional() });

export const neverReason = z.object({
  reason: z.enum(NEVER_REASONS),
  count,
  /** Up to three `_id`s. */
  examples: z.array(z.string()),
});
export type NeverReasonCount = z.infer<typeof neverReason>;

export const ttlIndex = z.object({
  name: indexName,
  collection: collectionName,
  source: ttlSource,
  onExpire,
  schedule,
  /** `building`: no effect yet. */
  state: z.enum(['building', 'ready']),
  /** The running build. */
  job: z.string().nullable(),
  paused: pause.nullable(),
  createdAt: instant,
  createdBy: z.string(),
  /** Documents with a deadline from this index, and their bytes. */
  documents: count,
  bytes: count,
  overdue: count,
  dueNextHour: count,
  nextDeadlineAt: instant.nullable(),
  never: z.object({ count, reasons: z.array(neverReason) }),
});
export type TtlIndex = z.infer<typeof ttlIndex>;

const byHorizon = z.object({
  dueAtOnce: count,
  nextHour: count,
  nextDay: count,
  nextWeek: count,
  later: count,
  never: count,
});
export type ByHorizon = z.infer<typeof byHorizon>;

/** [X3] Horizons do not overlap: `nextDay` is after the next hour. */
export const preview = z.object({
  revision: count,
  at: instant,
  kind: z.enum(['create', 'change', 'drop']),
  /** All documents of the collection; the horizons add up to it. */
  documents: count,
  dueAtOnce: count,
  nextHour: count,
  nextDay: count,
  nextWeek: count,
  later: count,
  never: z.object({ count, reasons: z.array(neverReason) }),
  bytes: byHorizon,
  /** How long removing what is due at once takes at present limits; null where nothing was measured yet. */
  drainMs: z.number().nullable(),
  nextDeadlineAt: instant.nullable(),
  /** Due documents a bucket over the next 30 days, 6 h each, from `at`. */
  forecast: z.object({ bucketMs: count, due: z.array(count) }),
  /** Up to three real documents with their computed deadline. */
  samples: z.array(
    z.object({
      _id: z.string(),
      /** The value found at the field, absent where it is missing. */
      value: z.unknown(),
      deadlineAt: instant.nullable(),
      reason: z.enum(NEVER_REASONS).nullable(),
    }),
  ),
  elapsedMs: z.number(),
});
export type Preview = z.infer<typeof preview>;

/** A field that could be the source, found in the collection's own documents. */
export const fieldCandidate = z.object({
  field: z.string(),
  /** How many of the sampled documents have it, and of those how many read as a date in `unit`. */
  present: count,
  dates: count,
  types: z.array(z.string()),
  unit: timeUnit.nullable(),
  /** `ISO 8601`, `seconds`, `milliseconds` or `not a date`, for a person. */
  format: z.string(),
  example: z.unknown(),
  earliestAt: instant.nullable(),
  latestAt: instant.nullable(),
});
export type FieldCandidate = z.infer<typeof fieldCandidate>;

/** The index as Macrometa and ArangoDB describe it. */
const ensuredIndex = z.object({
  id: z.string(),
  name: indexName,
  type: z.literal('ttl'),
  fields: z.array(z.string()),
  expireAfter: z.number(),
  sparse: z.literal(true),
  unique: z.literal(false),
  isNewlyCreated: z.boolean(),
  error: z.literal(false),
  code: z.number(),
});

const inCollection = z.object({ collection: collectionName });
const oneIndex = inCollection.extend({ index: indexName });
const path = '/api/collections/{collection}/ttl-indexes';
const tags = ['TTL indexes'];

export const ttlIndexes = {
  list: base
    .route({ method: 'GET', path, tags, summary: 'TTL indexes of a collection' })
    .input(inCollection)
    .output(z.array(ttlIndex)),
  create: base
    .route({
      method: 'POST',
      path,
      tags,
      summary: 'Create a TTL index; it is built in the background',
      successStatus: 201,
    })
    .input(
      inCollection.extend({
        name: indexName.optional(),
        source: ttlSource,
        onExpire: onExpire.default({ action: 'delete' }),
        schedule: schedule.default({ mode: 'exact' }),
        expect: expectation.optional(),
      }),
    )
    .output(ttlIndex),
  get: base
    .route({ method: 'GET', path: `${path}/{index}`, tags, summary: 'One TTL index' })
    .input(oneIndex)
    .output(ttlIndex),
  update: base
    .route({
      method: 'PATCH',
      path: `${path}/{index}`,
      tags,
      summary: 'Change a TTL index; documents are not touched',
    })
    .input(
      oneIndex
        .extend({
          source: z
            .object({ kind: z.literal('field'), field: z.string(), unit: timeUnit, expireAfter })
            .partial()
            .optional(),
          expireAfter: expireAfter.optional(),
          schedule: schedule.nullable().optional(),
          expect: expectation.optional(),
        })
        .strict(),
    )
    .output(ttlIndex),
  drop: base
    .route({
      method: 'DELETE',
      path: `${path}/{index}`,
      tags,
      summary: 'Drop a TTL index; its deletes stop at once',
    })
    .input(oneIndex)
    .output(z.object({ dropped: z.literal(true) })),
  preview: base
    .route({
      method: 'POST',
      path: `${path}/preview`,
      tags,
      summary: 'The exact effect of creating, changing or dropping an index [X3]',
    })
    .input(
      inCollection.extend({
        /** An existing index is changed or dropped; otherwise one is created. */
        name: indexName.optional(),
        source: ttlSource.optional(),
        drop: z.literal(true).optional(),
      }),
    )
    .output(preview),
  candidates: base
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/fields',
      tags,
      summary: 'Fields that could be the source, best first',
    })
    .input(inCollection)
    .output(z.object({ sampled: count, documents: count, fields: z.array(fieldCandidate) })),
  /** Macrometa's and ArangoDB's own call: *ensures* the index, one per collection on this route, unit seconds. */
  ensure: base
    .route({
      method: 'POST',
      path: '/_api/index/ttl',
      tags: ['Macrometa'],
      summary: 'Ensure a TTL index, as Macrometa and ArangoDB spell it',
      inputStructure: 'detailed',
      outputStructure: 'detailed',
    })
    .input(
      z.object({
        query: z.object({ collection: collectionName }),
        body: z.object({
          type: z.literal('ttl', { error: 'type is "ttl".' }),
          fields: z.array(z.string()).length(1, 'Exactly one attribute path has to be given.'),
          expireAfter,
          name: indexName.optional(),
          inBackground: z.boolean().optional(),
        }),
      }),
    )
    .output(
      z.union([
        z.object({ status: z.literal(200), body: ensuredIndex }),
        z.object({ status: z.literal(201), body: ensuredIndex }),
      ]),
    ),
};

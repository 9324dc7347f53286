import { z } from 'zod';
import { LONGEST_PATTERN } from '../model/dates/date-pattern.ts';
import { MOST_FORMATS } from '../model/dates/format-list.ts';
import { LONGEST_EXPIRE_AFTER } from '../model/duration.ts';
import { NEVER_REASONS } from '../model/reference-time.ts';
import { job } from './jobs.ts';
import { procedure } from './procedure-builder.ts';
import { pause } from './reaper.ts';
import { collectionName, count, indexName, instant, jsonObject, nothing } from './schemas/common-schemas.ts';

const expireAfter = z
  .number({ error: 'expireAfter is a number of seconds.' })
  .min(0, 'expireAfter is 0 or more seconds.')
  .max(LONGEST_EXPIRE_AFTER, 'expireAfter is at most 100 years.');

const timeUnit = z.enum(['seconds', 'milliseconds']);

const reading = {
  field: z.string(),
  unit: timeUnit.default('seconds'),
  /** Formats of date strings, tried in order [D3]; `iso` stands for strings that are read without a format. */
  formats: z.array(z.string().max(LONGEST_PATTERN)).min(1).max(MOST_FORMATS).optional(),
  /** The zone of date strings without an offset: an IANA name, `UTC` or `±HH:MM`; only with formats. Absent: UTC. */
  zone: z.string().max(64).optional(),
};

/** Returns the schema of a source whose durations are read by `seconds` [D1, D2, D4, D7, D8]. */
export function ttlSourceWith<Seconds extends z.ZodType<number>>(seconds: Seconds) {
  return z.union(
    [
      z.strictObject({
        kind: z.literal('field'),
        ...reading,
        expireAfter: seconds,
        expireAfterField: z.undefined().optional(),
      }),
      z.strictObject({
        kind: z.literal('field'),
        ...reading,
        /** The field with the document's own TTL, s. */
        expireAfterField: z.string(),
        expireAfter: z.undefined().optional(),
      }),
      z.strictObject({ kind: z.literal('lastModified'), expireAfter: seconds }),
      z.strictObject({ kind: z.literal('expression'), expression: z.string().max(10_000) }),
    ],
    'Give kind "field" with field and either expireAfter (a number of seconds) or expireAfterField, kind "lastModified" with expireAfter, or kind "expression" with expression.',
  );
}
export const ttlSource = ttlSourceWith(expireAfter);

/** [A1 to A4] */
export const onExpire = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('delete') }),
  /** A JSON Merge Patch (RFC 7396): null removes a field. */
  z.strictObject({ action: z.literal('patch'), patch: jsonObject }),
  /** A CEL expression over `doc` and `now` that returns the new document, or null to delete the document. */
  z.strictObject({ action: z.literal('replace'), expression: z.string().max(10_000) }),
  /** Moves the document to another collection of the store, in the same transaction. */
  z.strictObject({ action: z.literal('move'), to: collectionName }),
]);

/** [R1] */
export const schedule = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('exact') }),
  z.strictObject({ mode: z.literal('every'), everyMs: z.number().int().min(1).max(86_400_000) }),
  z.strictObject({ mode: z.literal('cron'), cron: z.string().max(200), timeZone: z.string().default('UTC') }),
  z.strictObject({ mode: z.literal('observe') }),
]);

/** [R3] The store's default applies to an absent limit. */
export const limits = z.strictObject({
  /** Documents per second; 0: unlimited. */
  removalsPerSecond: z.number().min(0).max(10_000_000).optional(),
  /** Longest time that one batch holds the writer. */
  batchMs: z.number().min(0.5).max(1_000).optional(),
  /** Most documents in one batch; 0: limited by its time only. */
  batchSize: count.max(1_000_000).optional(),
});
/** Each limit is changed separately; null: the store's default (CockroachDB's RESET). */
const limitChanges = z.strictObject({
  removalsPerSecond: limits.shape.removalsPerSecond.nullable(),
  batchMs: limits.shape.batchMs.nullable(),
  batchSize: limits.shape.batchSize.nullable(),
});
/** Time for which expired documents can be restored [X4], s; null: the store's default, 0: not at all. */
const retention = z.number().min(0, 'retention is 0 or more seconds.').max(LONGEST_EXPIRE_AFTER).nullable();

/** Policy for a partition that is past its deadline as a whole: its rows leave like others, or it is dropped. */
export const partitionPolicy = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('rows') }),
  z.strictObject({ mode: z.literal('drop') }),
  /** Detached, and dropped so many seconds later. */
  z.strictObject({ mode: z.literal('keep'), seconds: z.number().min(0) }),
]);

const parameterValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
/** Settings by the engine's own names; which ones is in the capabilities, `indexChoices.parameters`. */
const engineParameters = z.record(z.string().max(200), parameterValue);
/** Null: the engine's default. */
const engineParameterChanges = z.record(z.string().max(200), parameterValue.nullable());

/** The definition of an index without its name. */
export const storedDefinition = z.object({
  source: ttlSource,
  onExpire,
  schedule,
  limits: limits.default({}),
  retention: retention.default(null),
});

/**
 * The preview that the person confirmed. With `at`, the preview’s instant, documents that fell due since then are
 * ignored [R8].
 */
const expectation = z.strictObject({ dueAtOnce: count, at: instant.optional() });

export const neverReason = z.object({
  reason: z.enum(NEVER_REASONS),
  count,
  /** Up to three `_id`s. */
  examples: z.array(z.string()),
  /** Error of the expression, or of the quarantined action, for the first example [D8, A5]. */
  message: z.string().optional(),
});
export type NeverReasonCount = z.infer<typeof neverReason>;

/** Formats for values that are not read as dates yet [D3]. */
export const formatOffer = z.object({
  formats: z.array(z.string()),
  /** Number of these values that the formats read. */
  values: count,
  /**
   * Reason why a person has to decide: the order of day and month is ambiguous, or years have two digits. Null:
   * certain.
   */
  doubt: z.enum(['order', 'year']).nullable(),
  /** A value, and its instant if the zone is UTC. */
  example: z.string(),
  exampleAt: instant,
  earliestAt: instant,
  latestAt: instant,
});
export type FormatOffer = z.infer<typeof formatOffer>;

export const ttlIndex = z.object({
  name: indexName,
  collection: collectionName,
  source: ttlSource,
  onExpire,
  schedule,
  limits,
  retention,
  /** Only of a table of PostgreSQL. */
  partitions: partitionPolicy.optional(),
  /** Only of an engine that has such parameters. */
  parameters: engineParameters.optional(),
  /**
   * `building`: not in effect yet. `unconfirmed`: built, and not in effect until its effect is confirmed [R8].
   * `observing`: counts and removes nothing [R1].
   */
  state: z.enum(['building', 'unconfirmed', 'observing', 'ready']),
  /** A change that is not in effect until it is confirmed [R6, R8]. */
  pending: z
    .object({
      source: ttlSource,
      /** The whole new definition, including its source. */
      definition: storedDefinition,
      by: z.string(),
      since: instant,
      dueAtOnce: count,
    })
    .nullable(),
  /** Another source that is being built; until then the present one stays in effect [D8]. Null: none. */
  successor: z.object({ source: ttlSource, by: z.string(), since: instant }).nullable(),
  /** The job of a running build. */
  job: z.string().nullable(),
  paused: pause.nullable(),
  createdAt: instant,
  createdBy: z.string(),
  /** Number of documents with a deadline from this index, and their bytes. */
  documents: count,
  bytes: count,
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  /**
   * When the reaper acts on overdue documents: at their deadline, or at the next tick of the schedule [R1]. Null:
   * nothing is overdue.
   */
  actionDueAt: instant.nullable(),
  /** Interval from the last tick to the next [R1]; null: the index removes at each deadline. */
  passEveryMs: z.number().nullable(),
  /** Number of documents left unchanged because the action failed [A5]. */
  quarantined: count,
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

/** [X3] Horizons do not overlap: `nextDay` begins after the next hour. */
export const preview = z.object({
  revision: count,
  at: instant,
  /** By the server's statistics; absent: exact. */
  isEstimate: z.literal(true).optional(),
  kind: z.enum(['create', 'change', 'drop']),
  /** All documents of the collection: the sum of the horizons. */
  documents: count,
  dueAtOnce: count,
  nextHour: count,
  nextDay: count,
  nextWeek: count,
  later: count,
  never: z.object({ count, reasons: z.array(neverReason) }),
  bytes: byHorizon,
  /** Time to remove the documents due at once within the present limits; null: nothing was measured yet. */
  drainMs: z.number().nullable(),
  nextDeadlineAt: instant.nullable(),
  /** Those that are removed as a whole, at the end of their range plus the duration; absent: rows are removed one by one. */
  partitions: z
    .object({
      count,
      dueAtOnce: count,
      /** Rows of those due at once, by the server's statistics; they are part of `dueAtOnce` of the preview. */
      rowsDueAtOnce: count,
      /** How long one is kept detached and can be restored, s; null: it is dropped at once. */
      keptSeconds: z.number().nullable(),
    })
    .optional(),
  /** Due documents per bucket of 6 h over the 30 days from `at`. */
  forecast: z.object({ bucketMs: count, due: z.array(count) }),
  /** Up to three documents with their computed deadline. */
  samples: z.array(
    z.object({
      _id: z.string(),
      /** The value of the field; absent if the field is missing. */
      value: z.unknown(),
      /** The values that are read; for an expression, its fields in the order of its text. */
      reads: z.array(z.object({ field: z.string(), value: z.unknown() })),
      /** The reference time computed from the values; null: none. */
      referenceAt: instant.nullable(),
      deadlineAt: instant.nullable(),
      reason: z.enum(NEVER_REASONS).nullable(),
    }),
  ),
  /** Values of the field that are not dates: their number, up to three of them, and formats that read them [D3]. */
  unreadable: z.object({ count, values: z.array(z.unknown()), offers: z.array(formatOffer) }),
  elapsedMs: z.number(),
});
export type Preview = z.infer<typeof preview>;

/** A field that could be the source, found in documents of the collection. */
export const fieldCandidate = z.object({
  field: z.string(),
  /** Number of sampled documents that have the field, and of those whose value is a date in `unit`. */
  present: count,
  dates: count,
  types: z.array(z.string()),
  unit: timeUnit.nullable(),
  /** `ISO 8601`, `seconds`, `milliseconds` or `not a date`, for a person. */
  format: z.string(),
  example: z.unknown(),
  earliestAt: instant.nullable(),
  latestAt: instant.nullable(),
  /** Formats that read the field's text, or its numbers such as 20260131; empty if the field holds dates already. */
  offers: z.array(formatOffer),
});
export type FieldCandidate = z.infer<typeof fieldCandidate>;

/** A date in one field and its time of day in another, read together by an expression. */
export const expressionCandidate = z.object({
  expression: z.string(),
  fields: z.array(z.string()),
  doubt: formatOffer.shape.doubt,
});
export type ExpressionCandidate = z.infer<typeof expressionCandidate>;

/** An index in the format of Macrometa and ArangoDB. */
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

export type EnsuredIndex = z.infer<typeof ensuredIndex>;

/** [X5] */
export const policyChange = z.object({
  id: count,
  index: indexName,
  at: instant,
  by: z.string(),
  change: z.enum(['create', 'change', 'drop', 'pause', 'resume', 'confirm', 'revert']),
  /** The earlier definition; null: there was none. */
  before: storedDefinition.nullable(),
  after: storedDefinition.nullable(),
});
export type PolicyChange = z.infer<typeof policyChange>;

export const droppedIndex = z.object({ name: indexName, at: instant, by: z.string() });
export type DroppedIndex = z.infer<typeof droppedIndex>;

/** [X5] Null if that system has no equivalent; `reason` explains why. */
const foreign = z.object({ statement: z.string().nullable(), reason: z.string().nullable() });
export const readBack = z.object({
  rest: z.object({ method: z.string(), path: z.string(), body: z.unknown() }),
  cli: z.string(),
  cockroachdb: foreign,
  mongodb: foreign,
  arangodb: foreign,
});
export type ReadBack = z.infer<typeof readBack>;

const inCollection = z.object({ collection: collectionName });
const oneIndex = inCollection.extend({ index: indexName });
const path = '/api/collections/{collection}/ttl-indexes';
const tags = ['TTL indexes'];

export const ttlIndexes = {
  list: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({ method: 'GET', path, tags, summary: 'TTL indexes of a collection' })
    .input(inCollection)
    .output(z.array(ttlIndex)),
  create: procedure({ permission: 'configure', writes: true, feature: 'ttlIndexes' })
    .route({
      method: 'POST',
      path,
      tags,
      summary: 'Create a TTL index; it is built in the background',
      successStatus: 201,
    })
    .input(
      inCollection
        .extend({
          name: indexName.optional(),
          source: ttlSource,
          onExpire: onExpire.default({ action: 'delete' }),
          schedule: schedule.default({ mode: 'exact' }),
          limits: limits.default({}),
          retention: retention.default(null),
          partitions: partitionPolicy.optional(),
          parameters: engineParameters.optional(),
          expect: expectation.optional(),
        })
        // Strict, because with a misspelt onExpire the index would delete.
        .strict(),
    )
    .output(ttlIndex),
  get: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({ method: 'GET', path: `${path}/{index}`, tags, summary: 'One TTL index' })
    .input(oneIndex)
    .output(ttlIndex),
  update: procedure({ permission: 'configure', writes: true, feature: 'ttlIndexes' })
    .route({
      method: 'PATCH',
      path: `${path}/{index}`,
      tags,
      summary: 'Change a TTL index; a changed expression takes effect once it is built [D8]',
    })
    .input(
      oneIndex
        .extend({
          /**
           * The expression of an index can be replaced [D8]. Of another source only the duration can change, because
           * every document was indexed by the rest.
           */
          source: ttlSource.optional(),
          expireAfter: expireAfter.optional(),
          onExpire: onExpire.optional(),
          schedule: schedule.nullable().optional(),
          limits: limitChanges.optional(),
          retention: retention.optional(),
          partitions: partitionPolicy.optional(),
          parameters: engineParameterChanges.optional(),
          expect: expectation.optional(),
        })
        .strict(),
    )
    .output(ttlIndex),
  drop: procedure({ permission: 'configure', writes: true, feature: 'ttlIndexes' })
    .route({
      method: 'DELETE',
      path: `${path}/{index}`,
      tags,
      summary: 'Drop a TTL index; it stops expiring documents at once',
    })
    .input(oneIndex)
    .output(z.object({ dropped: z.literal(true) })),
  preview: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({
      method: 'POST',
      path: `${path}/preview`,
      tags,
      summary: 'The exact effect of creating, changing or dropping an index [X3]',
    })
    .input(
      inCollection
        .extend({
          /** Previews a change or the drop of this index; absent: a new index. */
          name: indexName.optional(),
          source: ttlSource.optional(),
          /** Absent: as in the present definition, else their rows are removed one by one. */
          partitions: partitionPolicy.optional(),
          drop: z.literal(true).optional(),
          /** By the server's statistics, at once, where the engine has them. */
          estimate: z.literal(true).optional(),
        })
        .strict(),
    )
    .output(preview),
  history: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({
      method: 'GET',
      path: `${path}/{index}/history`,
      tags,
      summary: 'History of changes of a TTL index [X5]',
    })
    .input(oneIndex)
    .output(z.array(policyChange)),
  /** Dropped indexes; their history and `revert` use their names. */
  dropped: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/dropped-ttl-indexes',
      tags,
      summary: 'Dropped TTL indexes whose name is not in use, latest first [X5]',
    })
    .input(inCollection)
    .output(z.array(droppedIndex)),
  /** Restores the definition before a change. Previewed and checked like any other change. */
  revert: procedure({ permission: 'configure', writes: true, feature: 'ttlIndexes' })
    .route({
      method: 'POST',
      path: `${path}/{index}/revert`,
      tags,
      summary: 'Revert a change of a TTL index [X5]',
    })
    .input(oneIndex.extend({ change: count, expect: expectation.optional() }).strict())
    .output(ttlIndex),
  definition: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({
      method: 'GET',
      path: `${path}/{index}/definition`,
      tags,
      summary: 'The definition of the index for REST, the command line and other systems [X5]',
    })
    .input(oneIndex)
    .output(readBack),
  /** Executes nothing. */
  statements: procedure({ permission: 'read', writes: false, feature: 'indexStatements' })
    .route({
      method: 'POST',
      path: `${path}/statements`,
      tags,
      summary: 'The SQL by which the engine would create or change an index to this definition',
    })
    .input(
      inCollection
        .extend({
          name: indexName,
          source: ttlSource,
          onExpire: onExpire.default({ action: 'delete' }),
          schedule,
          limits: limits.default({}),
          retention: retention.default(null),
          parameters: engineParameters.optional(),
        })
        .strict(),
    )
    .output(z.object({ statements: z.array(z.string()) })),
  candidates: procedure({ permission: 'read', writes: false, feature: 'ttlIndexes' })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/fields',
      tags,
      summary: 'Fields that could be the source, best first',
    })
    .input(inCollection)
    .output(
      z.object({
        sampled: count,
        documents: count,
        fields: z.array(fieldCandidate),
        /** A date and a time of day in two fields. */
        expressions: z.array(expressionCandidate),
      }),
    ),
  /**
   * The call of Macrometa and ArangoDB that *ensures* that the index exists; one index per collection on this route,
   * unit seconds.
   */
  ensure: procedure({ permission: 'configure', writes: true, feature: 'ttlIndexes' })
    .route({
      method: 'POST',
      path: '/_api/index/ttl',
      tags: ['Macrometa'],
      summary: 'Ensure a TTL index, in the format of Macrometa and ArangoDB',
      inputStructure: 'detailed',
      outputStructure: 'detailed',
    })
    .input(
      z.object({
        query: z.object({ collection: collectionName }),
        // Strict, because with an unknown option the index would not be the requested one.
        body: z.strictObject({
          type: z.literal('ttl', { error: 'type is "ttl".' }),
          fields: z.array(z.string()).length(1, 'Exactly one attribute path has to be given.'),
          expireAfter,
          name: indexName.optional(),
          inBackground: z.boolean().optional(),
          unique: z.literal(false, { error: 'A TTL index is not unique.' }).optional(),
          sparse: z.literal(true, { error: 'A TTL index is sparse.' }).optional(),
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

const schemaState = z.object({
  /** `newer`: made by a later version of Sandglass, and left alone. */
  schema: z.enum(['absent', 'present', 'newer']),
  /** Creates the schema; executing it again changes nothing. */
  sql: z.string(),
  /** Removes the schema with all TTL indexes and their history; the tables stay. */
  dropSql: z.string(),
});

const referringKey = z.object({
  name: z.string(),
  /** The table with the foreign key. */
  from: z.string(),
  columns: z.array(z.string()),
  /** `NO ACTION` and `RESTRICT` block the removal of a row that is referred to. */
  onDelete: z.enum(['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']),
  isIndexed: z.boolean(),
  /** Rows that refer to rows that are due now; null: not counted. */
  rows: count.nullable(),
});

/** Facts about a table that matter before rows are removed from it. */
export const tableReport = z.object({
  collection: collectionName,
  /** Columns of the primary key; empty: the table has none, and cannot have a TTL index. */
  key: z.array(z.string()),
  referringKeys: z.array(referringKey),
  /** Triggers that run for removed rows. */
  triggers: z.array(z.object({ name: z.string(), each: z.enum(['row', 'statement']) })),
  /** Publications that publish removals. */
  publications: z.array(z.string()),
  /** A removal fails: it is published, and nothing identifies the row. */
  hasNoReplicaIdentity: z.boolean(),
  /** Each removal publishes the whole row: REPLICA IDENTITY FULL. */
  publishesWholeRows: z.boolean(),
  /** The server computes the column of the deadline, so that an expiration set by hand is kept beside it. */
  isDeadlineGenerated: z.boolean(),
  /** Report on a source that no index has yet; null: none was given. */
  proposed: z.object({ indexAdvice: z.string().nullable(), isPartitionedByDeadline: z.boolean() }).nullable(),
  /** Only of a named index; null: none was named. */
  index: z
    .object({
      /** Null: an index of the table gives the deadlines in order. */
      indexAdvice: z.string().nullable(),
      /** The deadline is bounded by the partition key. */
      isPartitionedByDeadline: z.boolean(),
      /** Partitions, earliest deadline first; null: without one, as the default partition. */
      partitions: z.array(z.object({ name: z.string(), rows: count, deadlineAt: instant.nullable() })),
      /** The same policy as a job of the extension pg_cron. */
      pgCron: z.string(),
      /** SQL that hides rows from their deadline on: a policy of row security, or a view. */
      hideByPolicy: z.string(),
      hideByView: z.string(),
    })
    .nullable(),
});
export type TableReport = z.infer<typeof tableReport>;

const governanceTags = ['Governance'];

/** TTL indexes that are kept in a remote database itself. */
export const governance = {
  schema: procedure({ permission: 'read', writes: false, feature: 'governance' })
    .route({
      method: 'GET',
      path: '/api/governance',
      tags: governanceTags,
      summary: 'The schema in which TTL indexes are kept, and its SQL',
    })
    .input(nothing.optional())
    .output(schemaState),
  createSchema: procedure({ permission: 'configure', writes: true, feature: 'governance' })
    .route({
      method: 'POST',
      path: '/api/governance',
      tags: governanceTags,
      summary: 'Create the schema, after a person has seen its SQL',
    })
    .input(nothing.optional())
    .output(schemaState),
  table: procedure({ permission: 'read', writes: false, feature: 'governance' })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/governance',
      tags: governanceTags,
      summary: 'Facts about a table that matter before its rows are removed, and the SQL of a TTL index',
    })
    .input(z.object({ collection: collectionName, index: indexName.optional() }))
    .output(tableReport),
  /** The same before an index is created: rows are counted that refer to what it makes due. */
  proposal: procedure({ permission: 'read', writes: false, feature: 'governance' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/governance/preview',
      tags: governanceTags,
      summary: 'Facts about a table that matter before a TTL index with this source is created',
    })
    .input(z.strictObject({ collection: collectionName, source: ttlSource }))
    .output(tableReport),
  createIndex: procedure({ permission: 'configure', writes: true, feature: 'governance' })
    .route({
      method: 'POST',
      path: '/api/collections/{collection}/governance/index',
      tags: governanceTags,
      summary: 'Create the index of the table that the scan of the deadlines lacks; a job',
    })
    .input(
      z.strictObject({
        collection: collectionName,
        /** A TTL index of the table, or the source of one that is not created yet. */
        of: z.union([z.strictObject({ index: indexName }), z.strictObject({ source: ttlSource })]),
      }),
    )
    .output(job),
};

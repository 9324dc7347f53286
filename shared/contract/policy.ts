import { z } from 'zod';
import { LONGEST_EXPIRE_AFTER, parseDuration } from '../model/duration.ts';
import { job } from './jobs.ts';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, indexName, instant, nothing } from './schemas/common-schemas.ts';
import { effect, effectExpectation } from './schemas/effect.ts';
import { limits, onExpire, partitionPolicy, schedule, ttlSourceWith } from './ttl-indexes.ts';

/** Largest policy file, bytes. */
export const MOST_POLICY_BYTES = 1024 * 1024;
/** Most entries in the policy of one connection, and most TTL indexes in one entry. */
export const MOST_POLICY_COLLECTIONS = 2_000;
const MOST_INDEXES = 64;
const MOST_CONNECTIONS = 100;
/** Keys of etcd and Redis may be long; names of a store's own collections are shorter. */
const LONGEST_KEY = 1_024;

const durationText = z.string().transform((text, context) => {
  const read = parseDuration(text);
  if ('seconds' in read) return read.seconds;
  context.addIssue({ code: 'custom', message: read.problem });
  return z.NEVER;
});

/** Seconds, or a text such as `30d` and `1h 30m`; at most 100 years. */
const seconds = z
  .union([z.number(), durationText], 'Give a number of seconds, or a duration such as "30d".')
  .pipe(z.number().min(0).max(LONGEST_EXPIRE_AFTER, 'A duration is at most 100 years.'));

/** A TTL index as a policy defines it; absent parts have their defaults. */
const indexPolicy = z.strictObject({
  source: ttlSourceWith(seconds),
  onExpire: onExpire.default({ action: 'delete' }),
  schedule: schedule.default({ mode: 'exact' }),
  limits: limits.default({}),
  /** Time for which removed documents can be restored; null: the store's default. */
  retention: seconds.nullable().default(null),
  partitions: partitionPolicy.optional(),
});
export type IndexPolicy = z.infer<typeof indexPolicy>;

/** Expected TTLs of keys, for engines that have no TTL indexes. Nothing enforces them until they are applied. */
const ttlPolicy = z
  .strictObject({
    /** Every key has a TTL. */
    required: z.boolean().default(false),
    /** Longest time until a key expires. Keys without a TTL get it if the policy is applied. */
    longest: seconds.pipe(z.number().min(1, 'The longest TTL is at least 1 s.')).optional(),
  })
  .refine(
    ({ required, longest }) => required || longest !== undefined,
    'Give required: true, longest, or both.',
  );
export type TtlPolicy = z.infer<typeof ttlPolicy>;

const collectionPolicy = z
  .strictObject({
    /** All TTL indexes of the collection, by name; another one is a drift. */
    ttlIndexes: z
      .record(indexName.min(1).max(LONGEST_KEY), indexPolicy)
      .refine(
        indexes => Object.keys(indexes).length <= MOST_INDEXES,
        `A collection has at most ${MOST_INDEXES} TTL indexes.`,
      )
      .optional(),
    ttl: ttlPolicy.optional(),
  })
  .refine(
    ({ ttlIndexes, ttl }) => (ttlIndexes === undefined) !== (ttl === undefined),
    'Give either ttlIndexes, for a collection or table, or ttl, for keys.',
  );
export type CollectionPolicy = z.infer<typeof collectionPolicy>;

/** By name. In the name of keys `*` stands for any text; the first entry that matches applies. */
const collectionPolicies = z
  .record(z.string().min(1).max(LONGEST_KEY), collectionPolicy)
  .refine(
    all => Object.keys(all).length <= MOST_POLICY_COLLECTIONS,
    `A policy has at most ${MOST_POLICY_COLLECTIONS} entries.`,
  );

/** The expected expiration of the collections of one connection. Collections that it does not name are free. */
export const policyDocument = z.strictObject({ version: z.literal(1), collections: collectionPolicies });
export type Policy = z.infer<typeof policyDocument>;

const header = {
  /** Address of the JSON Schema, for editors. */
  $schema: z.string().optional(),
  version: z.literal(1),
};

/** A policy file: of the connection that a command names, or of several connections by name or id. */
export const policyFile = z.union(
  [
    z.strictObject({ ...header, collections: collectionPolicies }),
    z.strictObject({
      ...header,
      connections: z
        .record(z.string().min(1), z.strictObject({ collections: collectionPolicies }))
        .refine(
          all => Object.keys(all).length <= MOST_CONNECTIONS,
          `A policy file names at most ${MOST_CONNECTIONS} connections.`,
        ),
    }),
  ],
  'Give version: 1 and either collections or connections.',
);
export type PolicyFile = z.infer<typeof policyFile>;

/**
 * Returns the JSON Schema of a policy file, published as docs/policy.schema.json.
 * @internal
 */
export function policyJsonSchema(): object {
  return {
    $id: 'https://sandglass.dev/policy.schema.json',
    title: 'Expiration policy of Sandglass',
    ...z.toJSONSchema(policyFile, { io: 'input', unrepresentable: 'any' }),
  };
}

/** A difference between a policy and a store. */
export const policyDrift = z.object({
  collection: collectionName,
  /** Null: the difference concerns the collection or its keys. */
  index: indexName.nullable(),
  is: z.enum([
    'missing collection',
    'missing index',
    'different index',
    'unexpected index',
    'keys without TTL',
    'TTL too long',
    /** The engine has no such rule. */
    'not supported',
  ]),
  /** Documents that the difference concerns: keys that break the rule; of an index, those of its collection. */
  documents: count,
  /** Documents that become due if the policy is applied [R8]; null: not counted. */
  due: count.nullable(),
  /** The difference, for a person. */
  sentence: z.string(),
  /** Reason why applying the policy leaves the difference; null: it removes it. */
  obstacle: z.string().nullable(),
});
export type PolicyDrift = z.infer<typeof policyDrift>;

export const policyDiff = z.object({
  at: instant,
  /** The first 1,000 differences; `driftCount` is the number of all. */
  drift: z.array(policyDrift),
  driftCount: count,
  /** Reason why figures are not complete, such as a mirror that is being read for the first time; null: complete. */
  incomplete: z.string().nullable(),
  /** Effect of applying the policy; null: not counted. */
  effect: effect.nullable(),
});
export type PolicyDiff = z.infer<typeof policyDiff>;

/** The policy that a store is compared with, kept beside it. */
export const expectedPolicy = z.object({ policy: policyDocument, by: z.string(), since: instant });
export type ExpectedPolicy = z.infer<typeof expectedPolicy>;

const tags = ['Policy'];
/** Absent: the expected policy. */
const given = policyDocument.optional();

/** A policy states the expiration that collections should have. Durations are seconds, or texts such as `30d`. */
export const policy = {
  export: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/policy',
      tags,
      summary: 'The present expiration of every collection, as a policy',
    })
    .input(nothing.optional())
    .output(
      z.object({
        policy: policyDocument,
        /** Number of collections left out, those with the fewest documents. */
        omitted: count,
      }),
    ),
  expected: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/policy/expected',
      tags,
      summary: 'The policy that the store is compared with, or null',
    })
    .input(nothing.optional())
    .output(expectedPolicy.nullable()),
  expect: procedure({ permission: 'configure', writes: true, feature: null })
    .route({
      method: 'PUT',
      path: '/api/policy/expected',
      tags,
      summary: 'Compare the store with a policy from now on; null ends it. Changes no expiration',
    })
    .input(z.strictObject({ policy: policyDocument.nullable() }))
    .output(expectedPolicy.nullable()),
  diff: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/policy/diff',
      tags,
      summary: 'Differences between a policy and the store, with the exact effect of applying it',
    })
    .input(
      z
        .strictObject({
          policy: given,
          /** False: without the effect of indexes, which reads documents. */
          count: z.boolean().default(true),
        })
        .default({ count: true }),
    )
    .output(policyDiff),
  apply: procedure({ permission: 'configure', writes: true, feature: null })
    .route({
      method: 'POST',
      path: '/api/policy/apply',
      tags,
      summary: 'Change the store to match a policy, and compare it with that policy from now on; a job [R8]',
    })
    .input(z.strictObject({ policy: given, expect: effectExpectation.optional() }).default({}))
    .output(job),
};

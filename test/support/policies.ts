import fc from 'fast-check';
import { type Policy, policyDocument } from '../../shared/contract/policy.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/);
/** Seconds, to the millisecond. */
const seconds = fc.integer({ min: 0, max: 40_000_000_000 }).map(ms => ms / 1000);

const source = fc.oneof(
  fc.record({
    kind: fc.constant('field'),
    field: name,
    unit: fc.constantFrom('seconds', 'milliseconds'),
    expireAfter: seconds,
  }),
  fc.record({
    kind: fc.constant('field'),
    field: name,
    formats: fc.constant(['yyyy-MM-dd']),
    zone: fc.constant('Europe/Berlin'),
    expireAfter: seconds,
  }),
  fc.record({ kind: fc.constant('field'), field: name, expireAfterField: name }),
  fc.record({ kind: fc.constant('lastModified'), expireAfter: seconds }),
  fc.record({
    kind: fc.constant('expression'),
    expression: name.map(field => `timestamp(doc.${field})`.replaceAll('-', '_')),
  }),
);

const index = fc.record(
  {
    source,
    onExpire: fc.oneof(
      fc.constant({ action: 'delete' }),
      fc.record({
        action: fc.constant('patch'),
        patch: fc.dictionary(name, fc.oneof(fc.integer(), fc.constant(null), fc.string())),
      }),
      fc.record({ action: fc.constant('replace'), expression: fc.constant('null') }),
    ),
    schedule: fc.oneof(
      fc.constant({ mode: 'exact' }),
      fc.constant({ mode: 'observe' }),
      fc.record({ mode: fc.constant('every'), everyMs: fc.integer({ min: 1, max: 86_400_000 }) }),
      fc.constant({ mode: 'cron', cron: '0 3 * * *', timeZone: 'Europe/Berlin' }),
    ),
    limits: fc.record(
      { removalsPerSecond: fc.integer({ min: 0, max: 1000 }), batchSize: fc.integer({ min: 0, max: 1000 }) },
      { requiredKeys: [] },
    ),
    retention: fc.option(seconds),
  },
  { requiredKeys: ['source'] },
);

const indexes = fc.dictionary(name, index, { maxKeys: 4, noNullPrototype: true });
const ttl = fc.record(
  { required: fc.constant(true), longest: seconds.map(s => s + 1) },
  { requiredKeys: ['required'] },
);

/** A policy of collections with TTL indexes. */
export const anyIndexPolicy: fc.Arbitrary<Policy> = fc
  .dictionary(
    name,
    indexes.map(ttlIndexes => ({ ttlIndexes })),
    { maxKeys: 4, noNullPrototype: true },
  )
  .map(collections => policyDocument.parse({ version: 1, collections }));

/** A policy of collections and keys, with every default filled in. */
export const anyPolicy: fc.Arbitrary<Policy> = fc
  .dictionary(
    fc.oneof(
      name,
      name.map(text => `${text}:*`),
    ),
    fc.oneof(
      indexes.map(ttlIndexes => ({ ttlIndexes })),
      ttl.map(given => ({ ttl: given })),
    ),
    { maxKeys: 5, noNullPrototype: true },
  )
  .map(collections => policyDocument.parse({ version: 1, collections }));

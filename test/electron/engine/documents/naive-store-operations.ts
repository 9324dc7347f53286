import fc from 'fast-check';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import {
  type FieldValue,
  MISSING,
  type NaiveAction,
  type NaiveSource,
} from '../../../support/naive-store.ts';

export const COLLECTION = 'c';
export const ARCHIVE = 'archive';
const FIELDS = ['a', 'b'] as const;
export const IDS = Array.from({ length: 24 }, (_, i) => `id ${String(i).padStart(2, '0')}`);

/** Instants close to now, many of them shared, some at the edge of a second, an hour or a day. */
const instant = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -20_000, max: 60_000 }).map(ms => NOON + ms) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 8 }).map(s => NOON + s * 5 * SECOND) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 1 }).map(ms => NOON + HOUR + ms) },
  { weight: 1, arbitrary: fc.integer({ min: -100 * DAY, max: 100 * DAY }).map(ms => NOON + ms) },
);

export const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  { weight: 6, arbitrary: instant.map(at => ({ json: at, reading: { at } })) },
  { weight: 2, arbitrary: instant.map(at => ({ json: new Date(at).toISOString(), reading: { at } })) },
  { weight: 1, arbitrary: fc.constant({ json: undefined, reading: { reason: 'missing field' } }) },
  { weight: 1, arbitrary: fc.constant({ json: 'tomorrow', reading: { reason: 'not a date' } }) },
  { weight: 1, arbitrary: fc.constant({ json: true, reading: { reason: 'wrong type' } }) },
  { weight: 1, arbitrary: fc.constant({ json: 60, reading: { reason: 'wrong unit suspected' } }) },
);

/** A TTL in seconds that some documents contain. */
const ownTtl: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.constantFrom(0, 5, 12.5, -1).map(json => ({ json, reading: { reason: 'wrong unit suspected' } })),
  fc.constant(MISSING),
);
const someFields = fc.record({ a: fieldValue, b: fieldValue, t: ownTtl });

const source: fc.Arbitrary<NaiveSource> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('field' as const), field: fc.constantFrom(...FIELDS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('own' as const), field: fc.constantFrom(...FIELDS) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lastModified' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'expression' as const }) },
);
export const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant('delete' as const) },
  { weight: 3, arbitrary: fc.constantFrom<NaiveAction>('patch', 'replace', 'stuck', 'move') },
);

export const ACTIONS: Record<NaiveAction, OnExpire> = {
  delete: { action: 'delete' },
  patch: { action: 'patch', patch: { a: null, b: null } },
  replace: { action: 'replace', expression: 'without(doc, "a", "b")' },
  stuck: { action: 'patch', patch: { mark: 1 } },
  move: { action: 'move', to: ARCHIVE },
};

export function toSource(naive: NaiveSource, expireAfter: number): TtlSource {
  switch (naive.kind) {
    case 'field':
      return { kind: 'field', field: naive.field, unit: 'milliseconds', expireAfter };
    case 'own':
      return { kind: 'field', field: naive.field, unit: 'milliseconds', expireAfterField: 't' };
    case 'lastModified':
      return { kind: 'lastModified', expireAfter };
    case 'expression':
      return { kind: 'expression', expression: 'has(doc.t) ? updatedAt + duration("30s") : null' };
  }
}

export function addedMs(naive: NaiveSource, expireAfter: number): number {
  return naive.kind === 'own' || naive.kind === 'expression' ? 0 : Math.round(expireAfter * 1_000);
}

const someIds = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 6 });
const indexName = fc.constantFrom('one', 'two', 'three');
const expireAfter = fc.constantFrom(0, 0.5, 10, 30.25, 3_600, 86_400, -0);
const scope = fc.constantFrom({}, { collection: COLLECTION });

/** One operation of a generated history. */
export type Operation =
  | { do: 'write'; ids: string[]; fields: Record<string, FieldValue>; mode: 'insert' | 'upsert' }
  | { do: 'write and fail'; ids: string[] }
  | { do: 'delete'; ids: string[] }
  | { do: 'set'; ids: string[]; ahead: number | 'never' | 'clear'; action: NaiveAction }
  | { do: 'create index'; name: string; source: NaiveSource; expireAfter: number; action: NaiveAction }
  | { do: 'change action'; name: string; action: NaiveAction }
  | { do: 'observe'; name: string; observe: boolean }
  | { do: 'drop index'; name: string }
  | { do: 'change index'; name: string; expireAfter: number }
  | { do: 'pause index'; name: string; pause: boolean }
  | { do: 'pause'; scope: { collection?: string }; pause: boolean }
  | { do: 'advance'; ms: number }
  | { do: 'reap'; source: number; most: number; behind: number }
  | { do: 'backfill' }
  | { do: 'sweep'; all: boolean }
  | { do: 'restore'; nth: number[]; onConflict: Choice[]; ahead: number | 'never' }
  | { do: 'purge'; nth: number[] }
  | { do: 'settings'; retention: number; retentionBytes: number }
  | { do: 'pin in the archive'; ids: string[] }
  | { do: 'reopen' };
export type Choice = 'skip' | 'replace' | 'newId';

/** Positions among the latest expiries, counted from the last one. */
const someExpiries = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 });
export const restoring: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('restore' as const),
  nth: someExpiries,
  onConflict: fc.array(fc.constantFrom<Choice>('skip', 'replace', 'newId'), { minLength: 4, maxLength: 4 }),
  ahead: fc.constantFrom(2_000, 2_000, 'never' as const),
});
export const purging: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('purge' as const),
  nth: someExpiries,
});
/** Limits of copies, bytes: no copy, one or two, and all. */
export const settings: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('settings' as const),
  retention: fc.constantFrom(0, 5, 3_600, 86_400, 86_400),
  retentionBytes: fc.constantFrom(0, 40, 100, 1024 ** 3),
});

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      ids: someIds,
      fields: someFields,
      mode: fc.constantFrom('insert' as const, 'upsert' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write and fail' as const), ids: someIds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ids: someIds }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      ids: someIds,
      ahead: fc.oneof(
        fc.integer({ min: 1, max: 40_000 }),
        fc.constantFrom('never' as const, 'clear' as const),
      ),
      action,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create index' as const),
      name: indexName,
      source,
      expireAfter,
      action,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change action' as const), name: indexName, action }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('observe' as const), name: indexName, observe: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop index' as const), name: indexName }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('change index' as const), name: indexName, expireAfter }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pause index' as const), name: indexName, pause: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), scope, pause: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.constantFrom(1, SECOND, HOUR, DAY)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reap' as const),
      source: fc.nat(3),
      most: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1_000)),
      behind: fc.constantFrom(0, 0, 1, 1_500),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'backfill' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const), all: fc.boolean() }) },
  { weight: 2, arbitrary: restoring },
  { weight: 1, arbitrary: purging },
  { weight: 1, arbitrary: settings },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pin in the archive' as const), ids: someIds }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
);

/** Two indexes from the start, so that the test covers the choice of the governing one; or none. */
export const prelude: fc.Arbitrary<Operation[]> = fc.oneof(
  fc.constant<Operation[]>([]),
  fc
    .tuple(fc.constantFrom<NaiveAction>('stuck', 'patch', 'move', 'delete'), action, source)
    .map(([one, two, of]) => [
      {
        do: 'create index' as const,
        name: 'one',
        source: { kind: 'field' as const, field: 'a' },
        expireAfter: 0,
        action: one,
      },
      { do: 'create index' as const, name: 'two', source: of, expireAfter: 10, action: two },
    ]),
);

/** Documents for those two: a few are due by the first index, some of them also by the second. */
export const DUE_AT_ONCE: readonly Operation[] = [
  ...[0, 3, 6].map(from => ({
    do: 'write' as const,
    ids: IDS.slice(from, from + 3),
    fields: {
      a: { json: NOON + from, reading: { at: NOON + from } },
      b: from === 0 ? MISSING : { json: NOON + from * SECOND, reading: { at: NOON + from * SECOND } },
      t: MISSING,
    },
    mode: 'upsert' as const,
  })),
  { do: 'advance', ms: 2 * SECOND },
  { do: 'reap', source: 1, most: 1_000, behind: 0 },
];

import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { durationText, LONGEST_EXPIRE_AFTER } from '../../../shared/model/duration.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { fieldPathProblem } from '../../../shared/model/field-path.ts';
import { referenceTimeReader } from '../../../shared/model/reference-time-reader.ts';
import {
  expireAfterOf,
  type Limits,
  noSuchIndex,
  sameEffect,
  sameReferenceTimes,
  suggestedName,
  type TtlIndexDefinition,
  type TtlSource,
  withExpireAfter,
} from '../../../shared/model/ttl-index.ts';
import type { PreviewQuery } from '../backends/backend.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';

/** What a person saw may differ by this share before they are asked again [R8]. */
const TOLERANCE = 0.01;

export const ttlIndexes = {
  list: api.ttlIndexes.list.handler(({ input, context: { engine } }) => indexesOf(engine, input.collection)),
  get: api.ttlIndexes.get.handler(({ input, context: { engine } }) =>
    indexOf(engine, input.collection, input.index),
  ),
  create: api.ttlIndexes.create.handler(async ({ input, context: { engine, caller } }) => {
    const { collection, source, onExpire, schedule, limits, retention, expect } = input;
    checkSource(source);
    const definition = {
      name: input.name ?? freeName(engine, collection, source),
      source,
      onExpire,
      schedule,
      limits,
      retention,
    };
    await checkExpectation(engine, { collection, source }, expect);
    return create(engine, collection, definition, caller.user);
  }),
  update: api.ttlIndexes.update.handler(async ({ input, context: { engine } }) => {
    const { collection, index, expect } = input;
    const before = engine.backend.index(collection, index);
    const source = input.source ?? before.source;
    const after: TtlIndexDefinition = {
      ...before,
      source: input.expireAfter === undefined ? source : withExpireAfter(source, input.expireAfter),
      onExpire: input.onExpire ?? before.onExpire,
      schedule: input.schedule === undefined ? before.schedule : (input.schedule ?? { mode: 'exact' }),
      limits: changedLimits(before.limits, input.limits ?? {}),
      retention: input.retention === undefined ? before.retention : input.retention,
    };
    if (!sameReferenceTimes(before.source, after.source)) {
      throw new SandglassError(
        'INVALID_TTL_INDEX',
        `What ${index} reads is fixed: every document was read by it. Create another index and drop this one.`,
        { index },
      );
    }
    await checkExpectation(engine, { collection, name: index, source: after.source }, expect);
    engine.backend.changeIndex(collection, after);
    engine.backfills.kick();
    return indexOf(engine, collection, index);
  }),
  drop: api.ttlIndexes.drop.handler(({ input, context: { engine } }) => {
    engine.backend.dropIndex(input.collection, input.index);
    engine.backfills.kick();
    return { dropped: true as const };
  }),
  preview: api.ttlIndexes.preview.handler(({ input, context: { engine }, signal }) => {
    if (input.source !== undefined) checkSource(input.source);
    return engine.backend.reads.preview(input, previewContext(engine), signal);
  }),
  candidates: api.ttlIndexes.candidates.handler(({ input, context: { engine } }) =>
    engine.backend.reads.candidates(input.collection),
  ),
  ensure: api.ttlIndexes.ensure.handler(async ({ input: { query, body }, context: { engine, caller } }) => {
    const { collection } = query;
    const source: TtlSource = {
      kind: 'field',
      field: body.fields[0] ?? '',
      unit: 'seconds',
      expireAfter: body.expireAfter,
    };
    checkSource(source);
    const definition: TtlIndexDefinition = {
      name: body.name ?? freeName(engine, collection, source),
      source,
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    };
    const existing = engine.backend.indexDefinitions(collection);
    const identical = existing.find(candidate => sameEffect(candidate, definition));
    if (identical !== undefined) return ensured(collection, identical, false);
    if (existing[0] !== undefined) {
      throw new SandglassError(
        'TTL_INDEX_EXISTS',
        `${collection} has the TTL index ${existing[0].name}, and this call allows one. Further ones are made by POST /api/collections/{collection}/ttl-indexes.`,
        { collection, index: existing[0].name },
      );
    }
    await create(engine, collection, definition, caller.user);
    return ensured(collection, definition, true);
  }),
};

async function create(
  engine: Engine,
  collection: string,
  definition: TtlIndexDefinition,
  by: string,
): Promise<TtlIndex> {
  engine.backend.createIndex(collection, definition, by);
  engine.backfills.kick();
  return indexOf(engine, collection, definition.name);
}

async function indexesOf({ backend, backfills, clock }: Engine, collection: string): Promise<TtlIndex[]> {
  const indexes = await backend.reads.indexes(collection, clock.now());
  return indexes.map(index => ({ ...index, job: backfills.jobOf(collection, index.name) }));
}

async function indexOf(engine: Engine, collection: string, name: string): Promise<TtlIndex> {
  const found = (await indexesOf(engine, collection)).find(index => index.name === name);
  if (found === undefined) throw noSuchIndex(collection, name);
  return found;
}

/** Null returns one to the store's default (CockroachDB's RESET) [R3]. */
function changedLimits(before: Limits, changes: { [Name in keyof Limits]: Limits[Name] | null }): Limits {
  const merged = Object.entries({ ...before, ...changes }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(merged);
}

/** Throws INVALID_TTL_INDEX. */
function checkSource(source: TtlSource): void {
  const fields = source.kind === 'field' ? [source.field, source.expireAfterField] : [];
  for (const field of fields) {
    const problem = field === undefined ? null : fieldPathProblem(field);
    if (problem !== null) throw new SandglassError('INVALID_TTL_INDEX', problem, { field });
  }
  const expireAfter = expireAfterOf(source);
  if (!Number.isFinite(expireAfter) || expireAfter < 0 || expireAfter > LONGEST_EXPIRE_AFTER) {
    throw new SandglassError('INVALID_TTL_INDEX', 'expireAfter is 0 to 100 years, in seconds.', {
      expireAfter,
    });
  }
  // An expression is compiled here, so that its mistake is told with its column [D8].
  referenceTimeReader(source);
}

function freeName({ backend }: Engine, collection: string, source: TtlSource): string {
  const taken = new Set(backend.indexDefinitions(collection).map(({ name }) => name));
  const name = suggestedName(source, durationText(expireAfterOf(source)));
  for (let i = 2, candidate = name; ; i++) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${name}_${i}`;
  }
}

function previewContext({ clock, reaper }: Engine): { now: number; drainRate: number | null } {
  return { now: clock.now(), drainRate: reaper.drainRate };
}

/** Throws EXPECTATION_FAILED with the new preview when the person saw something else [R8]. */
async function checkExpectation(
  engine: Engine,
  query: PreviewQuery,
  expect: { dueAtOnce: number; at?: number | undefined } | undefined,
): Promise<void> {
  if (expect === undefined) return;
  const context = previewContext(engine);
  // What the clock alone made due since they looked is no surprise.
  if (expect.at !== undefined && expect.at < context.now) {
    const then = await engine.backend.reads.preview(query, { ...context, now: expect.at });
    if (isAsExpected(expect.dueAtOnce, then.dueAtOnce)) return;
  }
  const preview = await engine.backend.reads.preview(query, context);
  if (isAsExpected(expect.dueAtOnce, preview.dueAtOnce)) return;
  throw new SandglassError(
    'EXPECTATION_FAILED',
    `${preview.dueAtOnce} documents would expire at once, not ${expect.dueAtOnce} as expected. Nothing was changed; look at the new preview.`,
    { preview },
  );
}

function isAsExpected(expected: number, found: number): boolean {
  return Math.abs(found - expected) <= Math.max(expected, found) * TOLERANCE;
}

function ensured(collection: string, { name, source }: TtlIndexDefinition, isNewlyCreated: boolean) {
  const status = isNewlyCreated ? (201 as const) : (200 as const);
  return {
    status,
    body: {
      id: `${collection}/${name}`,
      name,
      type: 'ttl' as const,
      fields: source.kind === 'field' ? [source.field] : [],
      expireAfter: expireAfterOf(source),
      sparse: true as const,
      unique: false as const,
      isNewlyCreated,
      error: false as const,
      code: status,
    },
  };
}

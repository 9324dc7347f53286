import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { needsConfirmation, newlyDue } from '../../../shared/model/confirmation-rule.ts';
import { formatExactDuration, LONGEST_EXPIRE_AFTER } from '../../../shared/model/duration.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { referenceTimeReader } from '../../../shared/model/expressions/reference-time-reader.ts';
import { fieldPathProblem } from '../../../shared/model/field-path.ts';
import { readBackOf } from '../../../shared/model/index-statements/index-statements.ts';
import {
  actAlike,
  expireAfterOf,
  type Limits,
  noSuchIndex,
  type Schedule,
  sameEffect,
  sameReferenceTimes,
  suggestedName,
  type TtlIndexDefinition,
  type TtlSource,
  withExpireAfter,
} from '../../../shared/model/ttl-index.ts';
import type { IndexChangeOptions, PreviewContext, PreviewQuery } from '../backends/backend.ts';
import { cronProblem } from '../expiry/schedule/cron-ticks.ts';
import type { EmbeddedEngine, RemoteEngine } from './context.ts';
import { checkEffect, effectOfResume, isAsExpected } from './effects.ts';
import { defineGoverned, governanceOf, governedIndex } from './governance.ts';
import { api, embedded } from './procedure-guard.ts';
import { revertOf } from './revert.ts';

/** The preview that a person confirmed, and when they saw it [R8]. */
interface Expectation {
  dueAtOnce: number;
  at?: number | undefined;
}

/** Longest age of a preview. */
const SEEN_LATELY_MS = 3_600_000;

export const ttlIndexes = {
  list: api.ttlIndexes.list.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? indexesOf(engine, input.collection)
      : governanceOf(engine).indexes(input.collection),
  ),
  get: api.ttlIndexes.get.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? indexOf(engine, input.collection, input.index)
      : governedIndex(engine, input.collection, input.index),
  ),
  create: api.ttlIndexes.create.handler(async ({ input, context: { engine, caller } }) => {
    const { collection, source, onExpire, schedule, limits, retention, partitions, expect } = input;
    if (engine.kind === 'remote') {
      const taken = (await governanceOf(engine).indexes(collection)).map(({ name }) => name);
      const name = input.name ?? unusedName(new Set(taken), source);
      const definition = { name, source, onExpire, schedule, limits, retention, partitions };
      return defineGoverned(engine, collection, definition, { by: caller.user, expect, before: null });
    }
    checkPartitions(partitions);
    checkSource(source);
    checkSchedule(schedule, engine.clock.now());
    const definition = {
      name: input.name ?? freeName(engine, collection, source),
      source,
      onExpire,
      schedule,
      limits,
      retention,
    };
    const isExpected = await checkExpectation(engine, { collection, definition }, expect);
    return create(engine, collection, definition, { by: caller.user, isExpected });
  }),
  update: api.ttlIndexes.update.handler(async ({ input, context: { engine, caller } }) => {
    const { collection, index, expect } = input;
    if (engine.kind === 'remote') {
      const before = await governedIndex(engine, collection, index);
      const present = await governanceOf(engine).definition(collection, index);
      const definition = { ...changed(present, input), partitions: input.partitions ?? present.partitions };
      return defineGoverned(engine, collection, definition, { by: caller.user, expect, before });
    }
    checkPartitions(input.partitions);
    // While another source is built for the index, a change applies to the definition that is being built [D8].
    const before = engine.backend.intendedDefinition(collection, index);
    checkSource(input.source ?? before.source);
    return change(engine, collection, changed(before, input), { expect, by: caller.user });
  }),
  drop: api.ttlIndexes.drop.handler(async ({ input, context: { engine, caller } }) => {
    if (engine.kind === 'remote') {
      await governanceOf(engine).drop(input.collection, input.index, caller.user);
      engine.feed.touched();
      return { dropped: true as const };
    }
    engine.backend.dropIndex(input.collection, input.index, caller.user);
    engine.indexBuilds.startPending();
    return { dropped: true as const };
  }),
  preview: api.ttlIndexes.preview.handler(({ input, context: { engine, caller }, signal }) => {
    if (engine.kind === 'remote')
      return engine.scanSlots.preview.run(caller, signal, () => governanceOf(engine).preview(input, signal));
    if (input.source !== undefined) checkSource(input.source);
    return engine.scanSlots.preview.run(caller, signal, () =>
      engine.backend.reads.preview(input, previewContext(engine, input), signal),
    );
  }),
  dropped: api.ttlIndexes.dropped.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? engine.backend.reads.droppedIndexes(input.collection)
      : governanceOf(engine).dropped(input.collection),
  ),
  history: api.ttlIndexes.history.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? engine.backend.reads.policyHistory(input.collection, input.index)
      : governanceOf(engine).history(input.collection, input.index),
  ),
  revert: api.ttlIndexes.revert.handler(async ({ input, context: { engine, caller } }) => {
    const { collection, index, expect } = input;
    const by = caller.user;
    if (engine.kind === 'remote') return revertGoverned(engine, input, by);
    const history = await engine.backend.reads.policyHistory(collection, index);
    const revert = revertOf(history, collection, index, input.change);
    if ('pause' in revert) {
      const pause = revert.pause ? { by, since: engine.clock.now() } : null;
      if (pause === null)
        checkEffect(await effectOfResume(engine, { collection, index }), expect && { due: expect.dueAtOnce });
      engine.backend.setPause({ collection, index }, pause, by);
      engine.indexBuilds.startPending();
      return indexOf(engine, collection, index);
    }
    const { definition } = revert;
    // The index may have been dropped since, or by the change itself.
    if (engine.backend.indexDefinitions(collection).some(({ name }) => name === index))
      return change(engine, collection, definition, { expect, by, isRevert: true });
    const isExpected = await checkExpectation(engine, { collection, definition }, expect);
    return create(engine, collection, definition, { by, isRevert: true, isExpected });
  }),
  definition: api.ttlIndexes.definition.handler(
    async ({ input: { collection, index }, context: { engine } }) =>
      readBackOf(
        collection,
        engine.kind === 'embedded'
          ? engine.backend.index(collection, index)
          : await governanceOf(engine).definition(collection, index),
      ),
  ),
  candidates: api.ttlIndexes.candidates.handler(({ input, context: { engine, caller }, signal }) =>
    engine.scanSlots.page.run(caller, signal, () =>
      engine.kind === 'embedded'
        ? engine.backend.reads.candidates(input.collection, signal)
        : governanceOf(engine).candidates(input.collection),
    ),
  ),
  ensure: embedded.ttlIndexes.ensure.handler(
    async ({ input: { query, body }, context: { engine, caller } }) => {
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
          `${collection} has the TTL index ${existing[0].name}, and this call allows one. Create further ones by POST /api/collections/{collection}/ttl-indexes.`,
          { collection, index: existing[0].name },
        );
      }
      await create(engine, collection, definition, { by: caller.user });
      return ensured(collection, definition, true);
    },
  ),
};

/** The parts of a definition that a call changes. */
interface DefinitionChanges {
  source?: TtlSource | undefined;
  expireAfter?: number | undefined;
  onExpire?: TtlIndexDefinition['onExpire'] | undefined;
  schedule?: Schedule | null | undefined;
  limits?: { [Name in keyof Limits]: Limits[Name] | null } | undefined;
  retention?: number | null | undefined;
}

function changed(before: TtlIndexDefinition, changes: DefinitionChanges): TtlIndexDefinition {
  const { expireAfter, onExpire, schedule, limits, retention } = changes;
  const source = changes.source ?? before.source;
  return {
    ...before,
    source: expireAfter === undefined ? source : lengthened(before.name, source, expireAfter),
    onExpire: onExpire ?? before.onExpire,
    schedule: schedule === undefined ? before.schedule : (schedule ?? { mode: 'exact' }),
    limits: changedLimits(before.limits, limits ?? {}),
    retention: retention === undefined ? before.retention : retention,
  };
}

/** Throws INVALID_TTL_INDEX: only tables of PostgreSQL have partitions. */
function checkPartitions(partitions: object | undefined): void {
  if (partitions !== undefined)
    throw new SandglassError('INVALID_TTL_INDEX', 'partitions is for tables of PostgreSQL.', { partitions });
}

async function revertGoverned(
  engine: RemoteEngine,
  {
    collection,
    index,
    change: id,
    expect,
  }: { collection: string; index: string; change: number; expect?: Expectation | undefined },
  by: string,
): Promise<TtlIndex> {
  const governed = governanceOf(engine);
  const revert = revertOf(await governed.history(collection, index), collection, index, id);
  if ('pause' in revert) {
    await governed.setPause(
      { collection, index },
      revert.pause ? { by, since: engine.clock.now() } : null,
      by,
    );
    return governedIndex(engine, collection, index);
  }
  const before = (await governed.indexes(collection)).find(({ name }) => name === index) ?? null;
  const options = { by, isRevert: true, expect, before };
  return defineGoverned(engine, collection, revert.definition, options);
}

async function create(
  engine: EmbeddedEngine,
  collection: string,
  definition: TtlIndexDefinition,
  options: IndexChangeOptions,
): Promise<TtlIndex> {
  engine.backend.createIndex(collection, definition, options);
  engine.indexBuilds.startPending();
  return indexOf(engine, collection, definition.name);
}

/** Throws INVALID_TTL_INDEX for a changed source that is not an expression, and the errors of checkExpectation. */
async function change(
  engine: EmbeddedEngine,
  collection: string,
  after: TtlIndexDefinition,
  { expect, by, isRevert = false }: { expect: Expectation | undefined; by: string; isRevert?: boolean },
): Promise<TtlIndex> {
  const { name } = after;
  const { source } = engine.backend.index(collection, name);
  const isExpression = source.kind === 'expression' && after.source.kind === 'expression';
  if (!isExpression && !sameReferenceTimes(source, after.source)) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      `The source of ${name} cannot be changed, unless it is an expression. Create another index and drop this one.`,
      { index: name },
    );
  }
  checkSchedule(after.schedule, engine.clock.now());
  const isExpected = await checkExpectation(engine, { collection, name, definition: after }, expect);
  engine.backend.changeIndex(collection, after, { by, isRevert, isExpected });
  engine.indexBuilds.startPending();
  return indexOf(engine, collection, name);
}

async function indexesOf(
  { backend, indexBuilds, clock }: EmbeddedEngine,
  collection: string,
): Promise<TtlIndex[]> {
  const indexes = await backend.reads.indexes(collection, clock.now());
  return indexes.map(index => ({ ...index, job: indexBuilds.jobOf(collection, index.name) }));
}

async function indexOf(engine: EmbeddedEngine, collection: string, name: string): Promise<TtlIndex> {
  const found = (await indexesOf(engine, collection)).find(index => index.name === name);
  if (found === undefined) throw noSuchIndex(collection, name);
  return found;
}

/** Throws INVALID_TTL_INDEX if each document has its own TTL. */
function lengthened(index: string, source: TtlSource, expireAfter: number): TtlSource {
  if (source.kind === 'expression' || source.expireAfter === undefined) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      `${index} has no expireAfter: each document has its own TTL. Create another index and drop this one.`,
      { index },
    );
  }
  return withExpireAfter(source, expireAfter);
}

/** Null: the store's default (CockroachDB's RESET) [R3]. */
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
  if (source.kind === 'field' && source.zone !== undefined && source.formats === undefined) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      'A zone needs formats: dates without a format are UTC. For ISO 8601 in another zone, name the format “iso”.',
      { zone: source.zone },
    );
  }
  const expireAfter = expireAfterOf(source);
  if (!Number.isFinite(expireAfter) || expireAfter < 0 || expireAfter > LONGEST_EXPIRE_AFTER) {
    throw new SandglassError('INVALID_TTL_INDEX', 'expireAfter is 0 to 100 years, in seconds.', {
      expireAfter,
    });
  }
  // Compiles formats, or an expression, so that an error is reported with its column [D3, D8].
  referenceTimeReader(source);
}

/** Throws INVALID_TTL_INDEX for an invalid crontab line or time zone [R1]. */
function checkSchedule(schedule: Schedule, now: number): void {
  const problem = schedule.mode === 'cron' ? cronProblem(schedule, now) : null;
  if (problem !== null) throw new SandglassError('INVALID_TTL_INDEX', problem, { schedule });
}

function freeName({ backend }: EmbeddedEngine, collection: string, source: TtlSource): string {
  return unusedName(new Set(backend.indexDefinitions(collection).map(({ name }) => name)), source);
}

function unusedName(taken: ReadonlySet<string>, source: TtlSource): string {
  const name = suggestedName(source, formatExactDuration(expireAfterOf(source)));
  for (let i = 2, candidate = name; ; i++) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${name}_${i}`;
  }
}

/** A drain runs at the rate last measured, within the limits of the index and the store [R3]. */
function previewContext(
  { backend, clock, reaper }: EmbeddedEngine,
  { collection, name }: PreviewQuery,
): PreviewContext {
  const index = backend.indexDefinitions(collection).find(definition => definition.name === name);
  const limit = index?.limits.removalsPerSecond ?? backend.settings.get().removalsPerSecond;
  const { drainRate } = reaper;
  if (limit === 0) return { now: clock.now(), drainRate };
  return { now: clock.now(), drainRate: drainRate === null ? limit : Math.min(drainRate, limit) };
}

/** A new definition or, with `name`, a change of that index. */
interface Proposal {
  collection: string;
  name?: string;
  definition: TtlIndexDefinition;
}

/**
 * Returns true if the confirmed preview still holds, so that the circuit breaker does not trip. Throws
 * EXPECTATION_FAILED with the new preview if the effect differs, or if it needs a confirmation and no preview was
 * confirmed [R8].
 */
async function checkExpectation(
  engine: EmbeddedEngine,
  proposal: Proposal,
  expect: Expectation | undefined,
): Promise<boolean> {
  const { collection, name, definition } = proposal;
  const query = { collection, source: definition.source, ...(name !== undefined && { name }) };
  const context = previewContext(engine, query);
  if (expect === undefined || (await wasLongAgo(engine, query, context, expect))) {
    const preview = await unconfirmedEffect(engine, proposal, query, context);
    if (preview === null) return false;
    throw new SandglassError(
      'EXPECTATION_FAILED',
      `${preview.dueAtOnce} of ${preview.documents} documents would expire at once. Nothing was changed; to confirm, repeat the call with "expect": {"dueAtOnce": ${preview.dueAtOnce}, "at": ${preview.at}}.`,
      { preview },
    );
  }
  // Documents that have become due since the preview are ignored.
  if (expect.at !== undefined && expect.at < context.now) {
    const then = await engine.backend.reads.preview(query, { ...context, now: expect.at });
    if (isAsExpected(expect.dueAtOnce, then.dueAtOnce)) return true;
  }
  const preview = await engine.backend.reads.preview(query, context);
  if (isAsExpected(expect.dueAtOnce, preview.dueAtOnce)) return true;
  throw new SandglassError(
    'EXPECTATION_FAILED',
    `${preview.dueAtOnce} documents would expire at once, not ${expect.dueAtOnce} as expected. Nothing was changed; see the new preview.`,
    { preview },
  );
}

/** Returns true if the preview was correct but is too old to count as a confirmation. */
async function wasLongAgo(
  { backend }: EmbeddedEngine,
  query: PreviewQuery,
  context: PreviewContext,
  { at, dueAtOnce }: Expectation,
): Promise<boolean> {
  if (at === undefined || context.now - at <= SEEN_LATELY_MS) return false;
  const then = await backend.reads.preview(query, { ...context, now: at });
  return isAsExpected(dueAtOnce, then.dueAtOnce);
}

/** Returns the preview of a proposal whose effect needs a confirmation; null if it needs none [R8]. */
async function unconfirmedEffect(
  engine: EmbeddedEngine,
  { collection, name, definition }: Proposal,
  query: PreviewQuery,
  context: PreviewContext,
): Promise<Preview | null> {
  const { reads, settings } = engine.backend;
  if (definition.schedule.mode === 'observe') return null;
  const [summary] = await reads.summaries([collection], context.now);
  // No document of a small collection needs to be read.
  if (summary === undefined || summary.documents <= settings.get().confirmDocuments) return null;
  const before = name === undefined ? null : await indexOf(engine, collection, name);
  if (before !== null && before.state === 'ready' && hasSameEffect(before, definition)) return null;
  const preview = await reads.preview(query, context);
  const { documents } = preview;
  return needsConfirmation({ due: newlyDue(preview, before), documents }, settings.get()) ? preview : null;
}

/** Whether a change leaves deadlines and action as they are, such as a change of limits. */
function hasSameEffect(before: TtlIndexDefinition, after: TtlIndexDefinition): boolean {
  return (
    sameReferenceTimes(before.source, after.source) &&
    expireAfterOf(before.source) === expireAfterOf(after.source) &&
    actAlike(before, after)
  );
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

import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { needsConfirmation, newlyDue } from '../../../../shared/model/confirmation-rule.ts';
import { LONGEST_EXPIRE_AFTER } from '../../../../shared/model/duration.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { referenceTimeReader } from '../../../../shared/model/expressions/reference-time-reader.ts';
import { fieldPathProblem } from '../../../../shared/model/field-path.ts';
import {
  actAlike,
  expireAfterOf,
  noSuchIndex,
  type Schedule,
  sameEffect,
  sameReferenceTimes,
  type TtlIndexDefinition,
  type TtlSource,
} from '../../../../shared/model/ttl-index.ts';
import type { IndexChangeOptions, PreviewContext, PreviewQuery } from '../../backends/backend.ts';
import { cronProblem } from '../../expiry/schedule/cron-ticks.ts';
import type { EmbeddedEngine } from '../context.ts';
import { checkEffect, effectOfResume, isAsExpected } from '../effects.ts';
import type { EmbeddedTtlIndexCalls, Expectation, TtlIndexCalls } from '../ttl-index-calls.ts';
import { changed, unusedName } from './definition-changes.ts';
import { revertOf } from './revert.ts';

/** Longest age of a preview. */
const SEEN_LATELY_MS = 3_600_000;

type Parts = Pick<EmbeddedEngine, 'backend' | 'clock' | 'reaper' | 'indexBuilds'>;

/** TTL indexes of Sandglass's own store. */
export class EmbeddedTtlIndexes implements EmbeddedTtlIndexCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(collection: string): Promise<TtlIndex[]> {
    return indexesOf(this.#parts, collection);
  }

  get(collection: string, index: string): Promise<TtlIndex> {
    return indexOf(this.#parts, collection, index);
  }

  async create(input: Parameters<TtlIndexCalls['create']>[0], by: string): Promise<TtlIndex> {
    const { collection, source, onExpire, schedule, limits, retention, expect } = input;
    checkNoEngineParts(input);
    checkSource(source);
    checkSchedule(schedule, this.#parts.clock.now());
    const name = input.name ?? freeName(this.#parts, collection, source);
    const definition = { name, source, onExpire, schedule, limits, retention };
    const isExpected = await checkExpectation(this.#parts, { collection, definition }, expect);
    return create(this.#parts, collection, definition, { by, isExpected });
  }

  async update(input: Parameters<TtlIndexCalls['update']>[0], by: string): Promise<TtlIndex> {
    const { collection, index, expect } = input;
    checkNoEngineParts(input);
    // While another source is built for the index, a change applies to the definition that is being built [D8].
    const before = this.#parts.backend.intendedDefinition(collection, index);
    checkSource(input.source ?? before.source);
    return change(this.#parts, collection, changed(before, input), { expect, by });
  }

  async drop(collection: string, index: string, by: string): Promise<void> {
    this.#parts.backend.dropIndex(collection, index, by);
    this.#parts.indexBuilds.startPending();
  }

  async preview(input: PreviewQuery, signal: AbortSignal | undefined): Promise<Preview> {
    if (input.source !== undefined) checkSource(input.source);
    checkNoEngineParts(input);
    return this.#parts.backend.reads.preview(input, previewContext(this.#parts, input), signal);
  }

  dropped(collection: string): ReturnType<TtlIndexCalls['dropped']> {
    return this.#parts.backend.reads.droppedIndexes(collection);
  }

  history(collection: string, index: string): ReturnType<TtlIndexCalls['history']> {
    return this.#parts.backend.reads.policyHistory(collection, index);
  }

  async revert(
    { collection, index, change: id, expect }: Parameters<TtlIndexCalls['revert']>[0],
    by: string,
  ): Promise<TtlIndex> {
    const { backend, clock, indexBuilds } = this.#parts;
    const revert = revertOf(await this.history(collection, index), collection, index, id);
    if ('pause' in revert) {
      const pause = revert.pause ? { by, since: clock.now() } : null;
      if (pause === null)
        checkEffect(
          await effectOfResume(this.#parts, { collection, index }),
          expect && { due: expect.dueAtOnce },
        );
      backend.setPause({ collection, index }, pause, by);
      indexBuilds.startPending();
      return this.get(collection, index);
    }
    const { definition } = revert;
    // The index may have been dropped since, or by the change itself.
    if (backend.indexDefinitions(collection).some(({ name }) => name === index))
      return change(this.#parts, collection, definition, { expect, by, isRevert: true });
    const isExpected = await checkExpectation(this.#parts, { collection, definition }, expect);
    return create(this.#parts, collection, definition, { by, isRevert: true, isExpected });
  }

  async definition(collection: string, index: string): Promise<TtlIndexDefinition> {
    return this.#parts.backend.index(collection, index);
  }

  /** The store has no SQL for its indexes. */
  async statements(): Promise<null> {
    return null;
  }

  candidates(collection: string, signal: AbortSignal | undefined): ReturnType<TtlIndexCalls['candidates']> {
    return this.#parts.backend.reads.candidates(collection, signal);
  }

  async ensure(
    collection: string,
    { name, source }: { name: string | undefined; source: TtlSource },
    by: string,
  ) {
    checkSource(source);
    const definition: TtlIndexDefinition = {
      name: name ?? freeName(this.#parts, collection, source),
      source,
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    };
    const existing = this.#parts.backend.indexDefinitions(collection);
    const identical = existing.find(candidate => sameEffect(candidate, definition));
    if (identical !== undefined) return ensured(collection, identical, false);
    if (existing[0] !== undefined) {
      throw new SandglassError(
        'TTL_INDEX_EXISTS',
        `${collection} has the TTL index ${existing[0].name}, and this call allows one. Create further ones by POST /api/collections/{collection}/ttl-indexes.`,
        { collection, index: existing[0].name },
      );
    }
    await create(this.#parts, collection, definition, { by });
    return ensured(collection, definition, true);
  }
}

/** Throws INVALID_TTL_INDEX: partitions and engine parameters belong to tables of other databases. */
function checkNoEngineParts({
  partitions,
  parameters,
}: {
  partitions?: object | undefined;
  parameters?: object | undefined;
}): void {
  if (partitions !== undefined)
    throw new SandglassError('INVALID_TTL_INDEX', 'partitions is for tables of PostgreSQL.', { partitions });
  if (parameters !== undefined)
    throw new SandglassError('INVALID_TTL_INDEX', 'parameters is for tables of CockroachDB.', { parameters });
}

async function create(
  engine: Parts,
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
  engine: Parts,
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

async function indexesOf({ backend, indexBuilds, clock }: Parts, collection: string): Promise<TtlIndex[]> {
  const indexes = await backend.reads.indexes(collection, clock.now());
  return indexes.map(index => ({ ...index, job: indexBuilds.jobOf(collection, index.name) }));
}

async function indexOf(engine: Parts, collection: string, name: string): Promise<TtlIndex> {
  const found = (await indexesOf(engine, collection)).find(index => index.name === name);
  if (found === undefined) throw noSuchIndex(collection, name);
  return found;
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

function freeName({ backend }: Parts, collection: string, source: TtlSource): string {
  return unusedName(new Set(backend.indexDefinitions(collection).map(({ name }) => name)), source);
}

/** A drain runs at the rate last measured, within the limits of the index and the store [R3]. */
function previewContext(
  { backend, clock, reaper }: Parts,
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
  engine: Parts,
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
  { backend }: Parts,
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
  engine: Parts,
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

import type { HoldRecord } from '../../../shared/contract/reaper.ts';
import type { Effect } from '../../../shared/contract/schemas/effect.ts';
import { needsConfirmation, newlyDue } from '../../../shared/model/confirmation-rule.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { ReapSource } from '../expiry/expiry-store.ts';
import { isSkipped, type ReapScope } from '../expiry/manual-pass.ts';
import type { EmbeddedEngine, Engine } from './context.ts';

type EmbeddedParts = Pick<EmbeddedEngine, 'backend' | 'clock'>;

/** Largest difference from a confirmed number, as a share, that needs no new confirmation [R8]. */
const TOLERANCE = 0.01;

export function isAsExpected(expected: number, found: number): boolean {
  return Math.abs(found - expected) <= Math.max(expected, found) * TOLERANCE;
}

/** Returns the effect of a change that makes so many documents of each collection due. */
export async function effectOf(
  { backend, clock }: Pick<Engine, 'backend' | 'clock'>,
  due: ReadonlyMap<string, number>,
): Promise<Effect> {
  const at = clock.now();
  const names = [...due].filter(([, count]) => count > 0).map(([name]) => name);
  const summaries = names.length === 0 ? [] : await backend.reads.summaries(names, at);
  const collections = summaries.map(({ name, documents }) => ({
    collection: name,
    documents,
    due: Math.min(due.get(name) ?? 0, documents),
  }));
  const sumOf = (read: (one: (typeof collections)[number]) => number) =>
    collections.reduce((sum, one) => sum + read(one), 0);
  const settings = backend.settings.get();
  return {
    at,
    documents: sumOf(one => one.documents),
    due: sumOf(one => one.due),
    needsConfirmation: collections.some(one => needsConfirmation(one, settings)),
    collections,
  };
}

/**
 * Throws EXPECTATION_FAILED with the effect, if it differs from `expect` or needs a confirmation that is missing [R8].
 */
export function checkEffect(effect: Effect, expect: { due: number } | undefined): void {
  const { due, documents } = effect;
  if (expect === undefined ? !effect.needsConfirmation : isAsExpected(expect.due, due)) return;
  const expected = expect === undefined ? '' : `, not ${formatCount(expect.due)} as expected`;
  throw new SandglassError(
    'EXPECTATION_FAILED',
    `${formatCount(due)} of ${formatCount(documents)} documents would become due${expected}. Nothing was changed; to confirm, repeat the call with "expect": {"due": ${due}}.`,
    { effect },
  );
}

/** Returns the effect of a pass by hand: the documents that are due in the scope and not skipped or held [R6]. */
export function effectOfRun(engine: EmbeddedParts, scope: ReapScope): Promise<Effect> {
  return effectOfSources(
    engine,
    source => isIn(scope, source) && !source.isHeld && !isSkipped(source, scope),
  );
}

/** Returns the effect of resuming the scope: the due documents whose action only this pause delays [R6]. */
export function effectOfResume(engine: EmbeddedParts, scope: ReapScope): Promise<Effect> {
  const level = scope.index !== undefined ? 'index' : scope.collection !== undefined ? 'collection' : 'store';
  const isWidest = !engine.backend
    .pauses()
    .some(
      ({ scope: paused }) =>
        (level !== 'store' && paused.collection === undefined) ||
        (level === 'index' && paused.collection === scope.collection && paused.index === undefined),
    );
  return effectOfSources(
    engine,
    source => isWidest && isIn(scope, source) && !source.isHeld && source.pausedAt === level,
  );
}

/**
 * Returns the effect of confirming holds [R8, R9, R10]. For a held definition, counts the documents that it would make
 * due now; for a jump of the clock, those due by the time to which it jumped.
 */
export async function effectOfConfirming(
  engine: EmbeddedParts,
  holds: readonly HoldRecord[],
): Promise<Effect> {
  const { backend, clock } = engine;
  const due = new Map<string, number>();
  const add = (collection: string, documents: number) =>
    due.set(collection, (due.get(collection) ?? 0) + documents);
  const isOverdue = (source: ReapSource) =>
    !source.isPaused &&
    holds.some(
      ({ collection, index }) => index === null && (collection ?? source.collection) === source.collection,
    );
  const jump = holds.find(({ cause }) => cause === 'clock forward');
  const now = clock.now() + (jump?.durationMs ?? 0);
  for (const source of backend.expiry.sources())
    if (isOverdue(source)) add(source.collection, backend.expiry.due(source, now));
  for (const { collection, index } of holds) {
    if (collection === null || index === null) continue;
    const found = (await backend.reads.indexes(collection, now)).find(({ name }) => name === index);
    if (found === undefined) continue;
    const source = found.pending?.source ?? found.source;
    const preview = await backend.reads.preview(
      { collection, name: index, source },
      { now, drainRate: null },
    );
    add(collection, newlyDue(preview, found));
  }
  return effectOf(engine, due);
}

function effectOfSources(engine: EmbeddedParts, isActing: (source: ReapSource) => boolean): Promise<Effect> {
  const { expiry } = engine.backend;
  const now = engine.clock.now();
  const due = new Map<string, number>();
  for (const source of expiry.sources()) {
    if (!isActing(source)) continue;
    due.set(source.collection, (due.get(source.collection) ?? 0) + expiry.due(source, now));
  }
  return effectOf(engine, due);
}

function isIn({ collection, index }: ReapScope, source: ReapSource): boolean {
  return (
    (collection === undefined || source.collection === collection) &&
    (index === undefined || source.index === index)
  );
}

import type { Effect } from '../../../shared/contract/effect.ts';
import type { HoldRecord, Pass } from '../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatHold } from '../../../shared/model/hold.ts';
import type { PassRecord } from '../expiry/expiry-store.ts';
import type { EmbeddedEngine, RemoteEngine } from './context.ts';
import { checkEffect, effectOf, effectOfConfirming, effectOfResume, effectOfRun } from './effects.ts';
import { governanceOf } from './governance.ts';
import { api, embedded } from './procedure-guard.ts';

export const reaper = {
  get: api.reaper.get.handler(({ context: { engine } }) => engine.reaperState()),
  pause: api.reaper.pause.handler(async ({ input, context: { engine, caller } }) => {
    if (engine.kind === 'remote') {
      const pause = { by: caller.user, since: engine.clock.now() };
      await governanceOf(engine).setPause(input, pause, caller.user);
      engine.feed.touched();
      return engine.reaperState();
    }
    engine.backend.setPause(input, { by: caller.user, since: engine.clock.now() }, caller.user);
    engine.indexBuilds.startPending();
    return engine.reaperState();
  }),
  resume: api.reaper.resume.handler(async ({ input, context: { engine, caller } }) => {
    const { expect, ...scope } = input;
    if (engine.kind === 'remote') {
      checkEffect(await effectOfGovernedResume(engine, scope), expect);
      await governanceOf(engine).setPause(scope, null, caller.user);
      engine.feed.touched();
      return engine.reaperState();
    }
    checkEffect(await effectOfResume(engine, scope), expect);
    engine.backend.setPause(scope, null, caller.user);
    engine.indexBuilds.startPending();
    return engine.reaperState();
  }),
  run: embedded.reaper.run.handler(async ({ input, context: { engine } }) => {
    const { expect, ...scope } = input;
    // A missing name is an error, not an empty pass.
    if (scope.collection !== undefined && scope.index !== undefined)
      engine.backend.index(scope.collection, scope.index);
    else if (scope.collection !== undefined) engine.backend.indexDefinitions(scope.collection);
    checkNotHeld(engine.backend.holds.list(), scope.collection);
    checkEffect(await effectOfRun(engine, scope), expect);
    const { passes, ...counts } = await engine.reaper.runNow(scope);
    return { ...counts, passes: passes.map(toPass) };
  }),
  confirm: api.reaper.confirm.handler(async ({ input, context: { engine, caller } }) => {
    if (engine.kind === 'remote') {
      governanceOf(engine).acceptClock();
      return engine.reaperState();
    }
    const holds = holdsOf(engine, input);
    checkEffect(await effectOfConfirming(engine, holds), input.expect);
    confirm(engine, holds, caller.user);
    engine.indexBuilds.startPending();
    return engine.reaperState();
  }),
  passes: api.reaper.passes.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded' ? engine.backend.reads.passes(input) : governanceOf(engine).passes(input),
  ),
};

/** Returns the effect of resuming: the overdue rows of the indexes whose pause ends [R6]. */
async function effectOfGovernedResume(
  engine: RemoteEngine,
  { collection, index }: { collection?: string | undefined; index?: string | undefined },
): Promise<Effect> {
  const due = new Map<string, number>();
  const isWhole = collection === undefined;
  for (const name of isWhole ? engine.backend.collectionNames() : [collection])
    for (const one of await governanceOf(engine).indexes(name))
      if ((one.paused === null) === isWhole && (index === undefined || one.name === index))
        due.set(name, (due.get(name) ?? 0) + one.overdue);
  return effectOf(engine, due);
}

/**
 * Throws EXPECTATION_FAILED while the collection or the store is held: a hold ends only by the confirmation of its
 * shown figures.
 */
function checkNotHeld(holds: readonly HoldRecord[], collection: string | undefined): void {
  const hold = holds.find(one => one.collection === null || one.collection === collection);
  if (hold === undefined) return;
  throw new SandglassError('EXPECTATION_FAILED', `${formatHold(hold)} Confirm it first, then run a pass.`, {
    hold: { ...hold, sentence: formatHold(hold) },
  });
}

/**
 * Returns one hold, all of a collection or, with neither, those of the whole store. Throws EXPECTATION_FAILED if the
 * hold has ended, COLLECTION_NOT_FOUND.
 */
function holdsOf(
  { backend }: EmbeddedEngine,
  { collection, hold: id }: { collection?: string | undefined; hold?: string | undefined },
): readonly HoldRecord[] {
  if (collection !== undefined) backend.indexDefinitions(collection);
  const holds = backend.holds.list();
  if (id === undefined) return holds.filter(one => one.collection === (collection ?? null));
  const hold = holds.find(one => one.id === id);
  if (hold === undefined) {
    throw new SandglassError('EXPECTATION_FAILED', 'There is no such hold any more. List the holds.', {
      hold: id,
    });
  }
  return [hold];
}

/** Throws EXPECTATION_FAILED if a hold has ended. */
function confirm({ backend, clockWatch }: EmbeddedEngine, holds: readonly HoldRecord[], by: string): void {
  // The wall clock was confirmed: time follows it from here on.
  if (holds.some(({ cause }) => cause === 'clock forward' || cause === 'clock backward'))
    clockWatch?.accept();
  for (const { id } of holds) backend.holds.confirm(id, by);
}

function toPass({ bySource, ...pass }: PassRecord): Pass {
  return { ...pass, byIndex: Object.fromEntries(bySource) };
}

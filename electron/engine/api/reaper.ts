import type { Pass, ReaperState } from '../../../shared/contract/reaper.ts';
import type { PassRecord } from '../expiry/port.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';

/** The reaper's true state [R6]. */
export function reaperState({ backend, reaper, meters, clock }: Engine): ReaperState {
  const now = clock.now();
  const { isActive, nextWakeAt, problem, cutoff } = reaper.status;
  const pauses = backend.pauses();
  const store = pauses.find(({ scope }) => scope.collection === undefined)?.pause ?? null;
  return {
    state: problem !== null ? 'failing' : store !== null ? 'paused' : 'running',
    paused: store,
    pausedCollections: pauses.flatMap(({ scope, pause }) =>
      scope.collection !== undefined && scope.index === undefined
        ? [{ collection: scope.collection, ...pause }]
        : [],
    ),
    pausedIndexes: pauses.flatMap(({ scope, pause }) =>
      scope.collection !== undefined && scope.index !== undefined
        ? [{ collection: scope.collection, index: scope.index, ...pause }]
        : [],
    ),
    holds: [],
    nextWakeAt: store === null ? nextWakeAt : null,
    active: isActive,
    problem,
    cutoff,
    removedPerSecond: meters.store.removed.perSecond(now),
    writtenPerSecond: meters.store.written.perSecond(now),
    unswept: backend.unswept(),
  };
}

export const reaper = {
  get: api.reaper.get.handler(({ context: { engine } }) => reaperState(engine)),
  pause: api.reaper.pause.handler(({ input, context: { engine, caller } }) => {
    engine.backend.setPause(input, { by: caller.user, since: engine.clock.now() });
    engine.backfills.kick();
    return reaperState(engine);
  }),
  resume: api.reaper.resume.handler(({ input, context: { engine } }) => {
    engine.backend.setPause(input, null);
    engine.backfills.kick();
    return reaperState(engine);
  }),
  run: api.reaper.run.handler(async ({ input, context: { engine } }) => {
    // Names that are not there are an error, not an empty pass.
    if (input.collection !== undefined && input.index !== undefined)
      engine.backend.index(input.collection, input.index);
    else if (input.collection !== undefined) engine.backend.indexDefinitions(input.collection);
    const { passes, ...counts } = await engine.reaper.runNow(input);
    return { ...counts, passes: passes.map(toPass) };
  }),
  passes: api.reaper.passes.handler(({ input, context: { engine } }) => engine.backend.reads.passes(input)),
};

function toPass({ bySource, ...pass }: PassRecord): Pass {
  return { ...pass, byIndex: Object.fromEntries(bySource) };
}

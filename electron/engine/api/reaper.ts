import type { HoldRecord, Pass } from '../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatHold } from '../../../shared/model/hold.ts';
import type { PassRecord } from '../expiry/port.ts';
import { reaperState } from '../monitoring/reaper-state.ts';
import { api } from './base.ts';
import type { Engine } from './context.ts';

export const reaper = {
  get: api.reaper.get.handler(({ context: { engine } }) => reaperState(engine)),
  pause: api.reaper.pause.handler(({ input, context: { engine, caller } }) => {
    engine.backend.setPause(input, { by: caller.user, since: engine.clock.now() }, caller.user);
    engine.indexBuilds.startPending();
    return reaperState(engine);
  }),
  resume: api.reaper.resume.handler(({ input, context: { engine, caller } }) => {
    engine.backend.setPause(input, null, caller.user);
    engine.indexBuilds.startPending();
    return reaperState(engine);
  }),
  run: api.reaper.run.handler(async ({ input, context: { engine } }) => {
    // A missing name is an error, not an empty pass.
    if (input.collection !== undefined && input.index !== undefined)
      engine.backend.index(input.collection, input.index);
    else if (input.collection !== undefined) engine.backend.indexDefinitions(input.collection);
    checkNotHeld(engine.backend.holds.list(), input.collection);
    const { passes, ...counts } = await engine.reaper.runNow(input);
    return { ...counts, passes: passes.map(toPass) };
  }),
  confirm: api.reaper.confirm.handler(({ input, context: { engine, caller } }) => {
    confirm(engine, input, caller.user);
    engine.indexBuilds.startPending();
    return reaperState(engine);
  }),
  passes: api.reaper.passes.handler(({ input, context: { engine } }) => engine.backend.reads.passes(input)),
};

/** A hold ends only by being confirmed, with what was shown. Throws EXPECTATION_FAILED. */
function checkNotHeld(holds: readonly HoldRecord[], collection: string | undefined): void {
  const hold = holds.find(one => one.collection === null || one.collection === collection);
  if (hold === undefined) return;
  throw new SandglassError('EXPECTATION_FAILED', `${formatHold(hold)} Confirm it first, then run a pass.`, {
    hold: { ...hold, sentence: formatHold(hold) },
  });
}

/**
 * Confirms one hold, all of a collection or, with neither, those of the whole store. Throws EXPECTATION_FAILED if the
 * hold has ended, COLLECTION_NOT_FOUND.
 */
function confirm(
  { backend, clockWatch }: Engine,
  { collection, hold }: { collection?: string | undefined; hold?: string | undefined },
  by: string,
): void {
  if (collection !== undefined) backend.indexDefinitions(collection);
  const holds = backend.holds.list();
  const wanted =
    hold === undefined
      ? holds.filter(one => one.collection === (collection ?? null)).map(({ id }) => id)
      : [hold];
  const isOfClock = holds.some(
    ({ id, cause }) => wanted.includes(id) && (cause === 'clock forward' || cause === 'clock backward'),
  );
  // The wall clock was confirmed: time follows it from here on.
  if (isOfClock) clockWatch?.accept();
  for (const id of wanted) backend.holds.confirm(id, by);
}

function toPass({ bySource, ...pass }: PassRecord): Pass {
  return { ...pass, byIndex: Object.fromEntries(bySource) };
}

import type { EmbeddedEngine } from '../../electron/engine/api/context.ts';
import type { ManualClock } from './manual-clock.ts';

const TURNS = 10_000;

/**
 * Resolves when the reaper of an engine on a manual clock sleeps and no index is building. `hasFailed`: a build will not
 * be completed.
 */
export async function settled(
  engine: EmbeddedEngine,
  clock: ManualClock,
  hasFailed: () => boolean = () => false,
): Promise<void> {
  const { reaper, indexBuilds, backend } = engine;
  for (let turn = 0; turn < TURNS; turn++) {
    // A document due at this instant has a timer that has not fired yet.
    clock.advance(0);
    await indexBuilds.whenIdle();
    await reaper.whenIdle();
    await engine.minutes.whenIdle();
    const { isActive, nextWakeAt, problem } = reaper.status;
    const isDue = problem === null && nextWakeAt !== null && nextWakeAt <= engine.clock.now();
    const isBuilding = backend.pendingBackfills().length > 0 && !hasFailed();
    if (!isActive && !isDue && !isBuilding) return;
    await new Promise(resolve => setImmediate(resolve));
  }
  throw new Error('the engine does not come to rest');
}

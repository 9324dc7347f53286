import type { HoldRecord, Pass, ReaperState } from '../../../../shared/contract/reaper.ts';
import type { PauseScope } from '../../backends/backend.ts';
import type { PassRecord } from '../../expiry/expiry-store.ts';
import { reaperState } from '../../monitoring/reaper-state.ts';
import type { EmbeddedEngine } from '../context.ts';
import { checkEffect, effectOfConfirming, effectOfResume, effectOfRun } from '../effects.ts';
import type { ReaperCalls, RunResult } from '../reaper-calls.ts';
import { checkNotHeld, chosenHolds } from './chosen-holds.ts';

type Parts = Pick<
  EmbeddedEngine,
  'backend' | 'clock' | 'reaper' | 'indexBuilds' | 'clockWatch' | 'meters' | 'readOnly'
>;

/** The reaper of Sandglass's own store. */
export class EmbeddedReaperCalls implements ReaperCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  state(): ReaperState {
    return reaperState(this.#parts);
  }

  async pause(scope: PauseScope, by: string): Promise<void> {
    const { backend, clock, indexBuilds } = this.#parts;
    backend.setPause(scope, { by, since: clock.now() }, by);
    indexBuilds.startPending();
  }

  async resume(scope: PauseScope, { by, expect }: Parameters<ReaperCalls['resume']>[1]): Promise<void> {
    const { backend, indexBuilds } = this.#parts;
    checkEffect(await effectOfResume(this.#parts, scope), expect);
    backend.setPause(scope, null, by);
    indexBuilds.startPending();
  }

  async run(scope: PauseScope, { expect }: Parameters<ReaperCalls['run']>[1]): Promise<RunResult> {
    const { backend, reaper } = this.#parts;
    const { collection, index } = scope;
    // A missing name is an error, not an empty pass.
    if (collection !== undefined && index !== undefined) backend.index(collection, index);
    else if (collection !== undefined) backend.indexDefinitions(collection);
    checkNotHeld(backend.holds.list(), collection);
    checkEffect(await effectOfRun(this.#parts, scope), expect);
    const { passes, ...counts } = await reaper.runNow(scope);
    return { ...counts, passes: passes.map(toPass) };
  }

  async confirm(
    which: Parameters<ReaperCalls['confirm']>[0],
    { by, expect }: Parameters<ReaperCalls['confirm']>[1],
  ): Promise<void> {
    const { backend, indexBuilds } = this.#parts;
    if (which.collection !== undefined) backend.indexDefinitions(which.collection);
    const holds = chosenHolds(backend.holds.list(), which);
    checkEffect(await effectOfConfirming(this.#parts, holds), expect);
    this.#confirm(holds, by);
    indexBuilds.startPending();
  }

  passes(query: Parameters<ReaperCalls['passes']>[0]): ReturnType<ReaperCalls['passes']> {
    return this.#parts.backend.reads.passes(query);
  }

  /** Throws EXPECTATION_FAILED if a hold has ended. */
  #confirm(holds: readonly HoldRecord[], by: string): void {
    const { backend, clockWatch } = this.#parts;
    // The wall clock was confirmed: time follows it from here on.
    if (holds.some(({ cause }) => cause === 'clock forward' || cause === 'clock backward'))
      clockWatch?.accept();
    for (const { id } of holds) backend.holds.confirm(id, by);
  }
}

function toPass({ bySource, ...pass }: PassRecord): Pass {
  return { ...pass, byIndex: Object.fromEntries(bySource) };
}

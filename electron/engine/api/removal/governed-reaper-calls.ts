import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { Effect } from '../../../../shared/contract/schemas/effect.ts';
import type { PauseScope } from '../../backends/backend.ts';
import type { RemoteEngine } from '../context.ts';
import { checkEffect, effectOf } from '../effects.ts';
import { governanceOf, offered } from '../governance.ts';
import type { ReaperCalls, RunResult } from '../reaper-calls.ts';
import { checkNotHeld, chosenHolds } from './chosen-holds.ts';

type Parts = Pick<RemoteEngine, 'backend' | 'clock' | 'feed' | 'meters'>;

/** The reaper that removes documents of a remote database. */
export class GovernedReaperCalls implements ReaperCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Without a reaper of Sandglass: the engine removes by itself, and is inactive while it cannot be reached. */
  state(): ReaperState {
    const { backend, meters, clock } = this.#parts;
    if (backend.governance !== null) return backend.governance.reaperState;
    return {
      state: 'engine',
      paused: null,
      pausedCollections: [],
      pausedIndexes: [],
      holds: [],
      nextWakeAt: null,
      diskFull: null,
      active: backend.remote.unreachable === null,
      problem: null,
      cutoff: null,
      removedPerSecond: meters.store.removed.perSecond(clock.now()),
      writtenPerSecond: meters.store.written.perSecond(clock.now()),
      unswept: 0,
    };
  }

  async pause(scope: PauseScope, by: string): Promise<void> {
    await this.#governed.setPause(scope, { by, since: this.#parts.clock.now() }, by);
    this.#parts.feed.touched();
  }

  async resume(scope: PauseScope, { by, expect }: Parameters<ReaperCalls['resume']>[1]): Promise<void> {
    const isWhole = scope.collection === undefined;
    checkEffect(await this.#effect(scope, ({ paused }) => (paused === null) === isWhole), expect);
    await this.#governed.setPause(scope, null, by);
    this.#parts.feed.touched();
  }

  async run(scope: PauseScope, { by, expect }: Parameters<ReaperCalls['run']>[1]): Promise<RunResult> {
    const { collection, index } = scope;
    // A missing name is an error, not an empty pass.
    if (collection !== undefined && index !== undefined) await this.#governed.definition(collection, index);
    else if (collection !== undefined) await this.#governed.indexes(collection);
    checkNotHeld(this.state().holds, collection);
    checkEffect(await this.#effect(scope, ({ paused }) => paused === null || index !== undefined), expect);
    const { removed, passes } = await offered(this.#governed.run, 'runPass').call(this.#governed, scope, by);
    this.#parts.feed.touched();
    return { removed, changed: 0, quarantined: 0, passes };
  }

  async confirm(
    which: Parameters<ReaperCalls['confirm']>[0],
    { by, expect }: Parameters<ReaperCalls['confirm']>[1],
  ): Promise<void> {
    const holds = chosenHolds(this.state().holds, which);
    const due = new Map<string, number>();
    for (const hold of holds)
      if (hold.collection !== null) due.set(hold.collection, (due.get(hold.collection) ?? 0) + hold.due);
    checkEffect(await effectOf(this.#parts, due), expect);
    await this.#governed.confirm(holds, by);
    this.#parts.feed.touched();
  }

  async passes(query: Parameters<ReaperCalls['passes']>[0]): ReturnType<ReaperCalls['passes']> {
    return this.#governed.passes(query);
  }

  /** Returns the overdue rows of the indexes in the scope that `isWanted`. */
  async #effect(
    { collection, index }: PauseScope,
    isWanted: (one: { paused: object | null }) => boolean,
  ): Promise<Effect> {
    const due = new Map<string, number>();
    const names = collection === undefined ? this.#parts.backend.collectionNames() : [collection];
    for (const name of names)
      for (const one of await this.#governed.indexes(name))
        if (isWanted(one) && (index === undefined || one.name === index))
          due.set(name, (due.get(name) ?? 0) + one.overdue);
    return effectOf(this.#parts, due);
  }

  get #governed() {
    return governanceOf(this.#parts.backend);
  }
}

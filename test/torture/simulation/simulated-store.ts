import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import type { Context, EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import { router } from '../../../electron/engine/api/router.ts';
import type { Commit } from '../../../electron/engine/backends/backend.ts';
import { openEngine } from '../../../electron/engine/engine.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { disagreements } from '../../support/recount.ts';
import { checkBreaker, dueByIndex } from './breaker-check.ts';
import { takeDefinitions } from './definitions-in-effect.ts';
import { ARCHIVE, COLLECTION, type Intent, NO_INTENT, SimulatedModel } from './simulated-model.ts';

export type SimulatedContext = Context & { readonly engine: EmbeddedEngine };

/** 21 November 2026, noon, UTC. */
const START = Date.UTC(2026, 10, 21, 12);
const TURNS = 10_000;
/** Difference of a machine's clocks that is no jump, ms. */
const STRAY_MS = 2_000;

interface Open {
  readonly file: string;
  readonly context: SimulatedContext;
  stop(): Promise<void>;
}

/**
 * One store, the whole engine with its reaper on a clock that only the simulation moves, beside its model. Each commit is
 * given to the model as it happens.
 */
export class SimulatedStore {
  readonly clock = createManualClock(START);
  model = new SimulatedModel();
  readonly met: Record<string, number> = {};
  /** Warnings and errors of the engine since it was last opened. */
  complaints: string[] = [];
  readonly #folder: string;
  #open: Open;
  /** Commits that wait until those of the opening are read. */
  #waiting: Commit[] | null = null;
  #isOpening = false;
  #files = 0;
  #intent: Intent = NO_INTENT;
  /** Ids that the call which runs now has changed. */
  /** Tells the model what the commit of the running call does beside the documents. */
  #tell: (() => void) | null = null;
  readonly #changed = new Set<string>();
  #failure: Error | null = null;
  /** Commits until the process is killed; null: it is not. */
  #killIn: number | null = null;
  #killed: { file: string; model: SimulatedModel } | null = null;
  /** Removals by the reaper, by the stopwatch; emptied when a limit changes. */
  #removals: { at: number; index: string }[] = [];
  #limits = { rate: 0, cap: 0 };
  /** A person confirms what the circuit breaker has held. */
  isConfirming = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#open = this.#openFile(join(folder, 'store.sandglass'));
  }

  get context(): SimulatedContext {
    return this.#open.context;
  }
  /** The trusted time, epoch ms. */
  get now(): number {
    return this.context.engine.clock.now();
  }

  async prepare(): Promise<void> {
    for (const name of [COLLECTION, ARCHIVE])
      await call(router.collections.create, { name }, { context: this.context });
  }

  count(what: string, by = 1): void {
    this.met[what] = (this.met[what] ?? 0) + by;
  }

  /** Changes the limits that the removals are held against. */
  limit(limits: { rate: number; cap: number }): void {
    this.#limits = limits;
    this.#removals = [];
  }

  /** A pass by hand obeys no rate. */
  forgetRemovals(): void {
    this.#removals = [];
  }

  /**
   * Runs a call that may change these documents; `tell` is called at its commit. Returns the ids that it changed, or null if it
   * was refused.
   */
  async run(
    intent: Partial<Intent>,
    calling: () => Promise<unknown>,
    tell: (() => void) | null = null,
  ): Promise<ReadonlySet<string> | null> {
    this.#intent = { ...NO_INTENT, ...intent };
    this.#changed.clear();
    this.#tell = tell;
    try {
      await calling();
      this.#throwFailure();
      return new Set(this.#changed);
    } catch (error) {
      this.#throwFailure();
      if (error instanceof Error && 'code' in error && error.code !== 'INTERNAL_SERVER_ERROR') {
        this.count(`refused with ${String(error.code)}`);
        return null;
      }
      throw error;
    } finally {
      this.#intent = NO_INTENT;
      this.#tell = null;
    }
  }

  /** Resolves when the reaper sleeps and no index is building. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) {
      const { engine } = this.context;
      this.clock.advance(0);
      await engine.indexBuilds.whenIdle();
      await engine.reaper.whenIdle();
      await engine.minutes.whenIdle();
      const { isActive, nextWakeAt, problem } = engine.reaper.status;
      const isDue = problem === null && nextWakeAt !== null && nextWakeAt <= engine.clock.now();
      this.#throwFailure();
      if (!isActive && !isDue && engine.backend.pendingBackfills().length === 0) return;
      await new Promise(resolve => setImmediate(resolve));
    }
    throw new Error('the engine does not come to rest');
  }

  /** Advances time, at most `pieces` times to the next wake-up of the reaper, then at once. */
  async advance(ms: number, pieces: number): Promise<void> {
    let left = ms;
    for (let piece = 0; piece < pieces && left > 0; piece++) {
      await this.settle();
      const { nextWakeAt } = this.context.engine.reaper.status;
      if (nextWakeAt === null) break;
      const step = Math.min(left, Math.max(1, nextWakeAt - this.now));
      this.#pass(step);
      left -= step;
    }
    this.#pass(left);
    await this.settle();
  }

  /** Long times pass as those of a sleeping machine, since every timer of a year takes longer than the rest. */
  #pass(ms: number): void {
    const awake = Math.min(ms, 31_000);
    if (ms > 600_000) this.clock.suspend(ms - awake);
    this.clock.advance(ms > 600_000 ? awake : ms);
  }

  /** Lets the process be killed after some commits of the next steps. */
  armKill(commits: number): void {
    this.#killIn = commits;
  }

  get wasKilled(): boolean {
    return this.#killed !== null;
  }

  /** Ends the process, and opens its file `ms` later; after a kill the file as it was at that commit. */
  async reopen(ms: number): Promise<void> {
    const expected = this.now + ms;
    await this.#open.stop();
    this.#throwFailure();
    const killed = this.#killed;
    this.#killed = null;
    this.#killIn = null;
    if (killed !== null) this.model = killed.model;
    this.clock.suspend(ms);
    this.complaints = [];
    this.#removals = [];
    this.#waiting = [];
    this.#open = this.#openFile(killed?.file ?? this.#open.file);
    await this.#readMissed();
    // A kill may have been before a jump of the clock.
    if (killed === null) this.checkTrusted(expected);
    this.count(killed === null ? 'restarts' : 'kills');
  }

  /** Throws if the trusted time is further from `expected` than a jump that is followed [R10]. */
  checkTrusted(expected: number): void {
    const boundMs = this.context.engine.backend.settings.get().clockJump * 1_000;
    const strayMs = this.now - expected;
    if (Math.abs(strayMs) > boundMs + STRAY_MS)
      throw new Error(`the trusted time is ${strayMs} ms from the time that has passed`);
  }

  async close(): Promise<string[]> {
    await this.#open.stop();
    return disagreements(this.#open.file);
  }

  #openFile(file: string): Open {
    const { engine, stop } = openEngine({
      storeFile: file,
      clock: this.clock,
      log: createLogger('warn', this.clock.now, line => this.complaints.push(line)),
      version: '0.0.0-test',
      callsWaiting: () => 0,
      reads: 'inline',
      reserveBytes: 0,
    });
    const { backend } = engine;
    backend.onCommit(commit => this.#committed(backend, file, commit));
    return {
      file,
      stop,
      context: { engine, caller: { user: 'ada', permission: 'configure', from: 'machine' } },
    };
  }

  /** Reads what opening committed, as a hold or a first batch of the reaper, before a listener could be added. */
  async #readMissed(): Promise<void> {
    const { backend } = this.context.engine;
    const { file } = this.#open;
    const last = this.#waiting?.[0]?.revision ?? backend.revision + 1;
    const changes: Commit['changes'][number][] = [];
    const from = { revision: this.model.revision + 1, position: 0 };
    const { events } = await backend.reads.changes({ from, limit: 5_000 });
    const missed: Commit[] = [];
    for (const { event } of events) {
      if (event.revision >= last) break;
      if (event.kind !== 'end') changes.push({ ...event, id: event._id });
      else {
        const { revision, at } = event;
        missed.push({ revision, at, collections: new Set(), changes: changes.splice(0) });
      }
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.count('commits while opening', missed.length);
    this.#isOpening = true;
    for (const commit of [...missed, ...waiting]) this.#committed(backend, file, commit);
    this.#isOpening = false;
    this.#throwFailure();
  }

  #committed(backend: EmbeddedEngine['backend'], file: string, commit: Commit): void {
    if (this.#waiting !== null) return void this.#waiting.push(commit);
    // An error of a listener would be one of the store: it is thrown by the step instead.
    if (this.#failure !== null) return;
    try {
      this.#takeDefinitions(backend);
      const { model } = this;
      if (this.#tell !== null && !commit.changes.some(({ kind }) => kind === 'expire')) {
        this.#tell();
        this.#tell = null;
      }
      model.stopped.isHeld = backend.holds
        .list()
        .some(({ collection }) => collection === null || collection === COLLECTION);
      const removed = model.apply(commit, this.#intent, this.now);
      for (const { kind, id } of commit.changes) if (kind !== 'expire') this.#changed.add(id);
      this.count('revisions');
      this.count('expiries', removed.length);
      this.#checkLimits(removed.map(({ index = '' }) => index));
      if (this.#killIn !== null && this.#killed === null && this.#killIn-- <= 0) this.#kill(file);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  #takeDefinitions(backend: EmbeddedEngine['backend']): void {
    const { naive } = this.model;
    const before = dueByIndex(naive, this.now);
    takeDefinitions(this.model, backend);
    // What an opening has put in effect was counted at another moment.
    if (this.isConfirming || this.#isOpening) return;
    checkBreaker(before, dueByIndex(naive, this.now), naive.documents.size, backend.settings.get());
  }

  #kill(file: string): void {
    this.#files += 1;
    const copy = join(this.#folder, `killed-${this.#files}.sandglass`);
    for (const suffix of ['', '-wal'])
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    this.#killed = { file: copy, model: this.model.copy() };
  }

  #checkLimits(indexes: readonly string[]): void {
    const { rate, cap } = this.#limits;
    // A pass by hand obeys no rate, and has a cap of its own.
    if ((rate === 0 && cap === 0) || this.model.stopped.isByHand) return;
    const at = this.clock.elapsed();
    this.#removals = [
      ...this.#removals.filter(one => one.at > at - 10_000),
      ...indexes.map(index => ({ at, index })),
    ];
    for (const [index, removals] of Map.groupBy(this.#removals, one => one.index)) {
      if (rate === 0) break;
      for (const seconds of [1, 3, 10]) {
        const removed = removals.filter(one => one.at > at - seconds * 1_000).length;
        // A portion and a fifth of a second more may have been saved before.
        if (removed > rate * (seconds + 0.2) + Math.max(1, rate / 20))
          throw new Error(`${index} removed ${removed} within ${seconds} s; its rate is ${rate}`);
      }
    }
    // A schedule begins a pass at its tick, also within the second for which the others wait.
    const hasTicks = this.context.engine.backend.expiry
      .sources()
      .some(({ schedule }) => schedule.mode === 'every');
    const ofPass = hasTicks ? 0 : this.#removals.filter(one => one.at > at - 1_000).length;
    if (cap > 0 && ofPass > cap) throw new Error(`${ofPass} were removed within a second; the cap is ${cap}`);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import { router } from '../../../electron/engine/api/router.ts';
import type { Commit } from '../../../electron/engine/backends/backend.ts';
import { writeBackup } from '../../../electron/engine/backends/embedded/file/backup.ts';
import { EXPLICIT } from '../../../shared/model/ttl-index.ts';
import { withEachExpiry } from '../../support/expired-ids.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { disagreements } from '../../support/recount.ts';
import { CommitJudge } from './commit-judge.ts';
import { commitsOf, type OpenedFile, openFile, type SimulatedContext } from './opened-file.ts';
import type { RemovalLimits } from './removal-limits.ts';
import { ARCHIVE, type Intent, type SimulatedModel } from './simulated-model.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Difference of a machine's clocks that is no jump, ms. */
const STRAY_MS = 2_000;

/** The file of a store at an instant, with what the model had then. */
interface Saved {
  readonly file: string;
  readonly model: SimulatedModel;
}

export interface SimulatedStoreOptions {
  readonly folder: string;
  readonly process: SimulatedProcess;
  callsWaiting(): number;
  readonly collections: readonly [string, ...string[]];
  /** Deadlines and waits are years away instead of days. */
  /** Names of the indexes of a collection. */
  readonly indexes: readonly string[];
  readonly isForYears: boolean;
  /** From so many due documents on, an index removes them at once; null: never. */
  readonly intervalFrom: number | null;
}

/**
 * One store, the whole engine with its reaper on a clock that only the simulation moves, beside its model. Each commit is
 * given to the model as it happens.
 */
export class SimulatedStore {
  readonly met: Record<string, number> = {};
  readonly #judge: CommitJudge;
  readonly #options: SimulatedStoreOptions;
  #open: OpenedFile;
  /** Commits that wait until those of the opening are read. */
  #waiting: Commit[] | null = null;
  #files = 0;
  #failure: Error | null = null;
  /** Commits until the process is killed; null: it is not. */
  #killIn: number | null = null;
  #killed: Saved | null = null;
  #backup: Saved | null = null;

  constructor(options: SimulatedStoreOptions) {
    this.#options = options;
    this.#judge = new CommitJudge(options.process.clock);
    this.#open = this.#openFile(join(options.folder, 'store.sandglass'));
    options.process.add(this);
  }

  get model(): SimulatedModel {
    return this.#judge.model;
  }
  get limits(): RemovalLimits {
    return this.#judge.limits;
  }
  get clock(): ManualClock {
    return this.#options.process.clock;
  }
  get collections(): readonly [string, ...string[]] {
    return this.#options.collections;
  }
  get indexes(): readonly string[] {
    return this.#options.indexes;
  }
  get isForYears(): boolean {
    return this.#options.isForYears;
  }

  get context(): SimulatedContext {
    return this.#open.context;
  }
  /** The trusted time, epoch ms. */
  get now(): number {
    return this.context.engine.clock.now();
  }

  async prepare(): Promise<void> {
    for (const name of [...this.collections, ARCHIVE])
      await call(router.collections.create, { name }, { context: this.context });
  }

  /** How often the process was ended and its file opened again. */
  openings = 0;

  count(what: string, by = 1): void {
    this.met[what] = (this.met[what] ?? 0) + by;
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
    this.#judge.beginCall(intent, tell);
    try {
      await calling();
      this.#throwFailure();
      return this.#judge.changed;
    } catch (error) {
      this.#throwFailure();
      if (error instanceof Error && 'code' in error && error.code !== 'INTERNAL_SERVER_ERROR') {
        this.count(`refused with ${String(error.code)}`);
        return null;
      }
      throw error;
    } finally {
      this.#judge.endCall();
    }
  }

  /** Runs a call with which a person confirms what is held. */
  async confirm(calling: () => Promise<unknown>): Promise<ReadonlySet<string> | null> {
    this.#judge.cause = 'a confirmation';
    const changed = await this.run({}, calling);
    this.#judge.cause = 'a call or the reaper';
    return changed;
  }

  /** Resolves when every reaper of the process sleeps and no index is building. */
  settle(): Promise<void> {
    return this.#options.process.settle();
  }

  /** Advances the time of the process, at most `pieces` times to the next wake-up of a reaper, then at once. */
  advance(ms: number, pieces: number): Promise<void> {
    return this.#options.process.advance(ms, pieces);
  }

  async isResting(): Promise<boolean> {
    const { engine } = this.context;
    await engine.indexBuilds.whenIdle();
    await engine.reaper.whenIdle();
    await engine.minutes.whenIdle();
    const { isActive, nextWakeAt, problem } = engine.reaper.status;
    const isDue = problem === null && nextWakeAt !== null && nextWakeAt <= engine.clock.now();
    this.#throwFailure();
    return !isActive && !isDue && engine.backend.pendingBackfills().length === 0;
  }

  untilWake(): number | null {
    const { nextWakeAt } = this.context.engine.reaper.status;
    return nextWakeAt === null ? null : Math.max(1, nextWakeAt - this.now);
  }

  /** Lets the process be killed after some commits of the next steps. */
  armKill(commits: number): void {
    this.#killIn = commits;
  }

  get wasKilled(): boolean {
    return this.#killed !== null;
  }

  /** Writes a backup; a later one takes its place. */
  async writeBackup(): Promise<void> {
    if (this.#backup !== null) rmSync(this.#backup.file, { force: true });
    const file = this.#newFile('backup');
    this.#backup = { file, model: this.model.copy() };
    await writeBackup({ store: this.#open.file, file, at: this.now }, () => {});
    this.count('backups');
  }

  get hasBackup(): boolean {
    return this.#backup !== null;
  }

  /** Ends the process, and opens a copy of the last backup instead of the store. */
  async openBackup(ms: number): Promise<void> {
    if (this.#backup === null) return;
    const file = this.#newFile('from-backup');
    copyFileSync(this.#backup.file, file);
    this.#killed = { file, model: this.#backup.model.copy() };
    this.count('backups opened');
    await this.reopen(ms);
  }

  #newFile(name: string): string {
    this.#files += 1;
    return join(this.#options.folder, `${name}-${this.#files}.sandglass`);
  }

  /** Ends the process, and opens its file `ms` later; after a kill the file as it was at that commit. */
  async reopen(ms: number): Promise<void> {
    const expected = this.now + ms;
    const { file } = this.#open;
    await this.#open.stop();
    this.#throwFailure();
    const killed = this.#killed;
    this.#killed = null;
    this.#killIn = null;
    if (killed !== null) this.#judge.model = killed.model;
    this.clock.suspend(ms);
    this.#waiting = [];
    this.#open = this.#openFile(killed?.file ?? file);
    if (killed !== null) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    // A killed store or a backup has the settings of its time.
    const { removalsPerSecond, mostPerPass } = this.context.engine.backend.settings.get();
    this.limits.set({ rate: removalsPerSecond, cap: mostPerPass });
    await this.#takeMissed();
    // A kill may have been before a jump of the clock.
    if (killed === null) this.checkTrusted(expected);
    this.openings += 1;
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
    this.#throwFailure();
    return disagreements(this.#open.file);
  }

  #openFile(file: string): OpenedFile {
    const { process, callsWaiting } = this.#options;
    const opened = openFile(file, {
      clock: process.engineClock,
      callsWaiting,
      intervalFrom: this.#options.intervalFrom,
      complain: line => this.#fail(new Error(`the engine logged: ${line}`)),
    });
    const { backend } = opened.context.engine;
    backend.onCommit(commit => {
      const each = withEachExpiry(file, commit);
      if (each !== commit) this.count(`expired intervals of ${kindOfInterval(backend, commit)}`);
      this.#committed(backend, file, each);
    });
    return opened;
  }

  /** Takes the commits of the opening, as a hold or a first batch of the reaper, before the first that was heard. */
  async #takeMissed(): Promise<void> {
    const { backend } = this.context.engine;
    const { file } = this.#open;
    const end = this.#waiting?.[0]?.revision ?? backend.revision + 1;
    const missed = await commitsOf(backend, this.model.revision + 1, end);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.count('commits while opening', missed.length);
    this.#judge.cause = 'an opening';
    for (const commit of [...missed, ...waiting]) this.#committed(backend, file, commit);
    this.#judge.cause = 'a call or the reaper';
    this.#throwFailure();
  }

  #committed(backend: EmbeddedEngine['backend'], file: string, commit: Commit): void {
    if (this.#waiting !== null) return void this.#waiting.push(commit);
    // An error of a listener would be one of the store: it is thrown by the step instead.
    if (this.#failure !== null) return;
    try {
      const expired = this.#judge.judge(commit, backend, this.now);
      this.count('revisions');
      this.count('expiries', expired);
      if (this.#killIn !== null && this.#killed === null && this.#killIn-- <= 0) this.#kill(file);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
  }

  #kill(file: string): void {
    const copy = this.#newFile('killed');
    for (const suffix of ['', '-wal'])
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    this.#killed = { file: copy, model: this.model.copy() };
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

/** Returns what made the documents of an interval due. */
function kindOfInterval(backend: EmbeddedEngine['backend'], { changes }: Commit): string {
  const expiry = changes.find(({ documents }) => documents !== undefined);
  if (expiry?.index === undefined || expiry.index === EXPLICIT) return 'explicit expirations';
  return `indexes of kind ${backend.index(expiry.collection, expiry.index).source.kind}`;
}

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, getEventMeta } from '@orpc/server';
import { router } from '../../../../electron/engine/api/router.ts';
import type { Commit } from '../../../../electron/engine/backends/backend.ts';
import { EmbeddedReads } from '../../../../electron/engine/backends/embedded/embedded-reads.ts';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import type { Leader } from '../../../../electron/engine/replication/leader.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { Random } from '../../../support/random.ts';
import { disagreements } from '../../../support/recount.ts';
import { busyClock } from './busy-clock.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import {
  changeExpression,
  type EmbeddedContext,
  fill,
  operate,
  reloadDefinitions,
} from './simulated-operations.ts';
import {
  countsOf,
  difference,
  explanationsOf,
  type Readable,
  StoreImage,
  sightOf,
  wronglyShown,
} from './store-image.ts';

const SYNC_TIMEOUT_MS = 10_000;
const LONGEST_PIECE_MS = 3_000;
/** Ranges of a step's duration, ms; each step uses one of them. */
const PAUSES_MS: readonly (readonly [number, number])[] = [
  ...Array.from({ length: 20 }, () => [1, 900] as const),
  ...Array.from({ length: 4 }, () => [8_000, 15_000] as const),
  [20_000, 120_000],
];
/** Largest time that one reading of a stopwatch takes, ms; each opening of a store uses one of them. */
const SLOWNESS_MS = [0, 5, 20];
/** A folder in memory: power loss is not simulated, so no store needs to wait for a disk. */
const MEMORY = '/dev/shm/sandglass-simulation-';

type ManualClock = ReturnType<typeof createManualClock>;

interface Process {
  name: string;
  file: string;
  clock: ManualClock;
  /** Speed of its clock relative to the true time. */
  rate: number;
}

/** An open store with its own clock, called over the API. */
interface Host extends Process {
  context: EmbeddedContext;
  /** Whether it was stopped or killed: its pending answers are lost. */
  isDead: boolean;
  image: StoreImage;
  /** Reads of the store at once, however busy it is. */
  seen: Readable & { close(): Promise<void> };
  watch: Watch | null;
  stop(): Promise<void>;
}

/** The events that one watch of a follower received, and its end. */
interface Watch {
  ids: string[];
  from: number;
  ended: Promise<void>;
}

/**
 * A leader and its followers, each a real store with its own clock, over a faulty network [V5]. One seed produces one
 * history. The leader's state at each revision, and at each instant that it sent, is recorded and compared with every answer
 * of every follower.
 */
export class SimulatedWorld {
  readonly #random: Random;
  readonly #folder = mkdtempSync(MEMORY);
  readonly #network: SimulatedNetwork;
  #leader: Host;
  readonly #followers: Host[] = [];
  /** Documents in a page of a snapshot. */
  readonly #pageSize: number;
  /** From so many due documents on, the leader removes them at once, as an interval. */
  readonly #intervalFrom: number | null;
  readonly #work: Random;
  /** Warnings and errors of each store, by its name, also of its stopped processes. */
  readonly #complaints = new Map<string, string[]>();
  #now = 0;
  /** Number of files made for killed processes. */
  #files = 0;
  /** By revision of the leader: its image and its number of changes. By instant that it sent: the visible documents. */
  readonly #images = new Map<number, string>();
  readonly #changes = new Map<number, number>();
  readonly #sights = new Map<string, Promise<string>>();
  /** Counts of rare events, so that a test can check that its histories contain them. */
  readonly met = {
    compared: 0,
    seen: 0,
    stale: 0,
    leaderRestarts: 0,
    leaderKills: 0,
    followerRestarts: 0,
    followerKills: 0,
    copies: 0,
    /** Index builds interrupted by a stop or kill of their store. */
    endedBuilds: 0,
    endedWatches: 0,
    watchedEvents: 0,
    trouble: 0,
    purges: 0,
    purgedFollowers: 0,
    revisions: 0,
    /** Intervals that the leader removed, and those that a follower replayed. */
    intervals: 0,
    replayedIntervals: 0,
    /** Stores that were stopped or killed, and followers that were compared, with rows of expired documents not freed. */
    endedUnswept: 0,
    comparedUnswept: 0,
  };

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = new SimulatedNetwork(this.#random);
    this.#pageSize = this.#random.pick([1, 2, 5, 5]);
    this.#intervalFrom = this.#random.pick([1, 1, 2, 3, null]);
    this.#work = new Random(seed);
    this.#leader = this.#openLeader(createManualClock(NOON));
  }

  /** Runs `steps` steps with a comparison after each, then lets every follower catch up and compares everything. */
  async run(steps: number): Promise<void> {
    // The shortest allowed, so that a follower that was disconnected for a while must copy again.
    await call(router.settings.update, { logSeconds: 60 }, { context: this.#leader.context });
    // In half of the histories the first copy has data, and takes several pages.
    if (this.#random.chance(0.5)) await fill(this.#random, this.#leader.context);
    this.#openFollowers();
    for (let step = 0; step < steps; step++) {
      await this.#step();
      await this.#check();
    }
    await this.#calm();
    for (const follower of this.#followers) await this.#checkWhole(follower);
    this.#countPurges();
    this.met.trouble = this.#network.trouble;
    this.met.revisions = this.#leader.context.engine.backend.revision;
  }

  #openFollowers(): void {
    const followers = this.#random.pick([1, 1, 2, 2, 3]);
    for (let i = 0; i < followers; i++) {
      // Wrong by days, and faster or slower than the true time.
      const clock = createManualClock(NOON + this.#random.between(-5, 5) * 86_400_000);
      const rate = this.#random.pick([0.5, 0.9, 1, 1.1, 2]);
      const file = join(this.#folder, `f${i}.sandglass`);
      this.#followers.push(this.#openFollower({ name: `f${i}`, file, clock, rate }));
    }
  }

  async close(): Promise<void> {
    await this.#allRead();
    for (const host of [...this.#followers, this.#leader]) {
      host.watch?.ended.catch(() => {});
      host.image.close();
      await host.seen.close();
      await host.stop();
    }
    const wrong = this.#followers.flatMap(({ file }) => disagreements(file));
    rmSync(this.#folder, { recursive: true, force: true });
    if (wrong.length > 0) throw new Error(`a follower counts wrongly: ${wrong.join('; ')}`);
  }

  async #step(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.06)) this.#changeWeather();
    if (random.chance(0.15)) this.#toggleLine();
    if (random.chance(0.04)) await this.#restartFollower();
    if (random.chance(0.15)) await this.#restartLeader();
    if (random.chance(0.1)) this.#setClock();
    // Some steps have no operations: then the log has revisions of expiries only.
    const most = random.pick([0, 0, 0, 5, 5, 5, 5, 5, 5, 20]);
    for (let i = random.between(0, most); i > 0; i--) await operate(random, this.#leader.context);
    // Definitions that later pages of a copy refer to and the first page does not contain.
    if (this.#isCopying && random.chance(0.7)) await reloadDefinitions(random, this.#leader.context);
    if (random.chance(0.25)) await this.#endLeaderInABuild();
    // Sometimes long enough for the log to be compacted, or for followers to be unregistered.
    const [shortest, longest] = random.pick(PAUSES_MS);
    await this.#pass(random.between(shortest, longest));
  }

  get #isCopying(): boolean {
    return this.#followers.some(
      ({ context: { engine } }) => engine.backend.replica?.progress.phase === 'copying',
    );
  }

  async #pass(ms: number): Promise<void> {
    // In pieces, since each store has its own timers.
    const piece = Math.min(LONGEST_PIECE_MS, Math.max(250, Math.ceil(ms / 40)));
    for (let left = ms; left > 0; left -= piece) {
      const passed = Math.min(piece, left);
      this.#now += passed;
      this.#leader.clock.advance(passed);
      for (const { clock, rate } of this.#followers) clock.advance(Math.round(passed * rate));
      this.#network.deliverUntil(this.#now);
      for (let turn = this.#random.between(1, 5); turn > 0; turn--)
        await new Promise(resolve => setImmediate(resolve));
    }
  }

  #changeWeather(): void {
    this.#network.weather = this.#random.pick([
      { lost: 0, doubled: 0, slowestMs: 5 },
      { lost: 0.05, doubled: 0.1, slowestMs: 300 },
      { lost: 0.3, doubled: 0.3, slowestMs: 2_000 },
      { lost: 0, doubled: 0.5, slowestMs: 15_000 },
    ]);
  }

  #toggleLine(): void {
    const { name } = this.#random.pick(this.#followers);
    if (!this.#network.cut.delete(name)) this.#network.cut.add(name);
  }

  /** Sets a follower's clock, which must have no effect. */
  #setClock(): void {
    const { clock } = this.#random.pick(this.#followers);
    clock.set(clock.now() + this.#random.between(-90_000, 90_000));
  }

  async #restartFollower(): Promise<void> {
    const place = this.#random.between(0, this.#followers.length - 1);
    const follower = this.#followers[place];
    if (follower === undefined) return;
    // Watches of a stopped follower end without an error.
    follower.watch?.ended.catch(() => {});
    const { file, wasKilled } = await this.#end(follower);
    this.#followers[place] = this.#openFollower({ ...follower, file });
    this.met[wasKilled ? 'followerKills' : 'followerRestarts'] += 1;
  }

  /** Changes an expression in place, writes during the build, and stops the leader before its end [D8]. */
  async #endLeaderInABuild(): Promise<void> {
    await this.#leader.context.engine.indexBuilds.stop();
    await changeExpression(this.#random, this.#leader.context);
    for (let i = this.#random.between(0, 3); i > 0; i--) {
      this.#buildRows(this.#leader);
      await operate(this.#random, this.#leader.context);
    }
    await this.#restartLeader();
  }

  /** Runs a few steps of the first pending build, each of one row. */
  #buildRows({ context: { engine } }: Host): void {
    for (let i = this.#random.between(0, 6); i > 0; i--) {
      const target = engine.backend.pendingBackfills()[0];
      if (target !== undefined) engine.backend.backfill(target, 0);
    }
  }

  async #restartLeader(): Promise<void> {
    const { file, wasKilled } = await this.#end(this.#leader);
    this.#leader = this.#openLeader(this.#leader.clock, file);
    await this.#countOpening();
    // Some followers reconnect only later.
    for (const { name } of this.#followers) if (this.#random.chance(0.4)) this.#network.cut.add(name);
    this.met[wasKilled ? 'leaderKills' : 'leaderRestarts'] += 1;
  }

  /**
   * Stops a host, or kills it between two transactions, of which a copy of its file at that moment remains. Returns the file
   * to continue with.
   */
  async #end(host: Host): Promise<{ file: string; wasKilled: boolean }> {
    const wasKilled = this.#random.chance(0.5);
    if (isBuilding(host)) this.met.endedBuilds += 1;
    if (host.context.engine.backend.unswept() > 0) this.met.endedUnswept += 1;
    const file = wasKilled ? join(this.#folder, `${host.name}-${this.#files++}.sandglass`) : host.file;
    if (wasKilled) {
      host.isDead = true;
      for (const suffix of ['', '-wal'])
        if (existsSync(host.file + suffix)) copyFileSync(host.file + suffix, file + suffix);
    }
    await this.#allRead();
    host.image.close();
    await host.seen.close();
    await host.stop();
    host.isDead = true;
    return { file, wasKilled };
  }

  /** A scan takes several turns, and must not find its store closed. */
  async #allRead(): Promise<void> {
    await Promise.allSettled(this.#sights.values());
  }

  /** Lets every follower catch up, free its rows and confirm every purge [X4], without faults or operations. */
  async #calm(): Promise<void> {
    this.#network.weather = { lost: 0, doubled: 0, slowestMs: 5 };
    this.#network.cut.clear();
    for (let i = 0; i < 400; i++) {
      await this.#pass(250);
      const { revision, purges } = this.#leader.context.engine.backend;
      const here = this.#followers.filter(
        ({ context: { engine } }) =>
          engine.leaderStatus?.isStale === false &&
          engine.backend.revision === revision &&
          engine.backend.unswept() === 0 &&
          // Interrupted purges are not listed, and are erased by followers too.
          engine.backend.replica?.purged === (purges.latest?.id ?? 0) &&
          engine.backend.pendingBackfills().length === 0,
      );
      const isPending = purges.list().some(({ purgedAt }) => purgedAt === null);
      if (here.length === this.#followers.length && !isPending) return;
    }
    const { revision, purges } = this.#leader.context.engine.backend;
    const states = this.#followers.map(({ name, context }) => ({
      name,
      revision: context.engine.backend.revision,
      status: context.engine.leaderStatus?.status,
    }));
    throw new Error(
      `not everybody catches up with ${revision}: ${JSON.stringify({ states, purges: purges.list() }, null, 1)}`,
    );
  }

  /** The last warnings and errors of each log: a call that fails because of a defect answers without the cause. */
  get lastComplaints(): string {
    return [...this.#complaints]
      .map(([name, lines]) => `log of ${name}:\n${lines.slice(-3).join('')}`)
      .join('\n');
  }

  /** Checks that each follower either answers STALE or equals the leader at the follower's revision and instant. */
  async #check(): Promise<void> {
    for (const follower of this.#followers) {
      const { engine } = follower.context;
      if (engine.leaderStatus?.isStale !== false) {
        this.met.stale += 1;
        await this.#endWatch(follower);
        await expectCode('STALE', () => call(router.collections.list, {}, { context: follower.context }));
        continue;
      }
      // The age of its data, which must not exceed the timeout.
      const age = (this.#leader.clock.now() - engine.clock.now()) * follower.rate;
      if (age > SYNC_TIMEOUT_MS + LONGEST_PIECE_MS)
        throw new Error(`${follower.name} answers what was true ${age} ms ago`);
      await expectCode('READ_ONLY', () =>
        call(router.collections.create, { name: 'own' }, { context: follower.context }),
      );
      this.#checkImage(follower);
      await this.#checkSight(follower);
      follower.watch ??= await this.#watch(follower);
    }
  }

  #checkImage(follower: Host): void {
    const { revision, image } = follower.image.read();
    const expected = this.#images.get(revision);
    if (image !== expected)
      throw new Error(`${follower.name} at ${revision} has ${difference(image, expected)}`);
    this.met.compared += 1;
    if (follower.context.engine.backend.unswept() > 0) this.met.comparedUnswept += 1;
  }

  async #checkSight(follower: Host): Promise<void> {
    const { backend, clock } = follower.context.engine;
    const moment = `${backend.revision} at ${clock.now()}`;
    const expected = await this.#sights.get(moment);
    if (expected === undefined)
      throw new Error(`${follower.name} judges by ${moment}, which the leader never sent`);
    const sight = await sightOf(follower.seen, clock.now());
    if (sight !== expected)
      throw new Error(`${follower.name}, ${moment}, shows ${difference(sight, expected)}`);
    const wrong = await wronglyShown(follower.seen, clock.now());
    if (wrong.length > 0) throw new Error(`${follower.name}, ${moment}, wrongly shows or hides ${wrong}`);
    this.met.seen += 1;
  }

  /**
   * Checks, without running operations, that all counts and explanations are equal, and the history of events as far back as the follower
   * has it [V3, X1].
   */
  async #checkWhole(follower: Host): Promise<void> {
    const failed = follower.context.engine.leaderStatus?.status.failedReplay ?? null;
    if (failed !== null) throw new Error(`${follower.name} copied again: ${failed.reason}`);
    this.#checkImage(follower);
    await this.#checkSight(follower);
    const now = follower.context.engine.clock.now();
    const [own, leaders] = [follower.seen, this.#leader.seen];
    const [counts, leaderCounts] = [await countsOf(own, now), await countsOf(leaders, now)];
    if (counts !== leaderCounts)
      throw new Error(`${follower.name} counts otherwise: ${difference(counts, leaderCounts)}`);
    const [reasons, leaderReasons] = [await explanationsOf(own, now), await explanationsOf(leaders, now)];
    if (reasons !== leaderReasons)
      throw new Error(`${follower.name} explains otherwise: ${difference(reasons, leaderReasons)}`);
    const events = async ({ context }: Host, from: number) =>
      JSON.stringify(
        await context.engine.backend.reads.changes({ from: { revision: from, position: 0 }, limit: 100_000 }),
        null,
        1,
      );
    const oldest = Math.max(follower.image.oldest(), this.#leader.image.oldest());
    const [found, expected] = [await events(follower, oldest), await events(this.#leader, oldest)];
    if (found !== expected)
      throw new Error(`${follower.name} has other events: ${difference(found, expected)}`);
  }

  #countPurges(): void {
    const purges = this.#leader.context.engine.backend.purges.list();
    this.met.purges += purges.length;
    this.met.purgedFollowers += purges.flatMap(({ followers }) => followers).length;
  }

  /** Starts a watch from the next revision on; its events are checked when it ends. */
  async #watch({ context }: Host): Promise<Watch> {
    const from = context.engine.backend.revision + 1;
    const ids: string[] = [];
    const events = await call(router.events.watch, { from: String(from) }, { context });
    const listen = async () => {
      for await (const event of events) ids.push(getEventMeta(event)?.id ?? '');
    };
    return { ids, from, ended: expectCode('STALE', listen) };
  }

  /** Ends a watch. Until the follower became stale it must have received every change once, in order [V3]. */
  async #endWatch(follower: Host): Promise<void> {
    if (follower.watch === null) return;
    const { ids, from, ended } = follower.watch;
    follower.watch = null;
    await ended;
    const expected = [...this.#changes]
      .toSorted(([one], [other]) => one - other)
      .filter(([revision]) => revision >= from)
      // The marker of a revision follows its last change.
      .flatMap(([revision, count]) => Array.from({ length: count + 1 }, (_, place) => `${revision}.${place}`))
      .slice(0, ids.length);
    if (ids.join() !== expected.join())
      throw new Error(`${follower.name} received ${ids} instead of ${expected}`);
    this.met.endedWatches += 1;
    this.met.watchedEvents += ids.length;
  }

  #openLeader(clock: ManualClock, file = join(this.#folder, 'leader.sandglass')): Host {
    const known = Math.max(-1, ...this.#images.keys());
    const host = this.#open({ name: 'leader', file, clock, rate: 1 });
    const { backend } = host.context.engine;
    if (backend.revision > known + 1) throw new Error(`opening the leader made more than one revision`);
    this.#remember(host, backend.revision, clock.now());
    backend.onCommit(({ revision, at, changes }) => {
      if (host.isDead) return;
      this.#changes.set(revision, documentsOf(changes));
      this.met.intervals += intervalsOf(changes);
      this.#remember(host, revision, at);
    });
    return host;
  }

  /** Counts the changes of a revision that opening made, before a listener could be added. */
  async #countOpening(): Promise<void> {
    const { revision, reads } = this.#leader.context.engine.backend;
    if (this.#changes.has(revision)) return;
    const { events } = await reads.changes({ from: { revision, position: 0 }, limit: 1_000 });
    // The last event is the marker of the revision.
    this.#changes.set(revision, events.length - 1);
  }

  #remember({ image, seen }: Host, revision: number, at: number): void {
    this.#images.set(revision, image.read().image);
    this.#sights.set(`${revision} at ${at}`, sightOf(seen, at));
  }

  #openFollower({ name, file, clock, rate }: Process): Host {
    const host = this.#open({ name, file, clock, rate }, this.#network.lineTo(this.#recordingLeader(), name));
    host.context.engine.backend.onCommit(({ changes }) => {
      this.met.replayedIntervals += intervalsOf(changes);
    });
    return host;
  }

  #open({ name, file, clock, rate }: Process, leader?: Leader): Host {
    const complaints = this.#complaints.get(name) ?? [];
    this.#complaints.set(name, complaints);
    const { engine, stop } = openEngine({
      storeFile: file,
      clock: busyClock(clock, this.#work, this.#work.pick(SLOWNESS_MS)),
      log: createLogger('warn', clock.now, line => complaints.push(line)),
      intervalFrom: this.#intervalFrom,
      version: '0.0.0-test',
      callsWaiting: () => 0,
      reads: 'inline',
      ...(leader === undefined
        ? {}
        : { follow: { leader, url: 'http://leader.test', syncTimeoutMs: SYNC_TIMEOUT_MS } }),
    });
    const context: EmbeddedContext = {
      engine,
      caller: { user: 'ada', permission: 'configure', from: 'machine' },
    };
    const image = new StoreImage(file);
    const reads = new EmbeddedReads(file, clock);
    const seen = {
      reads,
      collectionNames: () => engine.backend.collectionNames(),
      close: () => reads.close(),
    };
    return { name, file, clock, rate, context, image, seen, watch: null, isDead: false, stop };
  }

  /** Calls the leader's present process and records its state at each answer. */
  #recordingLeader(): Leader {
    const answer = async <Answer>(ask: (context: EmbeddedContext) => Promise<Answer>): Promise<Answer> => {
      const host = this.#leader;
      const given = await ask(host.context);
      if (host.isDead) throw new Error('the leader ended before it answered');
      return given;
    };
    const remember = <Answer extends { leaderNow: number; revision: number }>(given: Answer): Answer => {
      const { context, seen } = this.#leader;
      const { backend } = context.engine;
      if (backend.revision !== given.revision)
        throw new Error('the leader changed before its answer was recorded');
      this.#sights.set(`${given.revision} at ${given.leaderNow}`, sightOf(seen, given.leaderNow));
      return given;
    };
    const { register, snapshot, log } = router.replication;
    return {
      register: async follower =>
        remember(await answer(context => call(register, { follower, ...REPLICATION_VERSIONS }, { context }))),
      snapshot: async (follower, after) => {
        if (after === null) this.met.copies += 1;
        const limit = this.#pageSize;
        return await answer(context => call(snapshot, { follower, after, limit }, { context }));
      },
      log: async (follower, at, waitMs) =>
        remember(await answer(context => call(log, { follower, ...at, waitMs, limit: 20 }, { context }))),
    };
  }
}

type Changes = Commit['changes'];

/** Changes that a revision has events of: an interval is one change of many documents. */
function documentsOf(changes: Changes): number {
  return changes.reduce((sum, { documents = 1 }) => sum + documents, 0);
}

function intervalsOf(changes: Changes): number {
  return changes.filter(({ documents }) => documents !== undefined).length;
}

function isBuilding({ context }: Host): boolean {
  return context.engine.backend.pendingBackfills().length > 0;
}

async function expectCode(code: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return;
    throw error;
  }
  throw new Error(`expected ${code}, and it was answered`);
}

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, getEventMeta } from '@orpc/server';
import type { Context } from '../../../../electron/engine/api/context.ts';
import { router } from '../../../../electron/engine/api/router.ts';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import type { Leader } from '../../../../electron/engine/replication/leader.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { Random } from '../../../support/random.ts';
import { disagreements } from '../../../support/recount.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { changeExpression, fill, operate, reloadDefinitions } from './simulated-operations.ts';
import { countsOf, difference, StoreImage, sightOf, wronglyShown } from './store-image.ts';

const SYNC_TIMEOUT_MS = 10_000;
const LONGEST_PIECE_MS = 3_000;
/** How long a step lasts, at least and at most; one of them for each step. */
const PAUSES_MS: readonly (readonly [number, number])[] = [
  ...Array.from({ length: 20 }, () => [1, 900] as const),
  ...Array.from({ length: 4 }, () => [8_000, 15_000] as const),
  [20_000, 120_000],
];
/** Where a store need not wait for a disk: what is simulated here is not a power cut. */
const MEMORY = '/dev/shm/sandglass-simulation-';

type ManualClock = ReturnType<typeof createManualClock>;

interface Process {
  name: string;
  file: string;
  clock: ManualClock;
  /** How fast its clock runs, beside the true time. */
  rate: number;
}

/** An open store on a clock of its own, called as the API is. */
interface Host extends Process {
  context: Context;
  /** It was stopped or killed; an answer of it that is still to come is lost. */
  isDead: boolean;
  image: StoreImage;
  complaints: string[];
  watch: Watch | null;
  stop(): Promise<void>;
}

/** What one watch of a follower was told, and how it ended. */
interface Watch {
  ids: string[];
  from: number;
  ended: Promise<void>;
}

/**
 * A leader and its followers, each a real store on a clock of its own, over a bad line [V5]. One seed makes one
 * history. What was true of the leader at each revision, and at each instant it told of, is kept, to be held against
 * what any follower says at any moment.
 */
export class SimulatedWorld {
  readonly #random: Random;
  readonly #folder = mkdtempSync(MEMORY);
  readonly #network: SimulatedNetwork;
  #leader: Host;
  readonly #followers: Host[] = [];
  /** Documents in a page of a snapshot. */
  readonly #pageSize: number;
  #now = 0;
  /** Files that were made for killed processes. */
  #files = 0;
  /** The leader's image at each revision and how many changes led to it, and what was seen at each instant it told of. */
  readonly #images = new Map<number, string>();
  readonly #changes = new Map<number, number>();
  readonly #sights = new Map<string, Promise<string>>();
  /** What was met on the way, so that a test knows that its histories were eventful. */
  readonly met = {
    compared: 0,
    seen: 0,
    stale: 0,
    leaderRestarts: 0,
    leaderKills: 0,
    followerRestarts: 0,
    followerKills: 0,
    copies: 0,
    /** Builds of an index that a stop or a kill of their store cut short. */
    endedBuilds: 0,
    endedWatches: 0,
    told: 0,
    trouble: 0,
    purges: 0,
    purgedFollowers: 0,
    revisions: 0,
  };

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = new SimulatedNetwork(this.#random);
    this.#pageSize = this.#random.pick([1, 2, 5, 5]);
    this.#leader = this.#openLeader(createManualClock(NOON));
  }

  /** Lives through `steps` moments, comparing on the way, then lets everybody catch up and compares everything. */
  async run(steps: number): Promise<void> {
    // As short as it may be, so that whoever is away for a while has to copy anew.
    await call(router.settings.update, { logSeconds: 60 }, { context: this.#leader.context });
    // Some first copies are of a store that holds something, and take several pages.
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
      // Days off, and faster or slower than time itself.
      const clock = createManualClock(NOON + this.#random.between(-5, 5) * 86_400_000);
      const rate = this.#random.pick([0.5, 0.9, 1, 1.1, 2]);
      const file = join(this.#folder, `f${i}.sandglass`);
      this.#followers.push(this.#openFollower({ name: `f${i}`, file, clock, rate }));
    }
  }

  async close(): Promise<void> {
    for (const host of [...this.#followers, this.#leader]) {
      host.watch?.ended.catch(() => {});
      host.image.close();
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
    // Without operations documents expire all the same: then the log has revisions of expiries alone.
    const most = random.pick([0, 0, 0, 5, 5, 5, 5, 5, 5, 20]);
    for (let i = random.between(0, most); i > 0; i--) await operate(random, this.#leader.context);
    // What a later page of a copy may refer to, and the first did not know of.
    if (this.#isCopying && random.chance(0.7)) await reloadDefinitions(random, this.#leader.context);
    if (random.chance(0.25)) await this.#endLeaderInABuild();
    // Now and then long enough for the log to be compacted, or for followers to be forgotten.
    const [shortest, longest] = random.pick(PAUSES_MS);
    await this.#pass(random.between(shortest, longest));
  }

  get #isCopying(): boolean {
    return this.#followers.some(
      ({ context: { engine } }) => engine.backend.replica?.progress.phase === 'copying',
    );
  }

  async #pass(ms: number): Promise<void> {
    // In pieces, since everybody has timers of their own.
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

  /** A person, or NTP, sets a follower's clock: it must not matter. */
  #setClock(): void {
    const { clock } = this.#random.pick(this.#followers);
    clock.set(clock.now() + this.#random.between(-90_000, 90_000));
  }

  async #restartFollower(): Promise<void> {
    const place = this.#random.between(0, this.#followers.length - 1);
    const follower = this.#followers[place];
    if (follower === undefined) return;
    // Its watches end without an error.
    follower.watch?.ended.catch(() => {});
    const { file, wasKilled } = await this.#end(follower);
    this.#followers[place] = this.#openFollower({ ...follower, file });
    this.met[wasKilled ? 'followerKills' : 'followerRestarts'] += 1;
  }

  /** Changes an expression in place, writes while a part of the build is done, and ends the leader [D8]. */
  async #endLeaderInABuild(): Promise<void> {
    await this.#leader.context.engine.indexBuilds.stop();
    await changeExpression(this.#random, this.#leader.context);
    for (let i = this.#random.between(0, 3); i > 0; i--) {
      this.#buildRows(this.#leader);
      await operate(this.#random, this.#leader.context);
    }
    await this.#restartLeader();
  }

  /** A few steps of the first build that is to be made, each of one row. */
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
    // Some followers find it again only later.
    for (const { name } of this.#followers) if (this.#random.chance(0.4)) this.#network.cut.add(name);
    this.met[wasKilled ? 'leaderKills' : 'leaderRestarts'] += 1;
  }

  /**
   * Stops a host, or kills it between two transactions: then the file to go on with is a copy of that moment. Returns
   * that file.
   */
  async #end(host: Host): Promise<{ file: string; wasKilled: boolean }> {
    const wasKilled = this.#random.chance(0.5);
    if (isBuilding(host)) this.met.endedBuilds += 1;
    const file = wasKilled ? join(this.#folder, `${host.name}-${this.#files++}.sandglass`) : host.file;
    if (wasKilled) {
      host.isDead = true;
      for (const suffix of ['', '-wal'])
        if (existsSync(host.file + suffix)) copyFileSync(host.file + suffix, file + suffix);
    }
    host.image.close();
    await host.stop();
    host.isDead = true;
    return { file, wasKilled };
  }

  /** Good weather, nothing more happens, and time enough: also for every follower to confirm every purge [X4]. */
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
          engine.backend.pendingBackfills().length === 0,
      );
      const isPending = purges.list().some(({ purgedAt }) => purgedAt === null);
      if (here.length === this.#followers.length && !isPending) return;
    }
    const { revision, purges } = this.#leader.context.engine.backend;
    const states = this.#followers.map(({ name, context, complaints }) => ({
      name,
      revision: context.engine.backend.revision,
      status: context.engine.leaderStatus?.status,
      complaints: complaints.slice(-3),
    }));
    throw new Error(
      `not everybody catches up with ${revision}: ${JSON.stringify({ states, purges: purges.list() })}`,
    );
  }

  /** Whatever a follower answers now was true of the leader at that very revision and instant; or it answers STALE. */
  async #check(): Promise<void> {
    for (const follower of this.#followers) {
      const { engine } = follower.context;
      if (engine.leaderStatus?.isStale !== false) {
        this.met.stale += 1;
        await this.#endWatch(follower);
        await expectCode('STALE', () => call(router.collections.list, {}, { context: follower.context }));
        continue;
      }
      // What it shows is old, and never older than that.
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
  }

  async #checkSight(follower: Host): Promise<void> {
    const { backend, clock } = follower.context.engine;
    const moment = `${backend.revision} at ${clock.now()}`;
    const expected = await this.#sights.get(moment);
    if (expected === undefined)
      throw new Error(`${follower.name} judges by ${moment}, which the leader never told of`);
    const sight = await sightOf(backend, clock.now());
    if (sight !== expected)
      throw new Error(`${follower.name}, ${moment}, shows ${difference(sight, expected)}`);
    const wrong = await wronglyShown(backend, clock.now());
    if (wrong.length > 0) throw new Error(`${follower.name}, ${moment}, wrongly shows or hides ${wrong}`);
    this.met.seen += 1;
  }

  /**
   * At rest everything that is counted is the same, and so is the history of events, as far back as the follower's goes
   * [V3, X1].
   */
  async #checkWhole(follower: Host): Promise<void> {
    const failed = follower.context.engine.leaderStatus?.status.failedReplay ?? null;
    if (failed !== null) throw new Error(`${follower.name} copied anew: ${failed.reason}`);
    this.#checkImage(follower);
    await this.#checkSight(follower);
    const now = follower.context.engine.clock.now();
    const [counts, leaderCounts] = [
      await countsOf(follower.context.engine.backend, now),
      await countsOf(this.#leader.context.engine.backend, now),
    ];
    if (counts !== leaderCounts)
      throw new Error(`${follower.name} counts otherwise: ${difference(counts, leaderCounts)}`);
    const events = async ({ context }: Host, from: number) =>
      JSON.stringify(
        await context.engine.backend.reads.changes({ from: { revision: from, position: 0 }, limit: 100_000 }),
        null,
        1,
      );
    const oldest = Math.max(follower.image.oldest(), this.#leader.image.oldest());
    const [told, expected] = [await events(follower, oldest), await events(this.#leader, oldest)];
    if (told !== expected)
      throw new Error(`${follower.name} tells other events: ${difference(told, expected)}`);
  }

  #countPurges(): void {
    const purges = this.#leader.context.engine.backend.purges.list();
    this.met.purges += purges.length;
    this.met.purgedFollowers += purges.flatMap(({ followers }) => followers).length;
  }

  /** Watches from the next revision on; what it is told is looked at when it ends. */
  async #watch({ context }: Host): Promise<Watch> {
    const from = context.engine.backend.revision + 1;
    const ids: string[] = [];
    const events = await call(router.events.watch, { from: String(from) }, { context });
    const listen = async () => {
      for await (const event of events) ids.push(getEventMeta(event)?.id ?? '');
    };
    return { ids, from, ended: expectCode('STALE', listen) };
  }

  /** A watch ends with its follower's being current, and until then it was told all, in order, and nothing twice [V3]. */
  async #endWatch(follower: Host): Promise<void> {
    if (follower.watch === null) return;
    const { ids, from, ended } = follower.watch;
    follower.watch = null;
    await ended;
    const expected = [...this.#changes]
      .toSorted(([one], [other]) => one - other)
      .filter(([revision]) => revision >= from)
      // The marker is behind the last.
      .flatMap(([revision, count]) => Array.from({ length: count + 1 }, (_, place) => `${revision}.${place}`))
      .slice(0, ids.length);
    if (ids.join() !== expected.join())
      throw new Error(`${follower.name} was told of ${ids} instead of ${expected}`);
    this.met.endedWatches += 1;
    this.met.told += ids.length;
  }

  #openLeader(clock: ManualClock, file = join(this.#folder, 'leader.sandglass')): Host {
    const known = Math.max(-1, ...this.#images.keys());
    const host = this.#open({ name: 'leader', file, clock, rate: 1 });
    const { backend } = host.context.engine;
    if (backend.revision > known + 1) throw new Error(`opening the leader made more than one revision`);
    this.#remember(host, backend.revision, clock.now());
    backend.onCommit(({ revision, at, changes }) => {
      if (host.isDead) return;
      this.#changes.set(revision, changes.length);
      this.#remember(host, revision, at);
    });
    return host;
  }

  /** Opening may make a revision of its own, which no listener is there for. */
  async #countOpening(): Promise<void> {
    const { revision, reads } = this.#leader.context.engine.backend;
    if (this.#changes.has(revision)) return;
    const { events } = await reads.changes({ from: { revision, position: 0 }, limit: 1_000 });
    // The last one is the marker of the revision.
    this.#changes.set(revision, events.length - 1);
  }

  #remember({ image, context }: Host, revision: number, at: number): void {
    this.#images.set(revision, image.read().image);
    this.#sights.set(`${revision} at ${at}`, sightOf(context.engine.backend, at));
  }

  #openFollower({ name, file, clock, rate }: Process): Host {
    return this.#open({ name, file, clock, rate }, this.#network.lineTo(this.#tellingLeader(), name));
  }

  #open({ name, file, clock, rate }: Process, leader?: Leader): Host {
    const complaints: string[] = [];
    const { engine, stop } = openEngine({
      storeFile: file,
      clock,
      log: createLogger('warn', clock.now, line => complaints.push(line)),
      version: '0.0.0-test',
      callsWaiting: () => 0,
      reads: 'inline',
      ...(leader === undefined
        ? {}
        : { follow: { leader, url: 'http://leader.test', syncTimeoutMs: SYNC_TIMEOUT_MS } }),
    });
    const context: Context = { engine, caller: { user: 'ada', permission: 'configure', from: 'machine' } };
    const image = new StoreImage(file);
    return { name, file, clock, rate, context, image, complaints, watch: null, isDead: false, stop };
  }

  /** The answers of the leader's process that runs when it is asked; the state that each is true of is remembered. */
  #tellingLeader(): Leader {
    const answer = async <Answer>(ask: (context: Context) => Promise<Answer>): Promise<Answer> => {
      const host = this.#leader;
      const given = await ask(host.context);
      if (host.isDead) throw new Error('the leader ended before it answered');
      return given;
    };
    const remember = <Answer extends { leaderNow: number; revision: number }>(given: Answer): Answer => {
      const { backend } = this.#leader.context.engine;
      if (backend.revision !== given.revision)
        throw new Error('the leader went on before its answer was looked at');
      this.#sights.set(`${given.revision} at ${given.leaderNow}`, sightOf(backend, given.leaderNow));
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

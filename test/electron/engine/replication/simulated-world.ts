import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, getEventMeta } from '@orpc/server';
import type { Context } from '../../../../electron/engine/api/context.ts';
import { router } from '../../../../electron/engine/api/router.ts';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createManualClock } from '../../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import type { Leader } from '../../../../electron/engine/replication/leader.ts';
import { NOON } from '../../../support/engine.ts';
import { Random } from '../../../support/random.ts';
import { disagreements } from '../../../support/recount.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { operate } from './simulated-operations.ts';
import { difference, StoreImage, sightOf, wronglyShown } from './store-image.ts';

const SYNC_TIMEOUT_MS = 10_000;
const LONGEST_PIECE_MS = 3_000;
/** Where a store need not wait for a disk: what is simulated here is not a power cut. */
const MEMORY = '/dev/shm/sandglass-simulation-';

type ManualClock = ReturnType<typeof createManualClock>;

/** An open store on a clock of its own, called as the API is. */
interface Host {
  name: string;
  file: string;
  clock: ManualClock;
  /** How fast its clock runs, beside the true time. */
  rate: number;
  context: Context;
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
 * A leader and its followers, each a real store on a clock of its own, over a bad line [V5]. One seed makes one history.
 * What was true of the leader at each revision, and at each instant it told of, is kept, to be held against what
 * any follower says at any moment.
 */
export class SimulatedWorld {
  readonly #random: Random;
  readonly #folder = mkdtempSync(MEMORY);
  readonly #network: SimulatedNetwork;
  readonly #leader: Host;
  readonly #followers: Host[] = [];
  #now = 0;
  /** The leader's image at each revision and how many changes led to it, and what was seen at each instant it told of. */
  readonly #images = new Map<number, string>();
  readonly #changes = new Map<number, number>();
  readonly #sights = new Map<string, Promise<string>>();
  /** What was met on the way, so that a test knows that its histories were eventful. */
  readonly met = {
    compared: 0,
    seen: 0,
    stale: 0,
    crashes: 0,
    copies: 0,
    endedWatches: 0,
    told: 0,
    trouble: 0,
    revisions: 0,
  };

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = new SimulatedNetwork(this.#random);
    this.#leader = this.#open('leader', createManualClock(NOON), 1);
    const { backend } = this.#leader.context.engine;
    this.#remember(backend.revision, NOON);
    backend.onCommit(({ revision, at, changes }) => {
      this.#changes.set(revision, changes.length);
      this.#remember(revision, at);
    });
    const followers = this.#random.pick([1, 1, 2, 2, 3]);
    for (let i = 0; i < followers; i++) {
      // Days off, and faster or slower than time itself.
      const clock = createManualClock(NOON + this.#random.between(-5, 5) * 86_400_000);
      this.#followers.push(this.#openFollower(`f${i}`, clock, this.#random.pick([0.5, 0.9, 1, 1.1, 2])));
    }
  }

  /** Lives through `steps` moments, comparing on the way, then lets everybody catch up and compares everything. */
  async run(steps: number): Promise<void> {
    // As short as it may be, so that whoever is away for a while has to copy anew.
    await call(router.settings.update, { logSeconds: 60 }, { context: this.#leader.context });
    for (let step = 0; step < steps; step++) {
      await this.#step();
      await this.#check();
    }
    await this.#calm();
    for (const follower of this.#followers) await this.#checkWhole(follower);
    this.met.trouble = this.#network.trouble;
    this.met.revisions = this.#leader.context.engine.backend.revision;
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
    if (random.chance(0.08)) this.#toggleLine();
    if (random.chance(0.04)) await this.#crash();
    if (random.chance(0.1)) this.#setClock();
    const busy = random.chance(0.1) ? 20 : 5;
    for (let i = random.between(0, busy); i > 0; i--) await operate(random, this.#leader.context);
    // Now and then long enough for whatever was said to be forgotten.
    await this.#pass(random.chance(0.04) ? random.between(20_000, 120_000) : random.between(1, 900));
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

  /** A follower's process is gone between two of its transactions, and comes back on the same file. */
  async #crash(): Promise<void> {
    const place = this.#random.between(0, this.#followers.length - 1);
    const follower = this.#followers[place];
    if (follower === undefined) return;
    // Whoever watched is cut off, with no word.
    follower.watch?.ended.catch(() => {});
    follower.image.close();
    await follower.stop();
    this.#followers[place] = this.#openFollower(follower.name, follower.clock, follower.rate);
    this.met.crashes += 1;
  }

  /** Good weather, nothing more happens, and time enough. */
  async #calm(): Promise<void> {
    this.#network.weather = { lost: 0, doubled: 0, slowestMs: 5 };
    this.#network.cut.clear();
    for (let i = 0; i < 400; i++) {
      await this.#pass(250);
      const { revision } = this.#leader.context.engine.backend;
      const here = this.#followers.filter(
        ({ context: { engine } }) =>
          engine.following?.isStale === false && engine.backend.revision === revision,
      );
      if (here.length === this.#followers.length) return;
    }
    const states = this.#followers.map(({ name, context, complaints }) => ({
      name,
      revision: context.engine.backend.revision,
      status: context.engine.following?.status,
      complaints: complaints.slice(-3),
    }));
    throw new Error(
      `not everybody catches up with ${this.#leader.context.engine.backend.revision}: ${JSON.stringify(states)}`,
    );
  }

  /** Whatever a follower answers now was true of the leader at that very revision and instant; or it answers STALE. */
  async #check(): Promise<void> {
    for (const follower of this.#followers) {
      const { engine } = follower.context;
      if (engine.following?.isStale !== false) {
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

  /** At rest the history of events is the same, too, as far back as the follower's goes [V3]. */
  async #checkWhole(follower: Host): Promise<void> {
    this.#checkImage(follower);
    await this.#checkSight(follower);
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
      .filter(([revision]) => revision >= from)
      // The marker is behind the last.
      .flatMap(([revision, count]) => Array.from({ length: count + 1 }, (_, place) => `${revision}.${place}`))
      .slice(0, ids.length);
    if (ids.join() !== expected.join())
      throw new Error(`${follower.name} was told of ${ids} instead of ${expected}`);
    this.met.endedWatches += 1;
    this.met.told += ids.length;
  }

  #remember(revision: number, at: number): void {
    this.#images.set(revision, this.#leader.image.read().image);
    this.#sights.set(`${revision} at ${at}`, sightOf(this.#leader.context.engine.backend, at));
  }

  #open(name: string, clock: ManualClock, rate: number, leader?: Leader): Host {
    const file = join(this.#folder, `${name}.sandglass`);
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
    const context: Context = { engine, caller: { user: 'ada', permission: 'configure' } };
    return { name, file, clock, rate, context, image: new StoreImage(file), complaints, watch: null, stop };
  }

  #openFollower(name: string, clock: ManualClock, rate: number): Host {
    return this.#open(name, clock, rate, this.#network.lineTo(this.#tellingLeader(), name));
  }

  /** The leader's own answers; what was seen there as it gave them is remembered. */
  #tellingLeader(): Leader {
    const { context } = this.#leader;
    const remember = <Answer extends { leaderNow: number; revision: number }>(answer: Answer): Answer => {
      const { backend } = context.engine;
      if (backend.revision !== answer.revision)
        throw new Error('the leader went on before its answer was looked at');
      this.#sights.set(`${answer.revision} at ${answer.leaderNow}`, sightOf(backend, answer.leaderNow));
      return answer;
    };
    const { register, snapshot, log } = router.replication;
    return {
      register: async follower => remember(await call(register, { follower }, { context })),
      snapshot: async (follower, after) => {
        if (after === null) this.met.copies += 1;
        return await call(snapshot, { follower, after, limit: 5 }, { context });
      },
      log: async (follower, after, waitMs) =>
        remember(await call(log, { follower, after, waitMs, limit: 20 }, { context })),
    };
  }
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

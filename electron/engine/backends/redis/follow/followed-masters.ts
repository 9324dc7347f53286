import type { Clock } from '../../../platform/clock.ts';
import type { Master } from '../connection/masters.ts';
import { connectionLost } from '../connection/redis-failure.ts';
import { textOf } from '../connection/reply.ts';
import { KeyReader } from '../scan/key-reader.ts';
import { ServerClock } from '../server/server-clock.ts';
import { ServerWatch } from './server-watch.ts';

/** A master with what is read from it. */
export interface FollowedMaster {
  readonly master: Master;
  /** The clock by which its keys expire. */
  readonly clock: ServerClock;
  readonly watch: ServerWatch;
  readonly reader: KeyReader;
}

/** The masters whose keys are mirrored, and the facts that concern them together. */
export class FollowedMasters {
  readonly #clock: Clock;
  readonly #serverClock: ServerClock;
  #all: readonly FollowedMaster[] = [];

  /** `serverClock` is measured on the first master. */
  constructor(options: { readonly clock: Clock; readonly serverClock: ServerClock }) {
    this.#clock = options.clock;
    this.#serverClock = options.serverClock;
  }

  get all(): readonly FollowedMaster[] {
    return this.#all;
  }

  /** Reads the state of each master, against which later polls are compared. */
  async begin(masters: readonly Master[]): Promise<void> {
    this.#all = await Promise.all(
      masters.map(async (master, i) => {
        const clock = i === 0 ? this.#serverClock : new ServerClock(this.#clock);
        const watch = new ServerWatch({ ...master, serverClock: clock, clock: this.#clock });
        await watch.begin();
        const reader = new KeyReader(master.reading, { hasExpireTime: watch.hasExpireTime });
        return { master, clock, watch, reader };
      }),
    );
  }

  /** PEXPIRETIME and the class of notifications for new keys came with Redis 7.0. */
  get hasExpireTime(): boolean {
    return this.#all.every(({ watch }) => watch.hasExpireTime);
  }

  /** True if each master notifies of every change of a deadline. */
  get isCovered(): boolean {
    return this.#all.every(({ watch }) => watch.coverage.isComplete);
  }

  /** Median round trip of the last polls of the slowest master, ms; null: none yet. */
  get roundTripMs(): number | null {
    const times = this.#all.map(({ watch }) => watch.roundTripMs).filter(ms => ms !== null);
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Returns what has changed on a master since `begin`; null: nothing. */
  async poll(): Promise<string | null> {
    const changes = await Promise.all(this.#all.map(({ watch }) => watch.poll()));
    return changes.find(change => change !== null) ?? null;
  }

  /** Turns on the notifications that each master lacks, and returns the flags of the first one. */
  async turnOnNotifications(): Promise<string> {
    const flags = await Promise.all(
      this.#all.map(async ({ master, watch }) => {
        const { wanted } = watch.coverage;
        textOf(await master.commands.command('CONFIG', 'SET', 'notify-keyspace-events', wanted));
        return wanted;
      }),
    );
    const [first] = flags;
    if (first === undefined) throw connectionLost('it has not answered yet');
    return first;
  }
}

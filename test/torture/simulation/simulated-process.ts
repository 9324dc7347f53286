import type { Clock } from '../../../electron/engine/platform/clock.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

const TURNS = 10_000;
/** Time that passes for a timer that is late, ms. */
const LATE_MS = 50;
/** Timers of a machine that wakes up go on with at most this, ms [R10]. */
const AWAKE_MS = 31_000;
/** Longer times pass as those of a sleeping machine, ms. */
const LONGEST_AWAKE_MS = 600_000;

/** A store of the process, as far as time is concerned. */
interface Timed {
  /** Whether its reaper sleeps and no index is building. */
  isResting(): Promise<boolean>;
  /** Time to the next wake-up of its reaper, at least 1 ms; null: it sleeps until something changes. */
  untilWake(): number | null;
}

/** The process that all stores of a history are open in: one clock, which only the simulation moves. */
export class SimulatedProcess {
  readonly clock: ManualClock;
  /** Clock of the engines: as `clock`, but its timers may be late. */
  readonly engineClock: Clock;
  readonly #stores: Timed[] = [];

  constructor(clock: ManualClock, engineClock: Clock) {
    this.clock = clock;
    this.engineClock = engineClock;
  }

  add(store: Timed): void {
    this.#stores.push(store);
  }

  /** Resolves when every reaper sleeps and no index is building. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) {
      const resting: boolean[] = [];
      for (const store of this.#stores) {
        this.clock.advance(0);
        resting.push(await store.isResting());
      }
      if (resting.every(Boolean)) return;
      // A timer may be late: it is waited for.
      if (turn > 3) this.clock.advance(LATE_MS);
      await new Promise(resolve => setImmediate(resolve));
    }
    throw new Error('the engine does not come to rest');
  }

  /** Advances time, at most `pieces` times to the next wake-up of a reaper, then at once. */
  async advance(ms: number, pieces: number): Promise<void> {
    let left = ms;
    for (let piece = 0; piece < pieces && left > 0; piece++) {
      await this.settle();
      const wakes = this.#stores.flatMap(store => store.untilWake() ?? []);
      if (wakes.length === 0) break;
      const step = Math.min(left, ...wakes);
      this.#pass(step);
      left -= step;
    }
    this.#pass(left);
    await this.settle();
  }

  /** Every timer of a year would take longer than the rest: most of a long time passes in sleep. */
  #pass(ms: number): void {
    const isLong = ms > LONGEST_AWAKE_MS;
    if (isLong) this.clock.suspend(ms - AWAKE_MS);
    this.clock.advance(isLong ? AWAKE_MS : ms);
  }
}

import type { Leader } from '../../../../electron/engine/replication/leader.ts';
import type { Random } from '../../../support/random.ts';

/** Faults of the network: probabilities, and delays in ms. */
export interface Weather {
  lost: number;
  doubled: number;
  slowestMs: number;
}

interface Parcel {
  at: number;
  deliver: () => void;
}

/**
 * Delivers requests and answers in simulated time: each may be lost, duplicated, delayed or reordered. Messages are delivered
 * only by `deliverUntil`.
 */
export class SimulatedNetwork {
  readonly #random: Random;
  #now = 0;
  #parcels: Parcel[] = [];
  weather: Weather = { lost: 0, doubled: 0, slowestMs: 5 };
  /** Names of disconnected followers. */
  readonly cut = new Set<string>();
  /** Messages lost or duplicated so far, so that a test can check that faults occurred. */
  trouble = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  deliverUntil(now: number): void {
    this.#now = now;
    const due = this.#parcels.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    this.#parcels = this.#parcels.filter(({ at }) => at > now);
    for (const { deliver } of due) deliver();
  }

  /** The leader, called over the simulated network by the follower `who`. */
  lineTo(leader: Leader, who: string): Leader {
    return {
      register: (follower, signal) => this.#call(who, signal, inner => leader.register(follower, inner)),
      snapshot: (follower, after, signal) =>
        this.#call(who, signal, inner => leader.snapshot(follower, after, inner)),
      log: (follower, at, waitMs, signal) =>
        this.#call(who, signal, inner => leader.log(follower, at, waitMs, inner)),
    };
  }

  #call<Answer>(
    who: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
      // A timeout of the caller does not stop the work of the other side.
      const unheard = new AbortController().signal;
      this.#send(who, () => {
        ask(unheard).then(
          answer => {
            const copy = structuredClone(answer);
            this.#send(who, () => resolve(copy));
          },
          (error: unknown) => this.#send(who, () => reject(error)),
        );
      });
    });
  }

  #send(who: string, deliver: () => void): void {
    const { lost, doubled, slowestMs } = this.weather;
    if (this.cut.has(who) || this.#random.chance(lost)) {
      this.trouble += 1;
      return;
    }
    const copies = this.#random.chance(doubled) ? 2 : 1;
    if (copies === 2) this.trouble += 1;
    for (let copy = 0; copy < copies; copy++) {
      const at = this.#now + this.#random.between(0, slowestMs);
      this.#parcels.push({ at, deliver: () => (this.cut.has(who) ? undefined : deliver()) });
    }
  }
}

/** Both clocks of this machine: `at` orders calls (`performance.now()`), `wall` gives the host's time (epoch ms). */
export interface Moment {
  readonly at: number;
  readonly wall: number;
}

export function moment(): Moment {
  return { at: performance.now(), wall: Date.now() };
}

/** How the trusted time of a host moves until the next era begins [R10]. */
export interface EraOptions {
  /** How far it is ahead of this machine's clock, ms. */
  readonly offsetMs: number;
  /** The instant at which it stands still, epoch ms; null: it moves. */
  readonly standsAt: number | null;
  /** Whether the store is held, so that the reaper removes nothing. */
  readonly isHeld: boolean;
}

interface Era extends EraOptions {
  /** It has begun at some moment between these two; null: that is not known yet. */
  readonly begins: Moment;
  begun: Moment | null;
}

/** What the host's clock may have shown during a call. */
export interface TimeOfCall {
  /** Bounds of the trusted time, epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Latest trusted time until the end of the call, in the eras of the call in which the reaper acts; negative infinity: none. */
  readonly actedTo: number;
  /** Number of the first and of the last era that the call may have been in. Time goes back between two eras only. */
  readonly eras: { readonly first: number; readonly last: number };
}

/** The machine's own clocks differ by this much, and a held store continues from its last reading of both, ms. */
const SLACK_MS = 10;

/** The trusted time of a host whose clock is moved, as this process knows it: eras, each of which may go back behind the one before. */
export class HostTime {
  readonly #eras: Era[] = [];

  constructor(begins: Moment = moment()) {
    this.#eras.push({ offsetMs: 0, standsAt: null, isHeld: false, begins, begun: begins });
  }

  /** The era that has begun last. */
  get present(): EraOptions {
    return this.#last;
  }

  /** The trusted time, epoch ms. */
  now(): number {
    return trusted(this.#last, moment());
  }

  /** Begins an era: after `begins`, and before the returned function is called. */
  begin(options: EraOptions, begins: Moment = moment()): (at?: Moment) => void {
    const era: Era = { ...options, begins, begun: null };
    this.#eras.push(era);
    return (at = moment()) => {
      era.begun = at;
    };
  }

  during(called: Moment, returned: Moment): TimeOfCall {
    let [from, to, actedTo] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [first, last] = [-1, -1];
    for (let number = this.#eras.length - 1; number >= 0; number--) {
      const era = this.#eras[number];
      const end = this.#endOf(number);
      if (era === undefined || (end !== null && end.at < called.at)) break;
      if (era.begins.at > returned.at) continue;
      if (last === -1) last = number;
      first = number;
      const slack = era.isHeld ? SLACK_MS : 0;
      const latest = trusted(era, end === null || end.at > returned.at ? returned : end) + slack;
      from = Math.min(from, trusted(era, era.begins.at > called.at ? era.begins : called) - slack);
      to = Math.max(to, latest);
      if (!era.isHeld) actedTo = Math.max(actedTo, latest);
    }
    return { from, to, actedTo, eras: { first, last } };
  }

  /** Returns the latest trusted time of an era that has ended, epoch ms; negative infinity if the reaper did not act in it. */
  peak(number: number): number {
    const era = this.#eras[number];
    if (era === undefined || era.isHeld) return Number.NEGATIVE_INFINITY;
    const end = this.#endOf(number);
    return end === null ? Number.POSITIVE_INFINITY : trusted(era, end);
  }

  /** The latest moment at which an era may have lasted; null: it lasts. */
  #endOf(number: number): Moment | null {
    return this.#eras[number + 1]?.begun ?? null;
  }

  get #last(): Era {
    const era = this.#eras.at(-1);
    if (era === undefined) throw new Error('there is no era');
    return era;
  }
}

function trusted({ offsetMs, standsAt }: EraOptions, { wall }: Moment): number {
  return standsAt ?? wall + offsetMs;
}

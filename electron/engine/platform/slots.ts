import { SandglassError } from '../../../shared/model/errors.ts';

export interface SlotOptions {
  /** How many hold a slot at once. */
  most: number;
  /** How many wait for one. */
  mostWaiting: number;
  /** What there is too much of, as the refusal names it: “Too many WHAT at once.” */
  what: string;
}

/** Bounds how much of one kind of work goes on at once: the rest waits in its order, and beyond that is refused. */
export class Slots {
  readonly #options: SlotOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /**
   * Resolves when there is a slot, with what gives it back; calling that twice gives it back once. Throws BUSY where
   * too many wait already, and the signal's reason where it aborts first.
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const { most, mostWaiting, what } = this.#options;
    if (this.#taken < most) this.#taken += 1;
    else if (this.#waiting.size >= mostWaiting) {
      throw new SandglassError('BUSY', `Too many ${what} at once. Try again later.`, {
        running: most,
        waiting: mostWaiting,
      });
    } else await this.#turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack();
      isHeld = false;
    };
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** The slot passes to the one that waits longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

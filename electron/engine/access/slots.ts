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
   * Resolves when there is a slot, with what gives it back; calling that twice gives it back once. Rejects with the
   * signal's reason where it aborts first. Throws BUSY, at once, where too many wait already.
   */
  take(signal?: AbortSignal): Promise<() => void> {
    const { most, mostWaiting, what } = this.#options;
    if (this.#taken >= most && this.#waiting.size >= mostWaiting) {
      throw new SandglassError('BUSY', `Too many ${what} at once. Try again later.`, {
        running: most,
        waiting: mostWaiting,
      });
    }
    return this.#turn(signal);
  }

  async #turn(signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#options.most) this.#taken += 1;
    else await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack();
      isHeld = false;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
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

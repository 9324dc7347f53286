import { SandglassError } from '../../../shared/model/errors.ts';

export interface SlotOptions {
  /** Slots in use at once. */
  most: number;
  /** Longest queue for a slot. */
  mostWaiting: number;
  /** The work in the error message: “Too many WHAT at once.” */
  what: string;
}

/**
 * Limits how much of one kind of work runs at once: further work waits in order, and is refused if the queue is full.
 */
export class Slots {
  readonly #options: SlotOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /**
   * Resolves when a slot is free, with a function that releases it; releasing twice has no effect. Rejects with the
   * signal's reason if it aborts first. Throws BUSY if the queue is full.
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

  /** The slot passes to the first of the queue. */
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

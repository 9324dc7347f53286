import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';
import { type SlotOptions, Slots } from './slots.ts';

/** Bounds how much of one kind of work each token has going on at once, so that one token cannot take every place. */
export class CallerSlots {
  readonly #options: SlotOptions;
  readonly #byToken = new Map<string, { slots: Slots; users: number }>();

  /** `options` are those of each token by itself. */
  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` as soon as its caller's token has a slot; the person at this machine and the launch token need none.
   * Rejects with BUSY where too many of that token wait already, and with CANCELLED where the signal aborts first.
   */
  async run<Result>(
    { token }: Caller,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (token === undefined) return work();
    const own = this.#byToken.get(token) ?? { slots: new Slots(this.#options), users: 0 };
    this.#byToken.set(token, own);
    own.users += 1;
    try {
      const giveBack = await taken(own.slots, signal);
      try {
        return await work();
      } finally {
        giveBack();
      }
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#byToken.delete(token);
    }
  }
}

async function taken(slots: Slots, signal: AbortSignal | undefined): Promise<() => void> {
  try {
    return await slots.take(signal);
  } catch (error) {
    if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The scan was cancelled.');
    throw error;
  }
}

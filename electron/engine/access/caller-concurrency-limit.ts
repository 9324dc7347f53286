import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';
import { type SlotOptions, Slots } from './concurrency-limit.ts';

export interface CallerSlotOptions extends SlotOptions {
  /** Slots of all tokens together; `most` and `mostWaiting` apply to each token. */
  mostOfAllTokens: number;
}

/**
 * Limits how much of one kind of work each token, and all tokens together, run at once: no token uses all slots, and
 * the last one is reserved for callers without a token.
 */
export class CallerSlots {
  readonly #options: CallerSlotOptions;
  readonly #byToken = new Map<string, { slots: Slots; users: number }>();
  readonly #all: Slots;

  constructor(options: CallerSlotOptions) {
    this.#options = options;
    // This queue is not limited: each token waits in it with at most its own slots, so that tokens are served in turn.
    this.#all = new Slots({ ...options, most: options.mostOfAllTokens, mostWaiting: Infinity });
  }

  /**
   * Runs `work` as soon as the caller's token has a free slot; the user of this machine and the launch token need none.
   * Rejects with BUSY if too many calls of that token wait, and with CANCELLED if the signal aborts first.
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
      const giveBackShare = await taken(own.slots, signal);
      try {
        const giveBack = await taken(this.#all, signal);
        try {
          return await work();
        } finally {
          giveBack();
        }
      } finally {
        giveBackShare();
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

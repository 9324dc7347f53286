import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';

export interface PollOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMs: number;
  /** Written to the log, with the error, when a reading fails. */
  readonly failure: string;
  read(): Promise<void>;
}

/** Reads again and again, with a pause after each reading, from `start` until `stop`. */
export class Poll {
  readonly #options: PollOptions;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Aborted by `stop`. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves when the first reading has ended, also if it failed: it is then tried again. */
  start(): Promise<void> {
    return new Promise(resolve => {
      this.#done = this.#poll(resolve);
    });
  }

  /** Resolves when the reading in progress has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #poll(onFirst: () => void): Promise<void> {
    const { clock, log, everyMs, failure, read } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await read();
      } catch (error) {
        if (!signal.aborted) log.debug(failure, errorFields(error));
      }
      onFirst();
      await clock.sleep(everyMs, signal);
    }
  }
}

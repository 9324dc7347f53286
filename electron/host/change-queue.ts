import { SandglassError } from '../../shared/model/errors.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

export interface ChangeQueueOptions {
  /** Throws if no change can be made. */
  checkWritable(): void;
  clock: Clock;
  log: Logger;
}

/** Runs the changes of the list of connections one after another. */
export class ChangeQueue {
  readonly #options: ChangeQueueOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** Set by the running change: the rest of it, which runs after its answer. */
  #afterAnswer: (() => Promise<void>) | undefined;
  #isClosed = false;

  constructor(options: ChangeQueueOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves with the result of `change`. Rejects with CONNECTION_NOT_OPEN after `close`, and as `checkWritable` does. */
  run<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(() => {
      if (this.#isClosed) throw new SandglassError('CONNECTION_NOT_OPEN', 'Sandglass is shutting down.');
      this.#options.checkWritable();
      return change();
    });
    // The next change, and the end of the host, wait for the work after the answer.
    this.#last = done.then(
      () => this.#runAfterAnswer(),
      () => {},
    );
    return done;
  }

  /**
   * Called by the running change. Runs `act`, which ends an engine: after the answer, if that engine has to send it
   * (`isAnswering`), otherwise now.
   */
  async whenAnswered(isAnswering: boolean, act: () => Promise<void>): Promise<void> {
    if (isAnswering) this.#afterAnswer = act;
    else await act();
  }

  /** Refuses further changes. Resolves when the running one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }

  async #runAfterAnswer(): Promise<void> {
    const { clock, log } = this.#options;
    const act = this.#afterAnswer;
    if (act === undefined) return;
    this.#afterAnswer = undefined;
    try {
      await clock.sleep(0);
      await act();
    } catch (error) {
      log.error('a connection could not be changed', errorFields(error));
    }
  }
}

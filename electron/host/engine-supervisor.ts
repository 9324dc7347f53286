import type { MessagePort } from 'node:worker_threads';
import { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { EngineHost } from '../engine/client.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

const BACKOFF_MS = [100, 500, 2_000, 5_000] as const;
const LONGEST_BACKOFF_MS = 15_000;
/** After this uptime, an exit counts as a new failure: the back-off begins again with the shortest delay. */
const STEADY_AFTER_MS = 60_000;

/** Outcome of the latest start: the engine runs, or the reason why it does not. After a failure it is started again. */
export type EngineOutcome = { is: 'open' } | { is: 'failed'; error: unknown };

/** The engine's thread ended without being stopped. The reason is in the engine's log. */
export class EngineEnded extends Error {
  constructor(code: number) {
    super(`The engine of this store ended with code ${code} and is being started again.`);
    this.name = 'EngineEnded';
  }
}

type State =
  | { is: 'starting' }
  | { is: 'running'; engine: EngineHost }
  | { is: 'backing off' }
  | { is: 'stopped' };

/** States from which each state may be entered. */
const ENTERED_FROM: Readonly<Record<State['is'], readonly State['is'][]>> = {
  starting: ['backing off'],
  running: ['starting'],
  'backing off': ['starting', 'running'],
  stopped: ['starting', 'running', 'backing off', 'stopped'],
};

/**
 * Keeps one engine running: `starting`, then `running`; after a failed start or an unexpected exit `backing off`, then
 * `starting` again, until it is `stopped` for good. A port attached while no engine runs waits for the next one. The
 * ports of an engine that exits are closed, and their clients reconnect.
 */
export class EngineSupervisor implements AsyncDisposable {
  readonly #start: () => Promise<EngineHost>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onOutcome: (outcome: EngineOutcome) => void;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<MessagePort, Caller | undefined>();
  readonly #firstStart = Promise.withResolvers<void>();
  readonly #finished: Promise<void>;
  #state: State = { is: 'starting' };

  constructor(
    start: () => Promise<EngineHost>,
    clock: Clock,
    log: Logger,
    onOutcome: (outcome: EngineOutcome) => void = () => {},
  ) {
    this.#start = start;
    this.#clock = clock;
    this.#log = log;
    this.#onOutcome = onOutcome;
    this.#finished = this.#supervise();
  }

  /** Settles with the first start; rejects with the reason if the store could not be opened. */
  get opened(): Promise<void> {
    return this.#firstStart.promise;
  }

  /** The running engine; undefined in every other state. */
  get current(): EngineHost | undefined {
    return this.#state.is === 'running' ? this.#state.engine : undefined;
  }

  /** Without a caller: the desktop's user. */
  attach(port: MessagePort, caller?: Caller): void {
    if (this.#state.is === 'running') this.#state.engine.attach(port, caller);
    else if (this.#state.is === 'stopped') port.close();
    else {
      this.#waiting.set(port, caller);
      port.once('close', () => this.#waiting.delete(port));
    }
  }

  /** Resolves when the store is closed and the thread has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { current } = this;
    this.#enter({ is: 'stopped' });
    this.#stopping.abort();
    for (const port of this.#waiting.keys()) port.close();
    await current?.stop();
    await this.#finished;
  }

  async #supervise(): Promise<void> {
    let reported: string | undefined;
    for (let failures = 0; !this.#isStopped(); ) {
      const startedAt = this.#clock.elapsed();
      try {
        await this.#runEngine();
      } catch (error) {
        // An expected error is not logged at the first start, since `opened` rejects with it, nor if it is the same
        // again.
        const isReported = error instanceof SandglassError && (failures === 0 || error.message === reported);
        if (!isReported && !this.#isStopped())
          this.#log.error('the engine could not be started', errorFields(error));
        reported = error instanceof Error ? error.message : undefined;
        this.#firstStart.reject(error);
        if (!this.#isStopped()) this.#backOff(error);
      }
      if (this.#isStopped()) return;
      if (this.#clock.elapsed() - startedAt > STEADY_AFTER_MS) failures = 0;
      await this.#clock.sleep(BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS, this.#stopping.signal);
      if (this.#isStopped()) return;
      this.#enter({ is: 'starting' });
      failures += 1;
    }
  }

  /** Starts an engine, and resolves when it has exited. Rejects if it does not start. */
  async #runEngine(): Promise<void> {
    const engine = await this.#start();
    this.#firstStart.resolve();
    if (this.#isStopped()) {
      await engine.stop();
      return;
    }
    this.#enter({ is: 'running', engine });
    for (const [port, caller] of this.#waiting) engine.attach(port, caller);
    this.#waiting.clear();
    this.#onOutcome({ is: 'open' });
    const code = await engine.exited;
    if (this.#isStopped()) return;
    this.#log.error('the engine ended; starting it again', { code });
    this.#backOff(new EngineEnded(code));
  }

  #backOff(error: unknown): void {
    this.#enter({ is: 'backing off' });
    this.#onOutcome({ is: 'failed', error });
  }

  #isStopped(): boolean {
    return this.#state.is === 'stopped';
  }

  #enter(next: State): void {
    if (!ENTERED_FROM[next.is].includes(this.#state.is))
      throw new Error(`an engine supervisor goes from ${this.#state.is} to ${next.is}`);
    this.#state = next;
  }
}

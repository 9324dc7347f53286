import type { MessagePort } from 'node:worker_threads';
import { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { EngineHost } from '../engine/client.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

const BACKOFF_MS = [100, 500, 2_000, 5_000] as const;
const LONGEST_BACKOFF_MS = 15_000;
/** An engine that lived this long failed for a new reason, and is started again soon. */
const STEADY_AFTER_MS = 60_000;

/** What became of an engine: it runs, or why it does not; then it is tried again. */
export type KeeperState = { is: 'open' } | { is: 'failed'; error: unknown };

/** An engine ended by itself; why, its log says. */
export class EngineEnded extends Error {
  constructor(code: number) {
    super(`The engine of this store ended with code ${code} and is being started again.`);
    this.name = 'EngineEnded';
  }
}

/**
 * Keeps an engine running: opening, then running, and whenever it ends by itself opening again, sooner at first and
 * every few seconds later on, until it is stopped. Pages that ask while there is none wait for the next one; those
 * that had one see their port close and ask again.
 */
export class EngineKeeper implements AsyncDisposable {
  readonly #open: () => Promise<EngineHost>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onState: (state: KeeperState) => void;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<MessagePort, Caller | undefined>();
  readonly #first = Promise.withResolvers<void>();
  readonly #over: Promise<void>;
  #running: EngineHost | undefined;

  constructor(
    open: () => Promise<EngineHost>,
    clock: Clock,
    log: Logger,
    onState: (state: KeeperState) => void = () => {},
  ) {
    this.#open = open;
    this.#clock = clock;
    this.#log = log;
    this.#onState = onState;
    this.#over = this.#keep();
  }

  /** Settles when the store was opened for the first time; rejects with why it could not be. */
  get opened(): Promise<void> {
    return this.#first.promise;
  }

  /** The engine that runs now; undefined between two. */
  get current(): EngineHost | undefined {
    return this.#running;
  }

  /** Without a caller: the desktop's user. */
  attach(port: MessagePort, caller?: Caller): void {
    if (this.#running !== undefined) this.#running.attach(port, caller);
    else if (this.#stopping.signal.aborted) port.close();
    else {
      this.#waiting.set(port, caller);
      port.once('close', () => this.#waiting.delete(port));
    }
  }

  /** Resolves when the store is closed and the thread has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    for (const port of this.#waiting.keys()) port.close();
    await this.#running?.stop();
    await this.#over;
  }

  async #keep(): Promise<void> {
    let said: string | undefined;
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      const began = this.#clock.elapsed();
      try {
        await this.#runOne();
      } catch (error) {
        // Whoever waits for the first start is told what a person can do about it; and nobody the same each time.
        const isTold = error instanceof SandglassError && (failures === 0 || error.message === said);
        if (!isTold && !this.#stopping.signal.aborted)
          this.#log.error('the engine could not be started', errorFields(error));
        said = error instanceof Error ? error.message : undefined;
        this.#first.reject(error);
        if (!this.#stopping.signal.aborted) this.#onState({ is: 'failed', error });
      }
      if (this.#stopping.signal.aborted) return;
      if (this.#clock.elapsed() - began > STEADY_AFTER_MS) failures = 0;
      await this.#clock.sleep(BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS, this.#stopping.signal);
      failures += 1;
    }
  }

  async #runOne(): Promise<void> {
    const engine = await this.#open();
    this.#first.resolve();
    if (this.#stopping.signal.aborted) {
      await engine.stop();
      return;
    }
    this.#running = engine;
    for (const [port, caller] of this.#waiting) engine.attach(port, caller);
    this.#waiting.clear();
    this.#onState({ is: 'open' });
    const code = await engine.exited;
    this.#running = undefined;
    if (this.#stopping.signal.aborted) return;
    this.#log.error('the engine ended; starting it again', { code });
    this.#onState({ is: 'failed', error: new EngineEnded(code) });
  }
}

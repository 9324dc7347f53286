import type { Clock } from '../engine/platform/clock.ts';

export interface StartedProcess {
  /** Resolves with the exit code, null after a signal. */
  readonly exited: Promise<number | null>;
  /** Requests an orderly end. */
  stop(): void;
}

/** An editor saves all files of one change within this time. */
const SETTLE_MS = 100;

type State = 'stopped' | 'running' | 'stopping' | 'failed' | 'disposed';

/**
 * The engine's process during development, which is restarted after its sources changed.
 *
 * `start` changes `stopped` to `running`. A changed source changes it to `stopping`; when the process has exited, it is
 * started again. An exit without a changed source changes it to `failed`, for example if the sources cannot be loaded;
 * the next changed source starts it again. `disposed` is final.
 */
export class EngineProcess implements AsyncDisposable {
  readonly #start: () => StartedProcess;
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #say: (line: string) => void;
  #state: State = 'stopped';
  #process: StartedProcess | undefined;
  #cancelRestart: (() => void) | undefined;

  constructor(start: () => StartedProcess, clock: Pick<Clock, 'setTimer'>, say: (line: string) => void) {
    this.#start = start;
    this.#clock = clock;
    this.#say = say;
  }

  get state(): State {
    return this.#state;
  }

  start(): void {
    if (this.#state !== 'stopped') throw new Error(`the engine's process is ${this.#state}`);
    this.#run();
  }

  /** Restarts the process when no source has changed for SETTLE_MS. */
  sourceChanged(path: string): void {
    if (this.#state === 'disposed' || this.#state === 'stopped') return;
    this.#cancelRestart?.();
    this.#cancelRestart = this.#clock.setTimer(SETTLE_MS, () => this.#restart(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancelRestart?.();
    this.#state = 'disposed';
    this.#process?.stop();
    await this.#process?.exited;
  }

  #restart(path: string): void {
    if (this.#state === 'disposed' || this.#state === 'stopping') return;
    this.#say(`${path} changed: restarting the engine …`);
    if (this.#state === 'failed') {
      this.#run();
    } else {
      this.#state = 'stopping';
      this.#process?.stop();
    }
  }

  #run(): void {
    this.#state = 'running';
    const started = this.#start();
    this.#process = started;
    void started.exited.then(code => this.#exited(code));
  }

  #exited(code: number | null): void {
    if (this.#state === 'stopping') {
      this.#run();
    } else if (this.#state === 'running') {
      this.#state = 'failed';
      this.#say(
        `The engine ended with exit code ${code}. It starts again after the next change of its sources.`,
      );
    }
  }
}

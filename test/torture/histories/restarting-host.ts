import { setTimeout as wait } from 'node:timers/promises';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';
import { type Moment, moment } from './clock/host-time.ts';

/** One process of the host. */
export interface Life {
  readonly host: ServedHost;
  /** Resolves when the process has ended: none of its calls takes effect later. */
  readonly ended: Promise<Moment>;
  isEnding: boolean;
}

const ANSWER_TIMEOUT_MS = 30_000;
/** Longest time until a process is stopped or killed, on a busy machine. */
const MOST_LIFE_MS = 300_000;

/** A served host on one store, whose processes are stopped and killed while it is called. */
export class RestartingHost {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #life: Promise<Life>;
  #isClosed = false;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = env;
    this.#life = this.#start();
  }

  async #start(): Promise<Life> {
    const host = await startServedHost({ folder: this.#folder, env: this.#env });
    const ended = new Promise<Moment>(resolve => host.process.once('exit', () => resolve(moment())));
    return { host, ended, isEnding: false };
  }

  /** The present process, or the next one as soon as it answers. */
  life(): Promise<Life> {
    return this.#life;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the process and starts the next one. */
  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#end(signal);
    this.#life = this.#start();
    await this.#life;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const life = await this.#life;
    life.isEnding = true;
    await life.host.stop(signal);
  }
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly code: string | undefined;
}

/** One call with its times. A null answer: the connection was lost; the call may have taken effect until `returned`. */
export interface Answered {
  readonly called: Moment;
  readonly returned: Moment;
  readonly answer: Answer | null;
}

export async function callHost(life: Life, method: string, path: string, body?: unknown): Promise<Answered> {
  const called = moment();
  try {
    const response = await fetch(life.host.origin + path, {
      method,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${life.host.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed: unknown = await response.json();
    return {
      called,
      returned: moment(),
      answer: { status: response.status, body: parsed, code: codeIn(parsed) },
    };
  } catch (error) {
    if (isTimeout(error) && !life.isEnding)
      throw new Error(`${method} ${path}: no answer from a host that runs in ${ANSWER_TIMEOUT_MS} ms`);
    // Also on a connection that the host closed because it had been idle: the call was sent at the same moment.
    const ended = await Promise.race([life.ended, wait(MOST_LIFE_MS, null, { ref: false })]);
    if (ended === null)
      throw new Error(`${method} ${path}: no answer from a host that runs`, { cause: error });
    return { called, returned: ended, answer: null };
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function codeIn(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
}

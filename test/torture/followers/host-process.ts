import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ENTRY = join(import.meta.dirname, '../../../electron/serve.ts');
const READY_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 30_000;

export interface HostOptions {
  readonly name: string;
  /** Folder of its store, its token and its settings; must exist. */
  readonly folder: string;
  readonly port: number;
  readonly flags?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A served host on a port of its own, as a person starts it, whose process may be killed at any moment of its life. */
export class HostProcess {
  readonly name: string;
  readonly origin: string;
  readonly store: string;
  readonly tokenFile: string;
  /** Why a process ended that nobody killed. */
  readonly failures: string[] = [];
  readonly #options: HostOptions;
  #child: ChildProcess | null = null;
  #isEnding = false;
  #output = '';

  constructor(options: HostOptions) {
    const { name, folder, port } = options;
    this.#options = options;
    this.name = name;
    this.origin = `http://127.0.0.1:${port}`;
    this.store = join(folder, `${name}.sandglass`);
    this.tokenFile = join(folder, 'token');
  }

  /** Starts the process, without waiting for it. */
  start(): void {
    const { folder, port, flags = [] } = this.#options;
    this.#isEnding = false;
    this.#output = '';
    const words = [ENTRY, '--no-open', '--store', this.store, '--port', String(port)];
    const child = spawn(process.execPath, [...words, '--token-file', this.tokenFile, ...flags], {
      env: { ...process.env, SANDGLASS_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const hear = (text: string) => (this.#output += text);
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('exit', (code, signal) => {
      if (this.#isEnding || this.#child !== child) return;
      this.failures.push(`${this.name} ended with ${code ?? signal}: ${this.#output.slice(-2_000)}`);
    });
  }

  /** Ends the process and resolves when it has ended. Returns false if it had ended by itself. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return false;
    this.#isEnding = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return true;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the host answers. Rejects if it ends before, or takes longer than a minute. */
  async ready(): Promise<void> {
    const until = performance.now() + READY_WITHIN_MS;
    while (!this.#output.includes('Sandglass is at ')) {
      if (!this.isRunning || performance.now() > until)
        throw new Error(`${this.name} does not start: ${this.#output.slice(-2_000)}`);
      await wait(10);
    }
  }

  /** Returns null if nobody answers: the call may have taken effect. */
  async call(method: string, path: string, body?: unknown): Promise<Answer | null> {
    if (!existsSync(this.tokenFile)) return null;
    try {
      const response = await fetch(this.origin + path, {
        method,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: {
          authorization: `Bearer ${readFileSync(this.tokenFile, 'utf8').trim()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    }
  }
}

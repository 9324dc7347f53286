import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { run } from '../../electron/cli/run.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';

const entry = fileURLToPath(new URL('../../electron/cli/sandglass.ts', import.meta.url));

export interface CommandOptions {
  /** Standard input; empty by default. */
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<CommandResult>;
  output(): string;
  /** Resolves when standard output or error contains `text`; rejects if the command ends without it. */
  prints(text: string | RegExp): Promise<void>;
}

/** Starts the command line from its sources, in its own process. */
export function startSandglass(words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: options.cwd,
    env: { ...process.env, TZ: 'UTC', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command may end before it reads its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }));
  const output = () => stdout + stderr;
  return {
    process: child,
    ended,
    output,
    prints: text =>
      new Promise((resolve, reject) => {
        const isThere = () => (typeof text === 'string' ? output().includes(text) : text.test(output()));
        const look = () => {
          if (isThere()) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        void ended.then(({ code }) => {
          if (!isThere()) reject(new Error(`ended with ${code} and never said ${text}:\n${output()}`));
        });
        look();
      }),
  };
}

/** Runs a command in this process: for commands that end at once and use no stream of the machine. */
export async function sandglassHere(
  words: readonly string[],
  { input = '', isTTY = false }: { input?: string; isTTY?: boolean } = {},
): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  const into = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += String(chunk);
        done();
      },
    });
  const code = await run(words, {
    clock: systemClock,
    signal: new AbortController().signal,
    streams: {
      input: Object.assign(Readable.from([Buffer.from(input)]), { isTTY }),
      output: into('stdout'),
      error: Object.assign(into('stderr'), { isTTY }),
    },
  });
  return { code, ...said };
}

/** Runs a command to its end. */
export function sandglass(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return startSandglass(words, options).ended;
}

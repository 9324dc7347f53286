import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOptions } from '../../electron/start/runtime.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ServedHost {
  /** The address with the token, as printed. */
  readonly link: string;
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  readonly token: string;
  readonly folder: string;
  readonly process: ChildProcess;
  /** Returns the output so far, of both streams. */
  output(): string;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServedHostOptions {
  /** `sources` runs electron/serve.ts; `build` runs the build, as `npm start` does. */
  run?: 'sources' | 'build';
  /** Flags beside --no-open and --store; any free port by default. */
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** A folder of the caller, for another host on it later; by default a new one that `stop` deletes. */
  folder?: string;
}

/** Starts a real host in its own process and waits for its address. Rejects with its output if it ends first. */
export async function startServedHost(options: ServedHostOptions = {}): Promise<ServedHost> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sandglass-host-')));
  const entry = options.run === 'build' ? 'dist/node/serve.js' : 'electron/serve.ts';
  const flags = [
    '--no-open',
    '--store',
    join(folder, 'test.sandglass'),
    '--port',
    '0',
    ...(options.flags ?? []),
  ];
  const child = spawn(process.execPath, [...nodeOptions(), join(root, entry), ...flags], {
    env: { ...process.env, SANDGLASS_HOME: folder, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /^Sandglass is at (https?:\S+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', code => reject(new Error(`the host ended with code ${code}:\n${output}`)));
  });
  const { origin, hash } = new URL(printed);
  const token = hash === '' ? await keptToken(flags) : hash.replace('#token=', '');
  return {
    link: `${origin}/#token=${token}`,
    origin,
    token,
    folder,
    process: child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

/** Returns the token of `--token-file`, which is printed only when it is created. */
async function keptToken(flags: readonly string[]): Promise<string> {
  const file = flags[flags.indexOf('--token-file') + 1];
  if (file === undefined) throw new Error('the host printed no token');
  return (await readFile(file, 'utf8')).trim();
}

/** Sends a REST call to the host. */
export async function fetchFrom(
  host: Pick<ServedHost, 'origin' | 'token'>,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(host.origin + path, {
    method,
    headers: { authorization: `Bearer ${host.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

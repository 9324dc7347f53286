import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type { DoubleRecord } from './electron-double/record.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the tests drive Electron's own binary. Otherwise its double, which stands in for it. */
export const inTrueElectron = process.env.SANDGLASS_TEST_ELECTRON === 'true';

/** The double is started by a POSIX shell. On Windows the desktop is shown by `npm run test:electron` alone. */
export const canStartDesktop = inTrueElectron || process.platform !== 'win32';

if (!inTrueElectron) process.env.ELECTRON_OVERRIDE_DIST_PATH = join(root, 'test/support/electron-double');

export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly folder: string;
  readonly process: ChildProcess;
  /** What the main process wrote on standard error. */
  output(): string;
  /** The person answers the next file dialogs so: with a path, or by closing them. */
  answerFileDialogs(path: string | null): Promise<void>;
  /** Quits as a person does. */
  stop(): Promise<void>;
}

interface DesktopOptions {
  /** Kept by the caller, who may start another on it; otherwise a fresh one that `stop` deletes. */
  folder?: string;
  /** The app's own words. */
  words?: readonly string[];
  /** Where the app lies; the build of this checkout unless said otherwise. */
  app?: string;
}

const entry = join(root, 'dist/node/main.js');

function environment(folder: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] != null);
  return {
    ...Object.fromEntries(inherited),
    SANDGLASS_HOME: folder,
    ELECTRON_DOUBLE_NODE: process.execPath,
  };
}

/** Starts the double as a shell would, for a start that is to end by itself. */
export async function runDouble(
  folder: string,
  words: readonly string[],
  extra: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const double = join(root, 'test/support/electron-double/electron');
  const child = spawn(double, [entry, ...words], { env: { ...environment(folder), ...extra } });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sandglass-desktop-'));
}

/** Starts what is packed: the built main, preload and page, with a data folder of its own. */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const folder = options.folder ?? (await makeFolder());
  const main = options.app === undefined ? entry : join(options.app, 'dist/node/main.js');
  const app = await _electron.launch({ args: [main, ...(options.words ?? [])], env: environment(folder) });
  let output = '';
  const child = app.process();
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const page = await app.firstWindow();
  return {
    app,
    page,
    folder,
    process: child,
    output: () => output,
    answerFileDialogs: path =>
      app.evaluate(({ dialog }, chosen) => {
        const answer = { canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] };
        dialog.showOpenDialog = async () => answer;
      }, path),
    async stop() {
      await app.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The arguments of the app's calls of one kind, as they reached the double; what JSON cannot say is left out. */
export function callsOf({ app }: Pick<Desktop, 'app'>, what: string): Promise<unknown[][]> {
  return app.evaluate((_electron, name) => {
    const { calls }: DoubleRecord = globalThis.electronDouble;
    const found = calls.filter(call => call.what === name).map(call => call.arguments);
    return JSON.parse(JSON.stringify(found));
  }, what);
}

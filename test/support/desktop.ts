import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type { DoubleRecord } from './electron-double/record.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the tests drive Electron's own binary; otherwise they drive its double. */
export const inTrueElectron = process.env.SANDGLASS_TEST_ELECTRON === 'true';

/** The double is started by a POSIX shell. On Windows the desktop is shown by `npm run test:electron` alone. */
export const canStartDesktop = inTrueElectron || process.platform !== 'win32';

if (!inTrueElectron) process.env.ELECTRON_OVERRIDE_DIST_PATH = join(root, 'test/support/electron-double');

export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly folder: string;
  readonly process: ChildProcess;
  /** Returns the standard error of the main process. */
  output(): string;
  /** Answers the next file dialogs with a path, or by closing them. */
  answerFileDialogs(path: string | null): Promise<void>;
  /** Quits by the menu. */
  stop(): Promise<void>;
}

interface DesktopOptions {
  /** A folder of the caller, for another start on it later; by default a new one that `stop` deletes. */
  folder?: string;
  /** Arguments of the app. */
  words?: readonly string[];
  /** Key of the double's keychain, 64 hexadecimal digits; by default the system has none. */
  keychain?: string;
  /** Folder of the app; the build of this checkout by default. */
  app?: string;
}

/** Longer than an ordinary wait: several apps start at once beside a browser each. */
const FIRST_PAGE_MS = 40_000;

const entry = join(root, 'dist/node/main.js');

function environment(folder: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] != null);
  return {
    ...Object.fromEntries(inherited),
    SANDGLASS_HOME: folder,
    ELECTRON_DOUBLE_NODE: process.execPath,
  };
}

/** Starts the double as a shell does, for a start that ends by itself. */
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

/** Starts the built app, with a new data folder, and waits for its page. */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const folder = options.folder ?? (await makeFolder());
  const main = options.app === undefined ? entry : join(options.app, 'dist/node/main.js');
  const keychain = options.keychain === undefined ? {} : { ELECTRON_DOUBLE_KEYCHAIN: options.keychain };
  const app = await _electron.launch({
    args: [main, ...(options.words ?? [])],
    env: { ...environment(folder), ...keychain },
  });
  let output = '';
  const child = app.process();
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const page = await app.firstWindow();
  await page.getByRole('main').waitFor({ timeout: FIRST_PAGE_MS });
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

/** Returns the arguments of the app's calls of one kind, as the double got them, without values that JSON cannot represent. */
export function callsOf({ app }: Pick<Desktop, 'app'>, what: string): Promise<unknown[][]> {
  return app.evaluate((_electron, name) => {
    const { calls }: DoubleRecord = globalThis.electronDouble;
    const found = calls.filter(call => call.what === name).map(call => call.arguments);
    return JSON.parse(JSON.stringify(found));
  }, what);
}

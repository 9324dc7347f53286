import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

/** Returns whether this machine can display a window. */
export function hasDisplay(environment: NodeJS.ProcessEnv, platform: string): boolean {
  return platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

export interface AppWindowOptions {
  browser: string;
  /** Single-use address of the app. */
  address: string;
  /** Folder of a separate browser profile, without the user's tabs and extensions. */
  profile: string;
  log: Logger;
}

/**
 * Opens the app in a browser window without toolbars. Returns a function that closes it. That function has no effect if
 * a browser with this profile was running already: that process opened the window, and the one started here has ended.
 */
export async function openAppWindow({
  browser,
  address,
  profile,
  log,
}: AppWindowOptions): Promise<() => void> {
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const args = [
    `--app=${address}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--window-size=1280,800',
    // As root, Chromium starts only without its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
  ];
  const child: ChildProcess = spawn(browser, args, { stdio: 'ignore' });
  child.on('error', error => log.warn('the window could not be opened', errorFields(error)));
  return () => child.kill();
}

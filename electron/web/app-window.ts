import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { errorFields, type Logger } from '../engine/platform/logger.ts';

/** Whether a window could be seen here at all. */
export function hasDisplay(environment: NodeJS.ProcessEnv, platform: string): boolean {
  return platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

export interface AppWindowNeeds {
  browser: string;
  /** Opens the app, once. */
  address: string;
  /** A profile of the app's own: its window is a program of its own, apart from anybody's tabs and extensions. */
  profile: string;
  log: Logger;
}

/**
 * Opens the app in a browser window without a browser's bars. Returns how to close it. Where the profile's browser
 * runs already, that one opens the window and our process ends: then closing is not ours to do.
 */
export async function openAppWindow({ browser, address, profile, log }: AppWindowNeeds): Promise<() => void> {
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const words = [
    `--app=${address}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--window-size=1280,800',
    // Chromium refuses to run as root with its sandbox; nobody is safer for having no window.
    ...(process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
  ];
  const child: ChildProcess = spawn(browser, words, { stdio: 'ignore' });
  child.on('error', error => log.warn('the window could not be opened', errorFields(error)));
  return () => child.kill();
}

import { parseArgs } from 'node:util';
import { LOG_LEVELS, type LogLevel } from '../engine/platform/logger.ts';
import { defaultStoreFile } from '../engine/platform/paths.ts';

/** Options of the desktop app's command line. */
export interface DesktopArguments {
  storeFile: string;
  logLevel: LogLevel;
}

/** Ignores unknown words: Chromium and the operating system add switches of their own. */
export function readArguments(argv: readonly string[]): DesktopArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: { store: { type: 'string' }, 'log-level': { type: 'string' } },
    strict: false,
  });
  const level = LOG_LEVELS.find(known => known === values['log-level']);
  return {
    storeFile: typeof values.store === 'string' && values.store !== '' ? values.store : defaultStoreFile(),
    logLevel: level ?? 'info',
  };
}

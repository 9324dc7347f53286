import { parseArgs } from 'node:util';
import { LOG_LEVELS, type LogLevel } from '../engine/platform/logger.ts';
import { defaultStoreFile } from '../engine/platform/paths.ts';

/** What the desktop app takes from its command line. */
export interface DesktopArguments {
  storeFile: string;
  logLevel: LogLevel;
}

/** Chromium's own switches stand among ours, and what the system adds: whatever is not ours is not looked at. */
export function readArguments(words: readonly string[]): DesktopArguments {
  const { values } = parseArgs({
    args: [...words],
    options: { store: { type: 'string' }, 'log-level': { type: 'string' } },
    strict: false,
  });
  const level = LOG_LEVELS.find(known => known === values['log-level']);
  return {
    storeFile: typeof values.store === 'string' && values.store !== '' ? values.store : defaultStoreFile(),
    logLevel: level ?? 'info',
  };
}

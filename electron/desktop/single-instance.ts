import { mkdirSync } from 'node:fs';
import { app } from 'electron';

/**
 * Returns whether this is the only instance with this data folder: Electron keeps its lock and the pages' storage in
 * `folder`. `onAnother` is called in the first instance when another one starts.
 */
export function isOnlyInstance(folder: string, onAnother: () => void): boolean {
  // Electron refuses a folder that does not exist.
  mkdirSync(folder, { recursive: true });
  app.setPath('userData', folder);
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', onAnother);
  return true;
}

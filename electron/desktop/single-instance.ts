import { mkdirSync } from 'node:fs';
import { app } from 'electron';

/**
 * Whether this is the only Sandglass on its data folder: Electron keeps its lock, and what pages store, in `folder`.
 * Another start brings the first one's window to the front and ends; `onAnother` is called in the first.
 */
export function isOnlyInstance(folder: string, onAnother: () => void): boolean {
  // Electron refuses a folder that is not there.
  mkdirSync(folder, { recursive: true });
  app.setPath('userData', folder);
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', onAnother);
  return true;
}

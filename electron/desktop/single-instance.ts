import { app } from 'electron';

/**
 * Whether this is the only Sandglass on its data folder. Another start brings the first one's window to the front and
 * ends; `onAnother` is called in the first.
 */
export function isOnlyInstance(onAnother: () => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', onAnother);
  return true;
}

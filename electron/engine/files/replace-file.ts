import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_MODE } from './private-file.ts';
import { synced } from './sync-to-disk.ts';

interface ReplaceOptions {
  mode?: number;
  /** False: a power cut soon afterwards may bring the former content back. */
  isDurable?: boolean;
}

/**
 * Replaces a file atomically, by default readable by its owner only (0600): whenever the power fails, the file has its
 * former content or the new one. By default the new one is on the disk when this returns. Throws the file system's error
 * and leaves the file as it was.
 */
export function replaceFile(
  file: string,
  text: string,
  { mode = PRIVATE_MODE, isDurable = true }: ReplaceOptions = {},
): void {
  const next = `${file}.${process.pid}`;
  try {
    // Unsynced, the file could be empty after a power cut although it has its new name.
    writeFileSync(next, text, { mode, flush: true });
    renameSync(next, file);
    if (isDurable) synced(dirname(file));
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** Deletes a file if there is one. A power cut does not bring it back. */
export function removeFile(file: string): void {
  rmSync(file, { force: true });
  synced(dirname(file));
}

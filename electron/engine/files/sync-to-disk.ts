import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Syncs a file or a folder to the disk. Windows syncs no folders. */
export function synced(path: string): void {
  try {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EISDIR', 'EPERM', 'EACCES'].includes(code)) throw error;
  }
}

/**
 * Creates a folder and those above it that are missing, and syncs their names: otherwise a power cut could lose a new
 * folder with all its files.
 */
export function createFolder(folder: string, mode?: number): void {
  const first = mkdirSync(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let path = resolve(folder); path.length >= first.length; path = dirname(path)) synced(dirname(path));
}

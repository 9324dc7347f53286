import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs a file or a folder to the disk. Windows syncs no folders. */
export function synced(path: string): void {
  try {
    const handle = openSync(path, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['EISDIR', 'EPERM', 'EACCES'].includes(code)) throw error;
  }
}

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Readable and writable by the owner only. */
export const PRIVATE_MODE = 0o600;

/**
 * Creates `file`, empty and with owner-only mode, if it is missing, and restricts the mode of an existing one. SQLite
 * gives its log and its shared memory the mode of their store. The mode of another owner's file is not changed.
 * Existing files are not opened: closing one would release the locks that this process has on it.
 */
export function createPrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(file, 'wx', PRIVATE_MODE));
  else narrow(file, found.mode);
}

/** Restricts the mode of existing files that others may read. */
export function restrictModes(files: readonly string[]): void {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined) narrow(file, found.mode);
  }
}

function narrow(file: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  try {
    chmodSync(file, PRIVATE_MODE);
  } catch (error) {
    // Only the owner may change it, and some disks have no modes.
    if (
      !(
        error instanceof Error &&
        'code' in error &&
        ['EPERM', 'ENOTSUP', 'EROFS'].includes(String(error.code))
      )
    )
      throw error;
  }
}

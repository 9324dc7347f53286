import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Read and written by their owner alone. */
export const PRIVATE_MODE = 0o600;

/**
 * Makes `file`, empty, for its owner alone where it is missing, and narrows one that others may read. SQLite gives its log
 * and its shared memory the mode of their store. Of a file of another owner the mode stays. It opens no file that is
 * there: closing it would give up the locks that this process has on it.
 */
export function createPrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(file, 'wx', PRIVATE_MODE));
  else narrow(file, found.mode);
}

/** Narrows files that others may read, where they are there. */
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
    // Only the owner may, and some disks have no modes.
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

import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { sideFile } from './side-names.ts';

/** What SQLite grows a file by at once, at most: one part of `-shm` is 32 KiB. */
const PROBE_BYTES = 64 * 1024;

/** Bytes of the file system that `path` lies on: what a user without special rights may still write, and all of it. */
export function diskBytes(path: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Whether an error means that the disk of `file` is full, or the user's quota on it used up. SQLite says SQLITE_FULL for
 * the first alone: whatever else it could not write is looked at by writing something.
 */
export function isOutOfSpace(error: unknown, file: string): boolean {
  if (error instanceof SandglassError) return error.code === 'DISK_FULL';
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return true;
  return (code.startsWith('SQLITE_IOERR') || code === 'SQLITE_CANTOPEN') && !canWriteBeside(file);
}

/** The error for a file that cannot be written because its disk is full; `neededBytes` have to be free there. */
export function diskFull(file: string, neededBytes: number): SandglassError {
  const { free } = diskBytes(file);
  const missingBytes = Math.max(neededBytes - free, 0);
  const why =
    missingBytes === 0
      ? ', or this user’s quota on it is used up'
      : `: ${formatBytes(free)} are free and ${formatBytes(missingBytes)} more are needed`;
  return new SandglassError(
    'DISK_FULL',
    `The disk of ${basename(file)} is full${why}. Nothing that was acknowledged is lost; free some space, and try again.`,
    { file, freeBytes: free, neededBytes, missingBytes },
  );
}

/** False only where there is no room for it: whatever else is wrong is not about space. */
function canWriteBeside(file: string): boolean {
  const probe = `${sideFile(file, '-reserve')}.${process.pid}`;
  try {
    const handle = openSync(probe, 'w', 0o600);
    try {
      return writeSync(handle, Buffer.alloc(PROBE_BYTES, 'x')) === PROBE_BYTES;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return !['ENOSPC', 'EDQUOT'].includes(codeOf(error));
  } finally {
    rmSync(probe, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

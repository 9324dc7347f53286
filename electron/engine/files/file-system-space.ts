import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { sidecarFile } from './sidecar-files.ts';

/** More than SQLite extends a file by at once: one part of `-shm` is 32 KiB. */
const PROBE_BYTES = 64 * 1024;

/** Bytes of the file system of `path`: free for a user without special rights, and in total. */
export function diskBytes(path: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Returns whether an error means that the disk of `file` is full, or the user's quota used up. SQLite reports
 * SQLITE_FULL for a full disk only: after other write errors a file is written to find out.
 */
export function isOutOfSpace(error: unknown, file: string): boolean {
  if (error instanceof SandglassError) return error.code === 'DISK_FULL';
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return true;
  return (code.startsWith('SQLITE_IOERR') || code === 'SQLITE_CANTOPEN') && !canWriteBeside(file);
}

/** The error of a file that cannot be written because its disk is full; `neededBytes` have to be free there. */
export function diskFull(file: string, neededBytes: number): SandglassError {
  const { free } = diskBytes(file);
  const missingBytes = Math.max(neededBytes - free, 0);
  const why =
    missingBytes === 0
      ? ', or this user’s quota on it is used up'
      : `: ${formatBytes(free)} are free and ${formatBytes(missingBytes)} more are needed`;
  return new SandglassError(
    'DISK_FULL',
    `The disk of ${basename(file)} is full${why}. Acknowledged writes are not lost. Free some space and try again.`,
    { file, freeBytes: free, neededBytes, missingBytes },
  );
}

/** Returns false only if there is no space: other errors are ignored. */
function canWriteBeside(file: string): boolean {
  const probe = `${sidecarFile(file, '-reserve')}.${process.pid}`;
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

/** Returns the code of a system error; Node's code for EDQUOT is `Unknown system error -122`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT';
  return 'code' in error ? String(error.code) : '';
}

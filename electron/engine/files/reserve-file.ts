import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { readHead } from './file-head.ts';
import { sidecarFile } from './sidecar-files.ts';

const MIB = 1024 * 1024;
/** First bytes of a reserve, which distinguish it from another file of that name. */
const HEAD = Buffer.from('Sandglass: space kept for a full disk\n');

/** File that keeps space allocated for a full disk: removal and checkpoints need space before they free any [S1]. */
export const RESERVE_BYTES = 16 * MIB;

/** Returns whether a file with this beginning is a reserve. A power cut while it is written may leave zeros. */
export function isReserve(head: Buffer): boolean {
  return head.length > 0 && (HEAD.subarray(0, head.length).equals(head) || head.every(byte => byte === 0));
}

/** Returns whether the reserve is complete: neither cut short by a crash nor copied as a sparse file. */
export function hasReserve(storeFile: string, bytes: number): boolean {
  const found = statSync(sidecarFile(storeFile, '-reserve'), { throwIfNoEntry: false });
  return found !== undefined && found.size === bytes && found.blocks * 512 >= bytes;
}

/** Deletes the reserve. Returns whether there was one. Another file of that name stays. */
export function deleteReserve(storeFile: string): boolean {
  const file = sidecarFile(storeFile, '-reserve');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || (found.size > 0 && !isReserve(readHead(file, HEAD.length)))) return false;
  rmSync(file);
  return true;
}

/**
 * Allocates the reserve without blocking the thread: random bytes, which no file system compresses, synced. Rejects
 * with the error of a failed write, and removes the file then. When aborted, it ends within a part and removes the
 * file.
 */
export async function allocateReserve(storeFile: string, bytes: number, signal: AbortSignal): Promise<void> {
  const file = sidecarFile(storeFile, '-reserve');
  deleteReserve(storeFile);
  let isWhole = false;
  let isOurs = false;
  try {
    const handle = await open(file, 'wx', 0o600);
    isOurs = true;
    try {
      const part = randomBytes(Math.min(MIB, bytes));
      HEAD.copy(part);
      for (let done = 0; done < bytes && !signal.aborted; done += part.length) {
        // A short write means that the disk is full; the next one fails with the error.
        await handle.writeFile(part.subarray(0, bytes - done));
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
    isWhole = !signal.aborted;
  } finally {
    if (isOurs && !isWhole) rmSync(file, { force: true });
  }
}

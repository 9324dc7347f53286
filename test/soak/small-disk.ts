import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a fixed size in memory that can be filled and emptied. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes one file until `leaveBytes` are free. */
  fill(leaveBytes: number): void;
  /** Deletes that file. */
  empty(): void;
  unmount(): void;
}

const PIECE = Buffer.alloc(16_384, 1);

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Mounts a small file system. Returns null if this user may not mount; mounting needs root on Linux. */
export function mountSmallDisk(sizeMiB: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmdirSync(folder);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(leaveBytes) {
      const file = openSync(filler, 'a');
      try {
        while (freeBytes(folder) > leaveBytes) writeSync(file, PIECE);
      } catch (error) {
        // The store took the remaining space: the disk is full, as intended.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler),
    unmount() {
      execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

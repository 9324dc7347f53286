import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { mountTmpfs, NO_TMPFS, unmount } from './tmpfs.ts';

const MIB = 1024 * 1024;

/** The reason why no small file system can be mounted here; undefined if one can. Mounting needs root on Linux. */
export const NO_SMALL_DISK = NO_TMPFS;

/** Mounts a file system of `bytes` for the running test, with a file on it that takes up space. */
export interface SmallDisk {
  readonly folder: string;
  freeBytes(): number;
  /** Takes up all but `leaveBytes`. */
  fill(leaveBytes?: number): void;
  /** Frees the space that `fill` took. */
  empty(): void;
}

export function smallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-disk-'));
  mountTmpfs(folder, bytes);
  onTestFinished(() => {
    unmount(folder);
    rmSync(folder, { recursive: true });
  });
  const filler = join(folder, 'filler');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill(leaveBytes = 0) {
      for (let part = MIB; part >= 4_096; part /= 16) {
        const block = Buffer.alloc(part, 'x');
        while (freeBytes() - leaveBytes >= part) writeFileSync(filler, block, { flag: 'a' });
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}

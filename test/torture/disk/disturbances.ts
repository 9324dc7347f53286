import { copyFileSync, renameSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeOwnership } from '../../../electron/engine/backends/embedded/file/ownership.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Random } from '../../support/random.ts';
import { remount } from '../../support/tmpfs.ts';

const MIB = 1024 * 1024;

/** Something that happens to the disk of a running store, at a random moment. */
export interface Disturbance {
  readonly name: string;
  /** Whether acknowledged documents are deleted with it: then only errors and the end of the process are judged. */
  readonly destroys: boolean;
  /** Does it, and returns what undoes it; throws what must not happen. */
  begin(file: string, random: Random): () => void;
}

export const DISTURBANCES: readonly Disturbance[] = [
  {
    name: 'full disk',
    destroys: false,
    begin(file, random) {
      const filler = join(dirname(file), 'filler');
      fill(filler, random.pick([0, 4_096, 65_536, MIB]));
      return () => rmSync(filler, { force: true });
    },
  },
  {
    name: 'read-only remount',
    destroys: false,
    begin(file) {
      try {
        remount(dirname(file), 'ro');
      } catch {
        // The system refuses it while a file is open for writing, as a store is.
        return () => {};
      }
      return () => remount(dirname(file), 'rw');
    },
  },
  {
    name: 'file moved and put back',
    destroys: false,
    begin(file) {
      if (!exists(file)) return () => {};
      renameSync(file, `${file}.moved`);
      return () => {
        if (!exists(file)) renameSync(`${file}.moved`, file);
      };
    },
  },
  {
    name: 'second process',
    destroys: false,
    begin(file) {
      if (!exists(`${file}-owner`)) return () => {};
      try {
        takeOwnership(file)();
      } catch (error) {
        if (error instanceof SandglassError && error.code === 'STORE_IN_USE') return () => {};
        throw error;
      }
      return () => {};
    },
  },
  {
    name: 'file deleted',
    destroys: true,
    begin(file) {
      rmSync(file, { force: true });
      return () => {};
    },
  },
  {
    name: 'file replaced by an earlier copy',
    destroys: true,
    begin(file) {
      if (!exists(file)) return () => {};
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
      return () => {};
    },
  },
  {
    name: 'file truncated',
    destroys: true,
    begin(file, random) {
      if (!exists(file)) return () => {};
      truncateSync(file, Math.floor(statSync(file).size * random.next()));
      return () => {};
    },
  },
];

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Takes up all but `leaveBytes` of the disk. */
function fill(filler: string, leaveBytes: number): void {
  for (let part = MIB; part >= 4_096; part /= 16) {
    const block = Buffer.alloc(part, 'x');
    for (;;) {
      const { bavail, bsize } = statfsSync(dirname(filler));
      if (bavail * bsize - leaveBytes < part) break;
      try {
        writeFileSync(filler, block, { flag: 'a' });
      } catch {
        // The store was faster.
        return;
      }
    }
  }
}

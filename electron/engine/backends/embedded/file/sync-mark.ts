import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { PRIVATE_MODE } from '../../../files/private-file.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';
import { synced } from '../../../files/sync-to-disk.ts';

export const syncMark = z.object({
  /** Time of the failure, epoch ms. */
  at: z.number(),
  /** The last acknowledged revision. */
  revision: z.number(),
  /** Header of the write-ahead log (hex) and number of acknowledged frames in it; null: unknown, all of it counts. */
  log: z.object({ head: z.string(), frames: z.number() }).nullable(),
  /** Whether the copy beside the store is complete, synced and checked: it takes the store's place at the next opening. */
  isCopied: z.boolean(),
});

/**
 * The mark beside a store (`-unsynced`) that a sync of its file or log failed. While it exists, the store is not written:
 * reading it may give back what the system remembers instead of what the disk has.
 */
export type SyncMark = z.infer<typeof syncMark>;

/** Null: every sync succeeded. Throws STORE_UNREADABLE for a mark that cannot be read. */
export function readSyncMark(file: string): SyncMark | null {
  const path = sidecarFile(file, '-unsynced');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return syncMark.parse(JSON.parse(text));
  } catch {
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${path} says that the disk failed to store a part of ${file}, and is damaged itself. Restore a backup, or delete ${path} to open the store as the disk has it.`,
      { file },
    );
  }
}

/** Writes the mark and syncs it. Throws the system's error. */
export function writeSyncMark(file: string, mark: SyncMark): void {
  const path = sidecarFile(file, '-unsynced');
  const partial = `${path}.partial`;
  writeFileSync(partial, JSON.stringify(mark), { mode: PRIVATE_MODE, flush: true });
  renameSync(partial, path);
  synced(dirname(file));
}

export function removeSyncMark(file: string): void {
  rmSync(sidecarFile(file, '-unsynced'), { force: true });
  synced(dirname(file));
}

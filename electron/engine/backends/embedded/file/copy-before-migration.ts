import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { diskBytes, diskFull } from '../../../files/file-system-space.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { synced } from '../../../files/sync-to-disk.ts';

/**
 * Copies a store that is about to be migrated to format `version`, so that the version of Sandglass that wrote it can
 * still open it. Returns the path of the copy: `FILE.before-vN`, with a number appended if that name is in use. The
 * copy contains the pages of the log, and no remains of erased documents.
 *
 * Throws DISK_FULL if there is no space for the copy; the store is then unchanged.
 */
export function copyBeforeMigration(db: Database, file: string, version: number): string {
  const bytes =
    Number(db.pragma('page_size', { simple: true })) * Number(db.pragma('page_count', { simple: true }));
  if (diskBytes(file).free < bytes) throw diskFull(file, bytes);
  const copy = freeName(`${file}.before-v${version}`);
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  try {
    createPrivate(partial);
    db.prepare('VACUUM INTO ?').run(partial);
    synced(partial);
    renameSync(partial, copy);
    synced(dirname(copy));
    return copy;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function freeName(name: string): string {
  let free = name;
  for (let i = 2; existsSync(free); i += 1) free = `${name}.${i}`;
  return free;
}

import { rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { readHead } from '../../../files/file-head.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';
import { syncFailed } from '../../../files/sync-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { CompactResult } from '../../backend.ts';
import { openForReading } from './database.ts';
import { APPLICATION_ID } from './migrate.ts';
import { readSyncMark } from './sync-mark.ts';

/** 4 MiB. Cancelling is checked between two steps. */
const PAGES_A_STEP = 1_024;
const HEAD_BYTES = 72;
/** Offset of the application id in SQLite's file header, bytes. */
const APPLICATION_ID_AT = 68;

/** Path of the copy without unused space that compacting makes beside a store. */
export function compactCopy(file: string): string {
  return sidecarFile(file, '-compact');
}

/** Removes the copy, also one that an ended process left. Returns false if a file of that name is not such a copy. */
export function removeCompactCopy(file: string): boolean {
  const copy = compactCopy(file);
  const found = statSync(copy, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (!found.isFile() || !isCopy(readHead(copy, HEAD_BYTES))) return false;
  for (const suffix of ['', '-journal']) rmSync(`${copy}${suffix}`, { force: true });
  return true;
}

/** Returns true also for an interrupted copy, whose header is incomplete or absent. */
function isCopy(head: Buffer): boolean {
  const isDatabase = head.toString('latin1').startsWith('SQLite format 3\0');
  if (!isDatabase || head.length < HEAD_BYTES) return head.every(byte => byte === 0);
  return [0, APPLICATION_ID].includes(head.readUInt32BE(APPLICATION_ID_AT));
}

/**
 * Writes the store's contents, without unused space, into a file beside it. Only reads the store. SQLite cannot be
 * interrupted meanwhile. Throws STORE_UNREADABLE if another file has that name.
 */
export function writeCompactCopy(file: string): void {
  const copy = compactCopy(file);
  if (!removeCompactCopy(file))
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${basename(copy)} is in the way of compacting, and is not a file of this store. Move that file away.`,
      { file, inTheWay: copy },
    );
  createPrivate(copy);
  const db = openForReading(file);
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
}

/** Time that another process may write the store before the copy is given up, ms. */
const MOST_WAIT_MS = 60_000;
const RETRY_MS = 100;

/**
 * Overwrites the store with the copy page by page, in one transaction beside which others can read, and truncates the
 * file. The store must not have been written since the copy was made. `onProgress` receives bytes; if it throws, the
 * store stays unchanged. Waits for another process that writes the store; throws STORE_BUSY after a minute.
 *
 * Throws SYNC_FAILED if a sync of the store fails meanwhile: recovery copies the file and the log as they were then, and
 * pages that were moved into the file later would not fit the others [S5].
 */
export async function writeBack(
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<CompactResult> {
  const bytesBefore = sizeOf(file);
  const copy = new Sqlite(compactCopy(file), { readonly: true });
  try {
    const pageSize = Number(copy.pragma('page_size', { simple: true }));
    const total = Number(copy.pragma('page_count', { simple: true })) * pageSize;
    const end = systemClock.elapsed() + MOST_WAIT_MS;
    const report = (pages: number) => {
      refuseUnsynced(file);
      onProgress(pages * pageSize, total);
    };
    refuseUnsynced(file);
    while (!(await writePages(copy, file, report))) {
      if (systemClock.elapsed() > end) {
        throw new SandglassError(
          'STORE_BUSY',
          `Another process has been writing ${basename(file)} for a minute, so it was not compacted. Compact it when that process has ended.`,
        );
      }
      onProgress(0, total);
      await systemClock.sleep(RETRY_MS);
    }
  } finally {
    copy.close();
  }
  const store = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
  try {
    refuseUnsynced(file);
    // The file shrinks when the log is moved into it.
    store.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    store.close();
  }
  return { bytesBefore, bytesAfter: sizeOf(file) };
}

/**
 * Returns false if another process is writing the file, which stays unchanged. better-sqlite3 ends such a backup as if
 * it were complete, with 0 pages.
 */
async function writePages(
  copy: Sqlite.Database,
  file: string,
  onProgress: (pages: number) => void,
): Promise<boolean> {
  const { totalPages } = await copy.backup(file, {
    progress: ({ totalPages: all, remainingPages }) => {
      onProgress(all - remainingPages);
      return PAGES_A_STEP;
    },
  });
  return totalPages > 0;
}

function refuseUnsynced(file: string): void {
  if (readSyncMark(file) !== null) throw syncFailed(file, { isInDoubt: false, problem: null });
}

/** Returns the size of the file and its log, bytes. */
function sizeOf(file: string): number {
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

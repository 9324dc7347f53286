import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { diskBytes, diskFull } from '../../../files/file-system-space.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';
import { synced } from '../../../files/sync-to-disk.ts';
import { metaValue } from '../tables/meta.ts';
import { readSyncMark, removeSyncMark, type SyncMark, writeSyncMark } from './sync-mark.ts';

/**
 * After a failed sync the system may have dropped what was written and call the same pages clean: the next sync
 * succeeds without storing them. Only writing them anew, into new files, shows whether the disk has them [S5].
 *
 * The log holds every page since the last complete sync of the file, with checksums. It is copied up to the last
 * acknowledged frame, and all of it is moved into the copy of the file.
 */

const MIB = 1024 * 1024;
const LOG_HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
const LOG_PAGE_SIZE_AT = 8;

const logOf = (path: string) => `${path}-wal`;

/** Brings a store with a mark in order before it is opened: no connection may be open. Throws SYNC_FAILED, DISK_FULL. */
export function recoverFromFailedSync(file: string): void {
  let mark = readSyncMark(file);
  if (mark === null) return;
  // Nothing of a new store was stored.
  if (!mark.isCopied && !existsSync(file)) {
    removeSyncMark(file);
    return;
  }
  if (!mark.isCopied) {
    const source = openSync(file, 'r');
    try {
      copyToNewFiles(file, source, mark);
    } catch (error) {
      throw error instanceof SandglassError ? error : notCopied(file, error);
    } finally {
      closeSync(source);
    }
    mark = { ...mark, isCopied: true };
  }
  replaceByCopy(file);
}

/**
 * Copies the store beside it, checks and syncs the copy, and then marks the store as copied. `source` is a descriptor of
 * the store's file, which stays open: closing it would drop the locks of this process on the file (POSIX).
 *
 * Throws DISK_FULL if there is no room, STORE_UNREADABLE if acknowledged writes cannot be read any more, and errors of
 * SQLite and the system.
 */
export function copyToNewFiles(file: string, source: number, mark: SyncMark): void {
  const copy = sidecarFile(file, '-recovered');
  removeCopy(copy);
  const logBytes = statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0;
  const needed = statSync(file).size + 2 * logBytes;
  if (diskBytes(file).free < needed) throw diskFull(file, needed);
  try {
    createPrivate(copy);
    copyBytes(source, copy, Number.POSITIVE_INFINITY);
    copyLog(file, copy, mark);
    // A rollback journal is there only if a store was not in WAL mode yet.
    if (existsSync(`${file}-journal`)) copyFile(`${file}-journal`, `${copy}-journal`);
    check(file, copy, mark);
    synced(copy);
    synced(dirname(file));
    writeSyncMark(file, { ...mark, isCopied: true });
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

/** Gives the copy the name of the store. May be interrupted at any point, and is completed by the next opening. */
function replaceByCopy(file: string): void {
  const copy = sidecarFile(file, '-recovered');
  if (existsSync(copy)) renameSync(copy, file);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  synced(dirname(file));
  removeSyncMark(file);
}

function removeCopy(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${suffix}`, { force: true });
}

/** Copies the acknowledged frames: those after them belong to a commit whose sync failed. */
function copyLog(file: string, copy: string, { log }: SyncMark): void {
  if (!existsSync(logOf(file))) return;
  const head = readLogHead(file);
  // Another log began since: it was written by another program.
  const isSame = log !== null && head.toString('hex') === log.head;
  if (!isSame || head.length < LOG_HEAD_BYTES) {
    copyFile(logOf(file), logOf(copy));
    return;
  }
  const frameBytes = FRAME_HEAD_BYTES + head.readUInt32BE(LOG_PAGE_SIZE_AT);
  copyFile(logOf(file), logOf(copy), LOG_HEAD_BYTES + log.frames * frameBytes);
}

/** Returns the header of the write-ahead log, which names its generation; empty without one. */
export function readLogHead(file: string): Buffer {
  const head = Buffer.alloc(LOG_HEAD_BYTES);
  if (!existsSync(logOf(file))) return head.subarray(0, 0);
  const source = openSync(logOf(file), 'r');
  try {
    return head.subarray(0, readSync(source, head, 0, LOG_HEAD_BYTES, 0));
  } finally {
    closeSync(source);
  }
}

/** Moves the copied log into the copied file, synced by SQLite, and compares the result with what was acknowledged. */
function check(file: string, copy: string, { revision }: SyncMark): void {
  const db = new Sqlite(copy, { fileMustExist: true });
  try {
    db.pragma('synchronous = FULL');
    db.pragma('wal_checkpoint(TRUNCATE)');
    const problem = String(db.pragma('quick_check(1)', { simple: true }));
    if (problem !== 'ok') throw lost(file, problem);
    const isStore = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
    const revisionOf = `SELECT ${metaValue('revision')}`;
    const found = isStore ? Number(db.prepare(revisionOf).pluck().get() ?? 0) : 0;
    if (found < revision)
      throw lost(file, `it gives back revision ${found}, and ${revision} was acknowledged`);
  } finally {
    db.close();
  }
}

function copyFile(from: string, to: string, most = Number.POSITIVE_INFINITY): void {
  const source = openSync(from, 'r');
  try {
    createPrivate(to);
    copyBytes(source, to, most);
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, to: string, most: number): void {
  const target = openSync(to, 'r+');
  try {
    const part = Buffer.alloc(MIB);
    for (let done = 0; done < most; ) {
      const read = readSync(source, part, 0, Math.min(MIB, most - done), done);
      if (read === 0) return;
      for (let written = 0; written < read; )
        written += writeSync(target, part, written, read - written, done + written);
      done += read;
    }
  } finally {
    closeSync(target);
  }
}

function lost(file: string, reason: string): SandglassError {
  return new SandglassError(
    'STORE_UNREADABLE',
    `The disk failed to store ${basename(file)} and does not give back all that was acknowledged: ${reason}. Restore a backup, or open it read-only and export what can be read.`,
    { file, reason },
  );
}

function notCopied(file: string, error: unknown): SandglassError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SandglassError(
    'SYNC_FAILED',
    `The disk failed to store a part of ${basename(file)}. Before it is opened for writing it is copied into a new file, which failed: ${reason}. Check the disk; Sandglass tries again. Read-only, it can be opened now.`,
    { file, problem: reason },
  );
}

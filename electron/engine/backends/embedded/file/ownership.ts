import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import {
  type Endpoint,
  formatOwner,
  ownerFile,
  readOwner,
  removeOwner,
  writeOwner,
} from '../../../files/owner-file.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { deleteReserve } from '../../../files/reserve-file.ts';
import { sidecarFile, sidecarMessage, storeOfSidecar } from '../../../files/sidecar-files.ts';
import { createFolder } from '../../../files/sync-to-disk.ts';
import { ofTheFile } from './database.ts';

/**
 * Locks the store for this process until the returned function is called. The lock is SQLite's own, on a file beside
 * the store, so the system releases it whenever the process ends. Throws STORE_IN_USE, naming the owner, and
 * STORE_UNREADABLE if the lock file cannot be created.
 */
export function takeOwnership(file: string, endpoint: Endpoint = {}): () => void {
  refuseSideName(file);
  const lockFile = sidecarFile(file, '-lock');
  attempt(dirname(file), () => createFolder(dirname(file)));
  attempt(lockFile, () => createPrivate(lockFile));
  const lock = attempt(lockFile, () => new Sqlite(lockFile, { timeout: 0 }));
  try {
    attempt(lockFile, () => {
      try {
        // Nothing is written to it: a journal would need space, which a full disk does not have.
        lock.pragma('journal_mode = MEMORY');
        lock.exec('BEGIN EXCLUSIVE');
      } catch (error) {
        throw isBusy(error) ? inUse(file) : error;
      }
    });
    attempt(ownerFile(file), () => {
      // The lock alone decides ownership; without space for this file, other processes only lack the owner's address.
      if (!writeOwner(file, endpoint) && deleteReserve(file)) writeOwner(file, endpoint);
    });
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => {
    try {
      removeOwner(file);
    } catch {
      // The lock alone decides ownership: a file that stays names an owner that has ended, and the next one replaces it.
    }
    // The lock file stays: the next owner may already have locked it.
    lock.close();
  };
}

/**
 * Throws STORE_UNREADABLE for a path that is a sidecar name of another store: opening it would turn that store's lock
 * into a store, or write beside it [S2].
 */
export function refuseSideName(file: string): void {
  const store = storeOfSidecar(file);
  if (store !== undefined)
    throw new SandglassError('STORE_UNREADABLE', sidecarMessage(file, store), { file });
}

/** Whether a process owns the store now. Takes no lock and creates no file. */
export function isOwned(file: string): boolean {
  const lockFile = sidecarFile(file, '-lock');
  if (!existsSync(lockFile)) return false;
  return attempt(lockFile, () => {
    const lock = new Sqlite(lockFile, { readonly: true, timeout: 0 });
    try {
      lock.prepare('SELECT count(*) FROM sqlite_schema').get();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      lock.close();
    }
  });
}

/** Runs a step of taking the lock; its error names the path. */
const attempt = ofTheFile;

/** Only these codes mean that another process has the lock; any other error would occur for every owner. */
function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function inUse(file: string): SandglassError {
  const owner = readOwner(file);
  return new SandglassError(
    'STORE_IN_USE',
    `${file} is open in another Sandglass (${formatOwner(owner)}). Use that one, or close it first.`,
    { file, ...owner },
  );
}

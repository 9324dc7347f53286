/** Entry of the thread that copies committed pages from the log into the file, so that no write waits for it. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoints.ts';

// Imports only SQLite: the thread starts during a store's first long write, and its memory is held until the store
// closes.
const file: unknown = workerData;
if (typeof file !== 'string') throw new TypeError('the checkpoint thread was started without a file');
const db = new Sqlite(file, { timeout: 0, fileMustExist: true });
db.pragma('synchronous = NORMAL');
// Closing a descriptor drops this process's locks on the file (POSIX), so this one is closed last.
const descriptor = openSync(file, 'r+');

parentPort?.on('message', (message: ToCheckpointThread) => {
  if (message !== 'close') {
    send(outcomeOf(message));
    return;
  }
  db.close();
  closeSync(descriptor);
  parentPort?.close();
});

function send(message: FromCheckpointThread): void {
  parentPort?.postMessage(message);
}

/** A failed checkpoint, for example on a full disk, loses no data: it is reported and can be tried again. */
function outcomeOf(message: 'checkpoint' | 'empty'): FromCheckpointThread {
  try {
    checkpoint();
    // Returns busy, with the log unchanged, if a reader or a writer blocks it.
    if (message === 'empty') db.pragma('wal_checkpoint(TRUNCATE)');
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    // SQLite names a failed sync of its own so; the other one is a system call of this thread.
    const isSync = 'syscall' in error && error.syscall === 'fdatasync';
    const code = isSync ? 'SQLITE_IOERR_FSYNC' : String(error.code);
    return { kind: 'failed', code, message: error.message };
  }
}

/**
 * During writes SQLite copies pages without syncing the file; the checkpoint that copies the last page syncs all of
 * them. Syncing here in between leaves little for that one.
 */
function checkpoint(): void {
  if (isWhole()) return;
  fdatasyncSync(descriptor);
  isWhole();
}

/** Copies the pages that no reader blocks. Returns whether those were all, and are synced. */
function isWhole(): boolean {
  const [, pages = 0, copied = 0] =
    db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw().get() ?? [];
  return copied >= pages;
}

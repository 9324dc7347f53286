/** Entry of the thread that brings what was committed from the log into the file, so that no writer waits for it. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoints.ts';

// Nothing but SQLite is loaded here: the thread is started by a store's first long write, and stays.
const file: unknown = workerData;
if (typeof file !== 'string') throw new TypeError('the checkpoint thread was started without a file');
const db = new Sqlite(file, { timeout: 0, fileMustExist: true });
db.pragma('synchronous = NORMAL');
// Closing it drops this process's locks on the file: it is the last of the store that is closed.
const descriptor = openSync(file, 'r+');

parentPort?.on('message', (message: ToCheckpointThread) => {
  if (message !== 'close') {
    tell(outcomeOf(message));
    return;
  }
  db.close();
  closeSync(descriptor);
  parentPort?.close();
});

function tell(message: FromCheckpointThread): void {
  parentPort?.postMessage(message);
}

/** A failed checkpoint, as on a full disk, loses nothing: it is reported and can be tried again. */
function outcomeOf(message: 'checkpoint' | 'empty'): FromCheckpointThread {
  try {
    checkpoint();
    // Where a reader or a writer is in the way, it answers that it is busy and leaves the log as it is.
    if (message === 'empty') db.pragma('wal_checkpoint(TRUNCATE)');
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { kind: 'failed', code: String(error.code), message: error.message };
  }
}

/**
 * During writes SQLite copies pages without syncing the file; the checkpoint that copies the last page syncs all of them.
 * Syncing here in between leaves little for that one.
 */
function checkpoint(): void {
  if (isWhole()) return;
  fdatasyncSync(descriptor);
  isWhole();
}

/** Copies what no reader stands in the way of; true: that was all there is, and it is synced. */
function isWhole(): boolean {
  const [, pages = 0, copied = 0] =
    db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw().get() ?? [];
  return copied >= pages;
}

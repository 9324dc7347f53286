/** Entry of the thread that brings what was committed from the log into the file, so that no writer waits for it. */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { ToCheckpointThread } from './checkpoints.ts';

// Nothing but SQLite is loaded here: the thread is started by a store's first long write, and stays.
const file: unknown = workerData;
if (typeof file !== 'string') throw new TypeError('the checkpoint thread was started without a file');
const db = new Sqlite(file, { timeout: 0, fileMustExist: true });
db.pragma('synchronous = NORMAL');
// Closing it drops this process's locks on the file: it is the last of the store that is closed.
const descriptor = openSync(file, 'r+');

parentPort?.on('message', (message: ToCheckpointThread) => {
  if (message === 'checkpoint') {
    checkpoint();
    parentPort?.postMessage('done');
    return;
  }
  db.close();
  closeSync(descriptor);
  parentPort?.close();
});

/**
 * While somebody writes, SQLite copies pages without syncing the file, and leaves that to whoever copies the last one.
 * Synced here in between, that is little, whoever it is.
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

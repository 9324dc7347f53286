import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { SandglassError } from '../../../../shared/model/errors.ts';

const owner = z.object({ pid: z.number() });

/**
 * Takes the store for this process until the returned function is called. The lock is SQLite's own, on a file
 * beside the store, so the system gives it back when the process dies, however it dies.
 * Throws STORE_IN_USE, naming who has it.
 */
export function takeOwnership(file: string): () => void {
  const lockFile = `${file}-lock`;
  const ownerFile = `${file}-owner`;
  mkdirSync(dirname(file), { recursive: true });
  const lock = new Sqlite(lockFile, { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw inUse(file, ownerFile);
  }
  writeFileSync(ownerFile, JSON.stringify({ pid: process.pid }));
  return () => {
    rmSync(ownerFile, { force: true });
    // The file stays: to remove it could take it from under the next owner.
    lock.close();
  };
}

function inUse(file: string, ownerFile: string): SandglassError {
  let who = 'another process';
  try {
    who = `process ${owner.parse(JSON.parse(readFileSync(ownerFile, 'utf8'))).pid}`;
  } catch {
    // The owner is just starting or stopping and has not said its name: the message does without.
  }
  return new SandglassError(
    'STORE_IN_USE',
    `${file} is open in another Sandglass (${who}). Use that one, or close it first.`,
    {
      file,
    },
  );
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { isOutOfSpace } from './disk.ts';
import { sideFile } from './side-names.ts';
import { realFile } from './store-path.ts';

/** Where the owner of a store can be spoken to. */
export interface Whereabouts {
  /** A Unix socket or named pipe of this machine that answers the contract (see electron/host/local-socket). */
  door?: string | undefined;
  /** Of the served host: `http://127.0.0.1:7263/`, without its token. */
  address?: string | undefined;
}

export interface Owner extends Whereabouts {
  pid: number;
}

const owner = z.object({ pid: z.number(), door: z.string().optional(), address: z.string().optional() });

/** Beside the store itself, whichever link leads there. It says who has it; that they do is said by the lock alone (see embedded/ownership.ts). */
export function ownerFile(storeFile: string): string {
  return sideFile(realFile(storeFile), '-owner');
}

/** To be called by the owner only. Whoever reads meanwhile sees the old words or the new. False: the disk has no room for them. */
export function writeOwner(storeFile: string, { door, address }: Whereabouts): boolean {
  const file = ownerFile(storeFile);
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, JSON.stringify({ pid: process.pid, door, address } satisfies Owner), { mode: 0o600 });
    renameSync(next, file);
    return true;
  } catch (error) {
    rmSync(next, { force: true });
    if (isOutOfSpace(error, realFile(storeFile))) return false;
    throw error;
  }
}

/** Null where nobody said a word, as one who is just starting or stopping. */
export function readOwner(storeFile: string): Owner | null {
  try {
    return owner.parse(JSON.parse(readFileSync(ownerFile(storeFile), 'utf8')));
  } catch {
    // Absent, or of another version: neither says who it is.
    return null;
  }
}

export function removeOwner(storeFile: string): void {
  rmSync(ownerFile(storeFile), { force: true });
}

/** For a message: `process 4711, at http://127.0.0.1:7263/`. */
export function ownerInWords(who: Owner | null): string {
  if (who === null) return 'another process';
  return who.address === undefined ? `process ${who.pid}` : `process ${who.pid}, at ${who.address}`;
}

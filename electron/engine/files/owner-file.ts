import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { isOutOfSpace } from './file-system-space.ts';
import { replaceFile } from './replace-file.ts';
import { sidecarFile } from './sidecar-files.ts';
import { realFile } from './store-path.ts';

/** Addresses at which other processes reach the engine of a store. */
export interface Endpoint {
  /**
   * Path of a Unix socket or named pipe of this machine that answers the contract (see electron/host/local-socket).
   */
  socketPath?: string | undefined;
  /** Address of the served host: `http://127.0.0.1:7263/`, without its token. */
  address?: string | undefined;
}

export interface Owner extends Endpoint {
  pid: number;
}

/**
 * Format of the file. `door` is the path of the local socket; its name stays, since other versions of Sandglass read
 * the file too.
 */
const owner = z
  .object({ pid: z.number(), door: z.string().optional(), address: z.string().optional() })
  .transform(({ pid, door, address }): Owner => ({ pid, socketPath: door, address }));

/**
 * Returns the path of the owner file, beside the store that a link leads to. The file names the owner; only the lock
 * proves ownership (see embedded/file/ownership.ts).
 */
export function ownerFile(storeFile: string): string {
  return sidecarFile(realFile(storeFile), '-owner');
}

/** Replaces the owner file atomically. Call it only as the owner. Returns false if the disk is full. */
export function writeOwner(storeFile: string, { socketPath, address }: Endpoint): boolean {
  const file = ownerFile(storeFile);
  try {
    const text = JSON.stringify({ pid: process.pid, door: socketPath, address } satisfies z.input<
      typeof owner
    >);
    // After a power cut no process is the owner, whom the file names.
    replaceFile(file, text, { isDurable: false });
    return true;
  } catch (error) {
    if (isOutOfSpace(error, realFile(storeFile))) return false;
    throw error;
  }
}

/** Returns null if no owner file can be read: it is not written yet, or its owner is stopping. */
export function readOwner(storeFile: string): Owner | null {
  try {
    return owner.parse(JSON.parse(readFileSync(ownerFile(storeFile), 'utf8')));
  } catch {
    // The file is missing, or has an unknown format.
    return null;
  }
}

export function removeOwner(storeFile: string): void {
  rmSync(ownerFile(storeFile), { force: true });
}

/** Returns the owner for a message: `process 4711, at http://127.0.0.1:7263/`. */
export function formatOwner(who: Owner | null): string {
  if (who === null) return 'another process';
  return who.address === undefined ? `process ${who.pid}` : `process ${who.pid}, at ${who.address}`;
}

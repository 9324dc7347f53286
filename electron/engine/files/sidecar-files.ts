import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { isSameFile, realFile } from './store-path.ts';

/**
 * Names of the files beside a store that belong to it: SQLite's own (`-journal`, `-wal`, `-shm`), the lock with its
 * journal, the owner file, the list of connections of a home store, the folder with the mirrors of remote stores, the
 * reserve for a full disk, the copy that compacting makes, the copy of a damaged store that is recovered, the mark of a failed sync and the copy made after it, the tokens, the expected policy, and the audit log with its older parts. Every
 * writer of files checks this list [S2].
 */
export const SIDECAR_SUFFIXES = [
  '-journal',
  '-wal',
  '-shm',
  '-lock',
  '-lock-journal',
  '-owner',
  '-connections',
  '-connections.d',
  '-reserve',
  '-compact',
  '-unsynced',
  '-recovered',
  '-recovered-wal',
  '-recovered-shm',
  '-recovered-journal',
  '-damaged',
  '-damaged-wal',
  '-damaged-shm',
  '-damaged-journal',
  '-webhook',
  '-tokens',
  '-policy',
  '-audit.jsonl',
  '-audit.jsonl.1',
  '-audit.jsonl.2',
  '-audit.jsonl.3',
  '-audit.jsonl.4',
] as const;

export type SidecarSuffix = (typeof SIDECAR_SUFFIXES)[number];

/** Returns the path of a sidecar file; `storeFile` is the store's real path, with links resolved. */
export function sidecarFile(storeFile: string, suffix: SidecarSuffix): string {
  return `${storeFile}${suffix}`;
}

/** Ignores case (`s.db-WAL`): on case-insensitive file systems it is the same file. */
const SIDECAR_NAME = new RegExp(`^(.+?)(${SIDECAR_SUFFIXES.join('|')})$`, 'is');

/**
 * Returns the store's file of which `path` is a sidecar name; undefined: none. The store's file exists, as a store or
 * not yet, or is one of `known`, whose disk may be absent. Both the path and the target of its links are checked.
 */
export function storeOfSidecar(path: string, known: readonly string[] = []): string | undefined {
  for (const place of new Set([path, realFile(path)])) {
    const base = SIDECAR_NAME.exec(place)?.[1];
    if (base === undefined) continue;
    if (statSync(base, { throwIfNoEntry: false })?.isFile() === true) return base;
    const found = known.find(file => isSameFile(file, base));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the message for a path with a sidecar name. It contains names without folders, since every reader can list
 * jobs.
 */
export function sidecarMessage(path: string, store: string): string {
  return `${basename(path)} is reserved for the store ${basename(store)}. Choose another.`;
}

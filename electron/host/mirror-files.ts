import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sidecarFile } from '../engine/files/sidecar-files.ts';

/** Returns the path of a remote store's mirror, in a folder beside the home store, and creates the folder. */
export function mirrorFileOf(home: string, id: string): string {
  const folder = sidecarFile(home, '-connections.d');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${id}.sqlite`);
}

/** Removes the mirror's file with its log, and the expected policy. Call it only after the connection is closed. */
export function removeMirror(home: string, id: string): void {
  const file = join(sidecarFile(home, '-connections.d'), `${id}.sqlite`);
  for (const suffix of ['', '-wal', '-shm', '-journal', '-lock', '-lock-journal', '-owner', '-policy'])
    rmSync(`${file}${suffix}`, { force: true });
}

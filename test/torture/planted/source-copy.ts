import { cpSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlantedBug, planted } from './planted-bug.ts';

export const ROOT = join(import.meta.dirname, '../../..');
/** Files that the parts of the torture machine read and run. */
const COPIED = ['electron', 'shared', 'test', 'package.json', 'tsconfig.base.json', 'vite.entries.ts'];

/** The project's sources in a folder of their own, into which one bug at a time is put. */
export class SourceCopy {
  readonly folder: string;

  /** `folder` must be empty. Packages are shared with the original. */
  constructor(folder: string) {
    this.folder = folder;
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'), 'dir');
  }

  /** Puts the bug into the copy. Returns the function that takes it out. */
  plant(bug: PlantedBug): () => void {
    const path = join(this.folder, bug.file);
    writeFileSync(path, planted(ROOT, bug));
    return () => cpSync(join(ROOT, bug.file), path);
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A defect that is put into a copy of the sources, to find out whether a part of the torture machine catches it. */
export interface PlantedBug {
  /** Completes “a store with …”. */
  readonly name: string;
  /** Path from the root of the sources. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly before: string;
  readonly after: string;
  /** Parts that are expected to catch it, and are run first. */
  readonly parts: readonly [string, ...string[]];
  /** The reason why no part catches it; undefined: one has to. */
  readonly notCaught?: string;
}

/** Returns the text of the bug's file with the bug. Throws unless the text that it replaces occurs exactly once. */
export function planted(root: string, { name, file, before, after }: PlantedBug): string {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.split(before).length - 1;
  if (found !== 1) throw new Error(`“${name}”: its text occurs ${found} times in ${file}, not once`);
  return text.replace(before, () => after);
}

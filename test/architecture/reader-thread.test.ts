import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from './layers.ts';

const files = new Map(
  sourceFiles(join(import.meta.dirname, '../..')).map(({ path, source }) => [path, source]),
);
/** Imports and re-exports that remain at run time. */
const LOADED = /^(?:import|export)(?! type\b)[^;]*?from '(\.[^']+)';/gms;

/** Returns every file that loading `entry` loads, itself included. */
function loadedWith(entry: string, found = new Set<string>()): ReadonlySet<string> {
  const source = files.get(entry);
  if (source === undefined || found.has(entry)) return found;
  found.add(entry);
  for (const [, target = ''] of source.matchAll(LOADED)) loadedWith(join(entry, '..', target), found);
  return found;
}

it('the reader thread loads the parts of the contract that it answers, and not the whole of it', () => {
  const loaded = loadedWith('electron/engine/serve-reads.ts');
  expect(loaded).toContain('shared/contract/documents.ts');
  expect(loaded).not.toContain('shared/contract/index.ts');
  expect(loadedWith('electron/engine/serve-ports.ts')).toContain('shared/contract/index.ts');
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from './layers.ts';

/** More files of different subjects than this are a heap. */
const MOST_FILES = 25;

/** Folders whose files are of one kind, with what distinguishes them. */
const ONE_KIND: Readonly<Record<string, string>> = {
  'electron/engine/backends/embedded/tables': 'one file per table of the store',
};

const counts = Map.groupBy(sourceFiles(join(import.meta.dirname, '../..')), ({ path }) =>
  path.slice(0, path.lastIndexOf('/')),
);

it(`no folder holds more than ${MOST_FILES} source files, except those of one kind`, () => {
  const heaps = [...counts].filter(([folder, files]) => files.length > MOST_FILES && !(folder in ONE_KIND));
  expect(heaps.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

it('every exception is still needed', () => {
  const unneeded = Object.keys(ONE_KIND).filter(folder => (counts.get(folder)?.length ?? 0) <= MOST_FILES);
  expect(unneeded).toEqual([]);
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from './layers.ts';

/** Largest number of source files in a folder. */
const MOST_FILES = 25;

const counts = Map.groupBy(sourceFiles(join(import.meta.dirname, '../..')), ({ path }) =>
  path.slice(0, path.lastIndexOf('/')),
);

it(`no folder holds more than ${MOST_FILES} source files`, () => {
  const heaps = [...counts].filter(([, files]) => files.length > MOST_FILES);
  expect(heaps.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

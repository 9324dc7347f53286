import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOf, fileGraph, roomGraph } from './circles.ts';
import { sourceFiles } from './layers.ts';

const files = fileGraph(sourceFiles(join(import.meta.dirname, '../..')));

describe('imports', () => {
  it('form no circle of files', () => {
    expect(files.size).toBeGreaterThan(50);
    expect(circlesOf(files)).toEqual([]);
  });

  it('form no circle of rooms', () => {
    expect(circlesOf(roomGraph(files))).toEqual([]);
  });
});

// Counter-examples.
describe('a circle', () => {
  const graph = (sources: Record<string, string>) =>
    fileGraph(Object.entries(sources).map(([path, source]) => ({ path, source })));

  it('of two files is found, also where they import types only', () => {
    const found = graph({
      'shared/model/a.ts': `import { b } from './b.ts';`,
      'shared/model/b.ts': `import type { A } from './a.ts';`,
      'shared/model/c.ts': `import { b } from './b.ts';`,
    });
    expect(circlesOf(found)).toEqual([['shared/model/a.ts', 'shared/model/b.ts']]);
  });

  it('of three files is found, through a dynamic import and a re-export', () => {
    const found = graph({
      'a/a.ts': `export * from '../b/b.ts';`,
      'b/b.ts': `const c = () => import('../c/c.ts');`,
      'c/c.ts': `import '../a/a.ts';`,
    });
    expect(circlesOf(found)).toEqual([['a/a.ts', 'b/b.ts', 'c/c.ts']]);
  });

  it('of rooms is found, also where no files form a circle', () => {
    const found = graph({
      'write/writer.ts': `import { rows } from '../tables/rows.ts';`,
      'tables/rows.ts': '',
      'tables/counts.ts': `import { ids } from '../write/ids.ts';`,
      'write/ids.ts': '',
    });
    expect(circlesOf(found)).toEqual([]);
    expect(circlesOf(roomGraph(found))).toEqual([['tables', 'write']]);
  });

  it('is not reported where several files import the same one', () => {
    const found = graph({
      'a.ts': `import './b.ts'; import './c.ts';`,
      'b.ts': `import './d.ts';`,
      'c.ts': `import './d.ts';`,
      'd.ts': '',
    });
    expect(circlesOf(found)).toEqual([]);
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenFiles } from '../support/choice.mjs';

const FILES = [
  'test/shared/model/format.test.ts',
  'test/e2e/three-clicks.test.ts',
  'test/e2e/desktop/guards.test.ts',
  'test/e2e/desktop/life.test.ts',
  'test/e2e/desktop/packaging.test.ts',
  'test/e2e/frames.timing.test.ts',
];

describe('which tests are run', () => {
  it('npm test: all but the long tests of the desktop host and those that only measure frames', () => {
    expect(chosenFiles(FILES, [], false)).toEqual(FILES.slice(0, 4));
  });

  it('npm run test:all: every one', () => {
    expect(chosenFiles(FILES, [], true)).toEqual(FILES);
  });

  it('by part of a name: every file that contains it, the desktop’s included', () => {
    expect(chosenFiles(FILES, ['packaging', 'format'], false)).toEqual([FILES[0], FILES[4]]);
  });

  it('the named files exist', () => {
    expect(FILES.filter(file => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  });
});

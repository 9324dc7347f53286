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
  it('npm test: all but what of the desktop host takes long, and what only measures frames', () => {
    expect(chosenFiles(FILES, [], false)).toEqual(FILES.slice(0, 4));
  });

  it('npm run test:all: every one', () => {
    expect(chosenFiles(FILES, [], true)).toEqual(FILES);
  });

  it('by a name: whatever holds it, the desktop’s as well', () => {
    expect(chosenFiles(FILES, ['packaging', 'format'], false)).toEqual([FILES[0], FILES[4]]);
  });

  it('the files named here are there', () => {
    expect(FILES.filter(file => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  });
});

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

describe('the chosen test files', () => {
  it('are all but long tests of the desktop host and measurements of frames with npm test', () => {
    expect(chosenFiles(FILES, [], false)).toEqual(FILES.slice(0, 4));
  });

  it('are all with npm run test:all', () => {
    expect(chosenFiles(FILES, [], true)).toEqual(FILES);
  });

  it('are those whose path contains a given name, including the desktop’s', () => {
    expect(chosenFiles(FILES, ['packaging', 'format'], false)).toEqual([FILES[0], FILES[4]]);
  });

  it('exist in the project', () => {
    expect(FILES.filter(file => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  });
});

import { stripTypeScriptTypes } from 'node:module';
import { expect, it } from 'vitest';
import { planted } from './planted-bug.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { ROOT } from './source-copy.ts';

it.each(PLANTED_BUGS)('$name: its text is in the sources once, and what replaces it is TypeScript', bug => {
  expect(() => stripTypeScriptTypes(planted(ROOT, bug))).not.toThrow();
});

it('each planted bug has a name of its own', () => {
  expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length);
});

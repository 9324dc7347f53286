import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MODULES } from './modules.ts';
import { mutate } from './mutants.ts';
import { isSame, type KnownSurvivor, measure } from './session.ts';

const ROOT = join(import.meta.dirname, '../..');
const known: readonly KnownSurvivor[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8'),
);

it('a change that a test notices is killed; one that none notices, or reaches, is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-mutation-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fixture = {
    name: 'fixture',
    sources: ['test/mutation/fixture/bounds.ts'],
    tests: ['test/mutation/fixture/bounds-tests.ts'],
  };
  const score = await measure(fixture, {
    root: ROOT,
    known: [],
    testsWith: [''],
    folder,
    cacheFolder: folder,
    sample: Number.POSITIVE_INFINITY,
    seed: 1,
    signal: new AbortController().signal,
  });
  const survivors = score.survivors.map(({ mutant: { before, after }, isReached }) => ({
    before,
    after,
    isReached,
  }));
  expect(survivors).toEqual([
    { before: 'value < limit', after: 'value <= limit', isReached: true },
    { before: 'value + 1', after: '0', isReached: false },
    { before: 'value + 1', after: 'value - 1', isReached: false },
    { before: '1', after: '2', isReached: false },
  ]);
  expect(score.killed).toBe(score.tried - survivors.length);
}, 240_000);

it('an operand keeps its parentheses', () => {
  const { mutants } = mutate('any.ts', 'export const x = (a - b) / c; export const y = a || b || c;', 1);
  expect(mutants.map(({ after }) => after)).toEqual(['(a - b) * c', 'a + b', '(a || b) && c', 'a && b']);
});

it('each known survivor is still a mutant, and has a reason', () => {
  const gone = known.filter(({ file, code, before, after, why }) => {
    const { mutants } = mutate(file, readFileSync(join(ROOT, file), 'utf8'), 1);
    const isThere = mutants.some(mutant => isSame({ file, code, before, after, why }, mutant));
    return !isThere || why === '';
  });
  expect(gone).toEqual([]);
});

it('each module has sources and tests', () => {
  for (const { sources, tests } of MODULES) {
    for (const glob of [...sources, ...tests]) expect(globSync(glob, { cwd: ROOT }), glob).not.toEqual([]);
  }
});

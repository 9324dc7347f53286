import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MODULES } from './modules.ts';
import { mutate } from './mutants.ts';
import { createSession, isSame, type KnownSurvivor } from './session.ts';

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
  const score = await createSession({
    root: ROOT,
    modules: [fixture],
    known: [],
    testsWith: [''],
    folder,
    cache: join(folder, 'coverage.json'),
    sample: Number.POSITIVE_INFINITY,
    seed: 1,
    endsAt: Number.POSITIVE_INFINITY,
  })(fixture);
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

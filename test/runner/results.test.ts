import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addResults, noResults, resultsOf, summary } from '../support/results/results.mjs';

const FIXTURES = resolve('test/fixtures/results');

/** Runs a runner's program on the fixtures, with its reporter. */
const runnerResults = (runner: 'vitest' | 'playwright', program: string, words: readonly string[]) =>
  resultsOf(runner, join(mkdtempSync(join(tmpdir(), 'sandglass-results-')), 'results.json'), env => {
    const reporter = resolve(`test/support/results/${runner}-reporter.mjs`);
    const args = [resolve('node_modules', program), ...words, `--reporter=${reporter}`];
    return new Promise(done => {
      const child = execFile(process.execPath, args, { cwd: FIXTURES, env: { ...process.env, ...env } });
      child.on('exit', code => done(code ?? 1));
    });
  });

const vitestResults = (...names: readonly string[]) =>
  runnerResults('vitest', 'vitest/vitest.mjs', ['run', ...names]);

const playwrightResults = (name: string) =>
  runnerResults('playwright', '@playwright/test/cli.js', ['test', name]);

// Each starts a runner with several workers.
const RUNNERS = { timeout: 60_000 };

describe('the end of npm test', () => {
  it('names failed and flaky unit tests, failed hooks, and errors outside any test', RUNNERS, async () => {
    const { passed, failures, flaky } = await vitestResults();
    expect(passed).toBe(3);
    expect(flaky).toEqual([
      {
        title: 'loaded.unit.ts › a group > is flaky',
        error: expect.stringMatching(/expected 1 to be 2.*\n.*loaded\.unit\.ts:9/),
      },
    ]);
    expect(failures.toSorted((a, b) => a.title.localeCompare(b.title))).toEqual([
      { title: 'an error outside any test', error: expect.stringContaining('thrown by a timer') },
      {
        title: 'loaded.unit.ts › a group > fails',
        error: expect.stringContaining('expected [ 1 ] to deeply equal'),
      },
      { title: 'loaded.unit.ts › a group whose hook fails', error: expect.stringContaining('a hook failed') },
      { title: 'unloaded.unit.ts', error: expect.stringContaining('thrown while the file loads') },
    ]);
  });

  it('names failed and flaky window tests, and files that do not load', RUNNERS, async () => {
    expect(await playwrightResults('/loaded')).toEqual({
      passed: 2,
      failures: [
        { title: 'window › loaded.window.ts › a group › fails', error: expect.stringContaining('toEqual') },
      ],
      flaky: [
        { title: 'window › loaded.window.ts › a group › is flaky', error: expect.stringContaining('toBe') },
      ],
    });
    const { failures } = await playwrightResults('/unloaded');
    expect(failures).toContainEqual({
      title: 'an error outside any test',
      error: expect.stringContaining('thrown while the file loads'),
    });
  });

  it('never counts a runner as passed if it ended with an error or left no results', RUNNERS, async () => {
    expect((await resultsOf('a runner', '/no/such', async () => 0)).failures).toHaveLength(1);
    expect((await vitestResults('no-such-test')).failures).toEqual([
      { title: 'vitest', error: 'Its exit code was 1.' },
    ]);
  });

  it('prints the names and the first lines of the errors before the counts', () => {
    const unit = {
      passed: 7,
      failures: [{ title: 'a.test.ts › fails', error: 'Error: a\n  at a:1' }],
      flaky: [],
    };
    const window = { passed: 5, failures: [], flaky: [{ title: 'b.test.ts › is flaky', error: 'Error: b' }] };
    expect(summary(addResults(unit, window))).toBe(`
── flaky: failed, then passed on the second try
b.test.ts › is flaky
    Error: b

── failed
a.test.ts › fails
    Error: a
      at a:1

12 passed, 1 failed`);
    expect(summary(addResults(noResults(), { ...unit, failures: [] }))).toBe('\n7 passed, 0 failed');
  });
});

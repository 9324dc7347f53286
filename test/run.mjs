// `npm test`: everything that says whether Sandglass is right, from a fresh clone on. `npm test -- NAME …` runs
// only the test files whose path holds one of the names.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CannotStart, prepare, ROOT } from '../electron/prepare.mjs';
import { run } from '../electron/start/run.mjs';
import { findOrInstallChromium } from './support/chromium.mjs';
import { addCounts, playwrightCounts, vitestCounts } from './support/counts.mjs';

const CHECKS = [
  ...['shared', 'electron/engine', 'electron', 'renderer', 'test'].map(project => ({
    title: `types of ${project}`,
    words: ['typescript/bin/tsc', '-p', project],
  })),
  { title: 'lint', words: ['@biomejs/biome/bin/biome', 'check'] },
];

/** @param {string} title */
const announce = title => console.log(`\n── ${title}`);

/** @returns {string[]} Every test file, by its path from the root. */
function testFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => /\.(test|spec)\.tsx?$/.test(file) && !file.startsWith('test/bench/'));
}

/**
 * @param {string} node
 * @param {string} chromium
 * @param {readonly string[]} names
 */
async function runTests(node, chromium, names) {
  const results = mkdtempSync(join(tmpdir(), 'sandglass-test-'));
  const env = {
    ...process.env,
    SANDGLASS_CHROMIUM: chromium,
    // Whatever a test starts as `node` is the Node that Sandglass runs on.
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  };
  /** @param {string[]} words A package's program and its words. */
  const tool = ([program = '', ...words], extra = {}) =>
    run(node, [join(ROOT, 'node_modules', program), ...words], { cwd: ROOT, env: { ...env, ...extra } });

  let counts = { passed: 0, failed: 0 };
  const files = testFiles().filter(file => names.length === 0 || names.some(name => file.includes(name)));
  const inWindow = files.filter(file => file.startsWith('test/e2e/'));
  const others = files.filter(file => !file.startsWith('test/e2e/'));

  if (names.length === 0) {
    announce('types and lint');
    for (const check of CHECKS) {
      const ok = (await tool(check.words)) === 0;
      console.log(`${ok ? '✓' : '✗'} ${check.title}`);
      counts = addCounts(counts, ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
    }
  }
  if (others.length > 0) {
    announce('unit and engine tests');
    const report = join(results, 'vitest.json');
    const narrowed = names.length === 0 ? [] : others;
    const code = await tool([
      'vitest/vitest.mjs',
      'run',
      ...narrowed,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    counts = addCounts(counts, vitestCounts(report, code));
  }
  if (inWindow.length > 0) {
    announce('the window, in a real Chromium');
    const report = join(results, 'playwright.json');
    const narrowed = names.length === 0 ? [] : inWindow;
    const code = await tool(['@playwright/test/cli.js', 'test', ...narrowed, '--reporter=list,json'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    });
    counts = addCounts(counts, playwrightCounts(report, code));
  }
  rmSync(results, { recursive: true, force: true });
  return counts;
}

/** @param {string[]} names */
async function main(names) {
  if (names.length > 0 && !testFiles().some(file => names.some(name => file.includes(name)))) {
    console.error(`No test file's path holds ${names.map(name => `“${name}”`).join(' or ')}.`);
    return 1;
  }
  const node = await prepare(ROOT, line => console.log(line));
  const chromium = findOrInstallChromium(ROOT, node);
  if (chromium === undefined) {
    console.error(
      'The window’s tests need a Chromium and none could be installed. Install Chromium or Chrome, or set ' +
        'SANDGLASS_CHROMIUM to the program of one.',
    );
    return 1;
  }
  const { passed, failed } = await runTests(node, chromium, names);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2).map(name => name.replace(/^\.\//, '')));
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

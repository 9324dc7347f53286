// `npm test`: what says whether Sandglass is right, from a fresh clone on. `npm run test:all` runs the window's
// tests in the desktop host as well, on the Electron double, and adds what takes long. `npm test -- NAME …` runs only the
// test files whose path holds one of the names.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from '../electron/prepare.mjs';
import { stopWithParent } from '../electron/start/parent.mjs';
import { run } from '../electron/start/run.mjs';
import { chosenFiles } from './support/choice.mjs';
import { findOrInstallChromium } from './support/chromium.mjs';
import { addCounts, playwrightCounts, vitestCounts } from './support/counts.mjs';
import { findOrInstallNginx } from './support/nginx.mjs';

const CHECKS = [
  ...['shared', 'electron/engine', 'electron', 'electron/desktop', 'renderer', 'test'].map(project => ({
    title: `types of ${project}`,
    words: ['typescript/bin/tsc', '-p', project],
  })),
  { title: 'lint', words: ['@biomejs/biome/bin/biome', 'check'] },
];

/** What `npm run test:all` does more of: simulated histories, kills, hostile callers, and seconds with documents leaving. */
const MORE = {
  HOSTILE_VALUES: '100',
  SIMULATION_RUNS: '300',
  SANDGLASS_RUNS: '100',
  LOOK_RUNS: '200',
  SOAK_SECONDS: '300',
  CRASH_ROUNDS: '8',
  LAG_SECONDS: '20',
  EXPRESSION_RUNS: '20000',
};

/** @param {string} title */
const announce = title => console.log(`\n── ${title}`);

/** @returns {string[]} Every test file, by its path from the root. */
function testFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => /\.(test|spec)\.tsx?$/.test(file) && !file.startsWith('test/bench/'));
}

/** @param {string} node */
function toolRunner(node) {
  const env = {
    ...process.env,
    // Whatever a test starts as `node` is the Node that Sandglass runs on.
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
    // Half of what a command costs that a test starts is reading our sources.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  };
  /**
   * @param {string[]} words A package's program and its words.
   * @param {Record<string, string>} [extra]
   */
  return ([program = '', ...words], extra = {}) =>
    run(node, [join(ROOT, 'node_modules', program), ...words], { cwd: ROOT, env: { ...env, ...extra } });
}

/** @typedef {ReturnType<typeof toolRunner>} Tool */

/** @param {Tool} tool */
async function runChecks(tool) {
  announce('types and lint');
  let counts = { passed: 0, failed: 0 };
  for (const check of CHECKS) {
    const ok = (await tool(check.words)) === 0;
    console.log(`${ok ? '✓' : '✗'} ${check.title}`);
    counts = addCounts(counts, ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }
  return counts;
}

/**
 * @param {Tool} tool
 * @param {string} report
 * @param {readonly string[]} files
 * @param {boolean} all
 */
async function runUnitTests(tool, report, files, all) {
  announce('unit and engine tests');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const words = ['vitest/vitest.mjs', 'run', ...files, ...reporters];
  return vitestCounts(report, await tool(words, all ? MORE : {}));
}

/**
 * @param {Tool} tool
 * @param {string} node
 * @param {string} report
 * @param {string} chromium
 * @param {readonly string[]} files
 * @param {boolean} all
 */
async function runWindowTests(tool, node, report, chromium, files, all) {
  announce('the window, in a real Chromium');
  try {
    await ensureBuilt(node, ROOT, line => console.log(line));
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
  // What measures time comes after all the others, unless it was asked for by name.
  const order = all ? [] : ['--no-deps'];
  const code = await tool(['@playwright/test/cli.js', 'test', ...files, ...order, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    SANDGLASS_CHROMIUM: chromium,
    ...(all && { SANDGLASS_EVERY_HOST: 'true' }),
  });
  return playwrightCounts(report, code);
}

/** @param {string[]} words */
async function main(words) {
  const all = words.includes('--all');
  const names = words.filter(word => word !== '--all');
  const files = chosenFiles(testFiles(), names, all);
  if (files.length === 0) {
    console.error(`No test file's path holds ${names.map(name => `“${name}”`).join(' or ')}.`);
    return 1;
  }
  const inWindow = files.filter(file => file.startsWith('test/e2e/'));
  const others = files.filter(file => !file.startsWith('test/e2e/'));
  const node = await ensureInstalled(ROOT, line => console.log(line));
  // Looked for before the first test, so that a machine without one is told at once.
  const chromium = inWindow.length === 0 ? '' : findOrInstallChromium(ROOT, node);
  if (chromium === undefined) {
    console.error(
      'The window’s tests need a Chromium and none could be installed. Install Chromium or Chrome, or set ' +
        'SANDGLASS_CHROMIUM to the program of one.',
    );
    return 1;
  }
  if (others.some(file => file.includes('reverse-proxy'))) findOrInstallNginx();
  const tool = toolRunner(node);
  const reports = mkdtempSync(join(tmpdir(), 'sandglass-test-'));
  let counts = names.length === 0 ? await runChecks(tool) : { passed: 0, failed: 0 };
  if (others.length > 0) {
    counts = addCounts(counts, await runUnitTests(tool, join(reports, 'unit.json'), others, all));
  }
  if (inWindow.length > 0) {
    const report = join(reports, 'window.json');
    counts = addCounts(counts, await runWindowTests(tool, node, report, chromium, inWindow, all));
  }
  rmSync(reports, { recursive: true, force: true });
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

stopWithParent();
try {
  process.exitCode = await main(process.argv.slice(2).map(name => name.replace(/^\.\//, '')));
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

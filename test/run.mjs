// `npm test`: types, lint and every test, from a fresh clone on. `npm run test:all` runs the window's tests in the desktop
// host as well, on the Electron double, and adds long runs. `npm test -- NAME …` runs only the test files whose path
// contains one of the names; `npm run test:watch -- NAME` runs them again after each change, and
// `npm run test:headed -- NAME` shows the browser of the window's tests.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from '../electron/prepare.mjs';
import { outdated } from '../electron/start/build.mjs';
import { stopWithParent } from '../electron/start/parent.mjs';
import { run } from '../electron/start/run.mjs';
import { runChecks } from './checks.mjs';
import { chosenFiles } from './support/choice.mjs';
import { findOrInstallChromium } from './support/chromium.mjs';
import { withTemporaryFolder } from './support/memory-folder.mjs';
import { findOrInstallNginx } from './support/nginx.mjs';
import { exitOnSignals, processFolder, removeFolder } from './support/process-folder.mjs';
import { addResults, failure, noResults, resultsOf, summary } from './support/results/results.mjs';

/** Extended by `npm run test:all`: simulated histories, kills, hostile callers, and seconds with expiring documents. */
const MORE = {
  HOSTILE_VALUES: '100',
  SIMULATION_RUNS: '300',
  SANDGLASS_RUNS: '100',
  LOOK_RUNS: '200',
  SOAK_SECONDS: '300',
  CRASH_ROUNDS: '8',
  LAG_SECONDS: '20',
  EXPRESSION_RUNS: '20000',
  SANDGLASS_CLUSTERS: '1',
};

const REPORTERS = join(ROOT, 'test/support/results');

/** Tools that run. They get a signal too, and write into folders that are deleted with this process. */
let running = 0;
const exitIfInterrupted = exitOnSignals(() => running > 0);

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
 * @param {import('node:child_process').StdioOptions} [stdio]
 */
function toolRunner(node, stdio = 'inherit') {
  const env = {
    ...process.env,
    // Tests that start `node` get the Node that Sandglass runs on.
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
    // Compilation takes half of the start of a process from sources.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  };
  /**
   * @param {readonly string[]} words A package's program and its arguments.
   * @param {Record<string, string>} [extra]
   */
  return async ([program = '', ...words], extra = {}) => {
    running += 1;
    const code = await run(node, [join(ROOT, 'node_modules', program), ...words], {
      cwd: ROOT,
      env: { ...env, ...extra },
      stdio,
    });
    running -= 1;
    exitIfInterrupted();
    return code;
  };
}

/** @typedef {ReturnType<typeof toolRunner>} Tool */

/**
 * Returns variables for tests to start threads and programs from the build; none if there is no current build.
 * @returns {Record<string, string>}
 */
function builtEntries() {
  if (outdated(ROOT).some(({ target }) => target.name === 'node')) return {};
  const preload = pathToFileURL(join(ROOT, 'test/support/built-entries.mjs'));
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${preload}`.trim() };
}

/**
 * @param {Tool} tool
 * @param {string} report
 * @param {readonly string[]} files
 * @param {boolean} all
 */
async function runUnitTests(tool, report, files, all) {
  announce('unit and engine tests');
  const words = [
    'vitest/vitest.mjs',
    'run',
    ...files,
    '--reporter=default',
    `--reporter=${REPORTERS}/vitest-reporter.mjs`,
  ];
  return withTemporaryFolder(SANDGLASS_UNIT_FOLDER =>
    resultsOf('unit and engine tests', report, env =>
      tool(words, { ...env, SANDGLASS_UNIT_FOLDER, ...builtEntries(), ...(all ? MORE : {}) }),
    ),
  );
}

/**
 * Runs the checks one after the other, beside the build and the unit tests, which wait a third of their time.
 * @param {string} node
 * @param {string} file Takes the output of the checks, which is printed when the last has ended.
 */
async function checkBeside(node, file) {
  const output = openSync(file, 'w');
  let printed = '';
  const outputOf = () => {
    const before = printed;
    printed = readFileSync(file, 'utf8');
    return printed.slice(before.length);
  };
  const results = await runChecks(toolRunner(node, ['ignore', output, output]), 1, outputOf);
  closeSync(output);
  announce('types, lint, unused code');
  console.log(printed);
  return results;
}

/**
 * @param {string} node
 * @returns {Promise<boolean>} Whether there is a build of the present sources.
 */
async function isBuilt(node) {
  try {
    await ensureBuilt(node, ROOT, line => console.log(line));
    return true;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    return false;
  }
}

/**
 * @param {Tool} tool
 * @param {string} node
 * @param {string} report
 * @param {string} chromium
 * @param {readonly string[]} files
 * @param {{ all: boolean, headed: boolean }} options
 */
async function runWindowTests(tool, node, report, chromium, files, { all, headed }) {
  announce('the window, in a real Chromium');
  if (!(await isBuilt(node))) return { ...noResults(), failures: [failure(['the build'], [])] };
  // Timing tests run after all others, unless they are named.
  const flags = [...(all ? [] : ['--no-deps']), ...(headed ? ['--headed', '--workers=1'] : [])];
  const reporter = `--reporter=list,${REPORTERS}/playwright-reporter.mjs`;
  return resultsOf('window tests', report, env =>
    tool(['@playwright/test/cli.js', 'test', ...files, ...flags, reporter], {
      ...env,
      SANDGLASS_CHROMIUM: chromium,
      ...(all && { SANDGLASS_EVERY_HOST: 'true' }),
    }),
  );
}

/**
 * Calls `run` with a folder for the cluster of which the PostgreSQL servers of all tests are copies
 * (support/postgres-server.ts), and deletes it.
 * @param {() => Promise<number>} run
 */
async function withPostgresTemplate(run) {
  // As root, tests run the servers as another user, who has to reach it.
  const place = process.getuid?.() === 0 ? '/tmp' : tmpdir();
  const folder = processFolder(place, 'sandglass-postgres-template-');
  process.env.SANDGLASS_POSTGRES_TEMPLATE = folder;
  try {
    return await run();
  } finally {
    removeFolder(folder);
  }
}

/** @param {string[]} words */
async function main(words) {
  const all = words.includes('--all');
  const headed = words.includes('--headed');
  const names = words.filter(word => !word.startsWith('--'));
  const files = chosenFiles(testFiles(), names, all);
  if (files.length === 0) {
    console.error(`No test file's path holds ${names.map(name => `“${name}”`).join(' or ')}.`);
    return 1;
  }
  const inWindow = files.filter(file => file.startsWith('test/e2e/'));
  const others = files.filter(file => !file.startsWith('test/e2e/'));
  const node = await ensureInstalled(ROOT, line => console.log(line));
  const tool = toolRunner(node);
  if (words.includes('--watch')) return tool(['vitest/vitest.mjs', 'watch', ...others]);
  // Before the first test, so that a machine without a Chromium fails at once.
  const chromium = inWindow.length === 0 ? '' : findOrInstallChromium(ROOT, node, { headed });
  if (chromium === undefined) {
    console.error(
      'The window’s tests need a Chromium and none could be installed. Install Chromium or Chrome, or set ' +
        'SANDGLASS_CHROMIUM to the program of one.',
    );
    return 1;
  }
  if (others.some(file => file.includes('reverse-proxy'))) findOrInstallNginx();
  const reports = processFolder(tmpdir(), 'sandglass-test-');
  const checks = names.length === 0 ? checkBeside(node, join(reports, 'checks.txt')) : undefined;
  if (checks !== undefined) await isBuilt(node);
  let results =
    others.length === 0 ? noResults() : await runUnitTests(tool, join(reports, 'unit.json'), others, all);
  if (checks !== undefined) results = addResults(await checks, results);
  if (inWindow.length > 0) {
    const report = join(reports, 'window.json');
    results = addResults(
      results,
      await runWindowTests(tool, node, report, chromium, inWindow, { all, headed }),
    );
  }
  removeFolder(reports);
  console.log(summary(results));
  return results.failures.length === 0 && results.passed > 0 ? 0 : 1;
}

stopWithParent();
try {
  const words = process.argv.slice(2).map(name => name.replace(/^\.\//, ''));
  process.exitCode = await withPostgresTemplate(() => main(words));
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

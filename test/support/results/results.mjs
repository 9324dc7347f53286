// The results of `npm test`: each runner's reporter writes them into a file, and its end prints them together.
import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ title: string, error: string }} Failure The file and the titles of a test; the first lines of its error. */
/** @typedef {{ passed: number, failures: Failure[], flaky: Failure[] }} Results Flaky tests are among the passed. */

/** Environment variable of the path that a reporter writes its results to. */
const RESULTS_FILE = 'SANDGLASS_RESULTS_FILE';

const MOST_LINES = 8;
const MOST_COLUMNS = 300;

/** @returns {Results} */
export const noResults = () => ({ passed: 0, failures: [], flaky: [] });

/**
 * @param {Results} a
 * @param {Results} b
 * @returns {Results}
 */
export const addResults = (a, b) => ({
  passed: a.passed + b.passed,
  failures: [...a.failures, ...b.failures],
  flaky: [...a.flaky, ...b.flaky],
});

/**
 * @param {readonly string[]} titles From the file to the test; empty ones are left out.
 * @param {readonly { message?: string | undefined, stack?: string | undefined }[]} errors Only the first is shown.
 * @returns {Failure}
 */
export function failure(titles, [error]) {
  const lines = stripVTControlCharacters(error?.stack ?? error?.message ?? '')
    .split('\n')
    .filter(line => line.trim() !== '' && !/^\s+at .*(node_modules|node:|<anonymous>)/.test(line));
  return {
    title: titles.filter(title => title !== '').join(' › '),
    error: lines
      .slice(0, MOST_LINES)
      .map(line => line.slice(0, MOST_COLUMNS))
      .join('\n'),
  };
}

/** @param {Results} results Written by a reporter, where `npm test` has named a file for it. */
export function writeResults(results) {
  const file = process.env[RESULTS_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
}

/**
 * Runs a runner with its reporter. A runner that ends with an error and names no failed test, or that leaves no results,
 * counts as one failure.
 * @param {string} runner Its name among the failures.
 * @param {string} file Path for its results.
 * @param {(env: Record<string, string>) => Promise<number>} run Returns its exit code.
 * @returns {Promise<Results>}
 */
export async function resultsOf(runner, file, run) {
  const code = await run({ [RESULTS_FILE]: file });
  const results = readResults(file);
  if (results === undefined) {
    return { ...noResults(), failures: [failure([runner], [{ message: 'It left no results.' }])] };
  }
  if (code === 0 || results.failures.length > 0) return results;
  return { ...results, failures: [failure([runner], [{ message: `Its exit code was ${code}.` }])] };
}

/**
 * @param {string} file
 * @returns {Results | undefined}
 */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {Results} results
 * @returns {string} The last lines of `npm test`: each flaky test, each failed one, and the counts.
 */
export function summary({ passed, failures, flaky }) {
  /**
   * @param {string} heading
   * @param {readonly Failure[]} list
   */
  const section = (heading, list) =>
    list.length === 0
      ? []
      : [
          `── ${heading}`,
          ...list.flatMap(({ title, error }) => [
            title,
            ...(error === '' ? [] : [error.replace(/^/gm, '    ')]),
          ]),
          '',
        ];
  return [
    '',
    ...section('flaky: failed, then passed on the second try', flaky),
    ...section('failed', failures),
    `${passed} passed, ${failures.length} failed`,
  ].join('\n');
}

// Numbers of passed and failed tests, from a runner's own report. A runner that fails without naming a test
// (a file that does not load, an error outside any test) counts as one failure.
import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export const addCounts = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed });

/**
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
const withExitCode = (counts, code) =>
  code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file Vitest's JSON report.
 * @param {number} code Its exit code.
 * @returns {Counts}
 */
export function vitestCounts(file, code) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1 };
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const unloaded = files.filter(
    item => item.status === 'failed' && item.assertionResults.length === 0,
  ).length;
  return withExitCode({ passed: report.numPassedTests, failed: report.numFailedTests + unloaded }, code);
}

/**
 * @param {string} file Playwright's JSON report.
 * @param {number} code Its exit code.
 * @returns {Counts}
 */
export function playwrightCounts(file, code) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = report.stats;
  // Only CI repeats a failed test (see playwright.config.ts); the list names the repeated ones.
  return withExitCode({ passed: expected + flaky, failed: unexpected }, code);
}

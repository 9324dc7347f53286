// Checks that do not run Sandglass: `npm run check`, the pre-push hook and `npm test` run the same list.
import { failure, noResults } from './support/results/results.mjs';

const TYPE_PROJECTS = ['shared', 'electron/engine', 'electron', 'electron/desktop', 'renderer', 'test'];
/** Each further checker of a project reads again the types that they share: four, the default, take 45 s of CPU, one 23 s. */
const ONE_CHECKER = ['--checkers', '1'];

/** @typedef {{ title: string, words: readonly string[] }} Check A package's program and its words. */

/** @type {readonly Check[]} */
export const CHECKS = [
  ...TYPE_PROJECTS.map(project => ({
    title: `types of ${project}`,
    words: ['typescript/bin/tsc', '-p', project, ...ONE_CHECKER],
  })),
  { title: 'lint', words: ['@biomejs/biome/bin/biome', 'check'] },
  { title: 'unused code and packages', words: ['knip/bin/knip.js'] },
  {
    title: 'code that only tests use',
    words: ['knip/bin/knip.js', '--production', '--include', 'files,exports'],
  },
];

/**
 * Runs every check and prints which of them passed.
 * @param {(words: readonly string[]) => Promise<number>} tool Returns the exit code of a package's program.
 * @param {number} [atOnce] Each runs on about one core.
 * @param {() => string} [outputOf] Returns the output of the check that has just ended, where it is recorded.
 * @returns {Promise<import('./support/results/results.mjs').Results>}
 */
export async function runChecks(tool, atOnce = 2, outputOf = () => '') {
  const results = noResults();
  const waiting = [...CHECKS];
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const ok = (await tool(check.words)) === 0;
      const output = outputOf();
      console.log(`${ok ? '✓' : '✗'} ${check.title}`);
      if (ok) results.passed += 1;
      else results.failures.push(failure([check.title], [{ message: output }]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

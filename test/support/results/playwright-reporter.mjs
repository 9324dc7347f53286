import { failure, noResults, writeResults } from './results.mjs';

/** Writes Playwright's results. */
export default class PlaywrightReporter {
  /** @type {import('@playwright/test/reporter').Suite | undefined} */
  #tests;
  #results = noResults();

  /**
   * @param {import('@playwright/test/reporter').FullConfig} _config
   * @param {import('@playwright/test/reporter').Suite} tests
   */
  onBegin(_config, tests) {
    this.#tests = tests;
  }

  /** @param {import('@playwright/test/reporter').TestError} error Of a file that does not load, or outside any test. */
  onError(error) {
    this.#results.failures.push(failure(['an error outside any test'], [error]));
  }

  onEnd() {
    for (const test of this.#tests?.allTests() ?? []) {
      const outcome = test.outcome();
      const named = () =>
        failure(test.titlePath(), test.results.find(({ errors }) => errors.length > 0)?.errors ?? []);
      if (outcome === 'unexpected') this.#results.failures.push(named());
      if (outcome === 'flaky') this.#results.flaky.push(named());
      if (outcome === 'expected' || outcome === 'flaky') this.#results.passed += 1;
    }
    writeResults(this.#results);
  }

  printsToStdio() {
    return false;
  }
}

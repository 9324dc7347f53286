import { failure, noResults, writeResults } from './results.mjs';

/** Writes Vitest's results, with what its JSON report leaves out: errors of hooks and errors outside any test. */
export default class VitestReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const results = noResults();
    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) results.failures.push(failure([file], module.errors()));
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) results.failures.push(failure([file, suite.fullName], suite.errors()));
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') results.failures.push(failure([file, test.fullName], errors));
        if (state === 'passed') results.passed += 1;
        if (state === 'passed' && test.diagnostic()?.flaky) {
          results.flaky.push(failure([file, test.fullName], errors ?? []));
        }
      }
    }
    for (const error of unhandled) results.failures.push(failure(['an error outside any test'], [error]));
    writeResults(results);
  }
}

/**
 * A runner of Vitest that repeats each test, once for each mutant that it reaches. The modules stay loaded: the
 * instrumented sources ask `__mutant(id)` at every mutant.
 */
import { appendFileSync } from 'node:fs';
import {
  describe,
  type RunnerTestCase,
  type RunnerTestFile,
  TestRunner,
  type TestTryOptions,
  vi,
} from 'vitest';
import { EVENTS_VARIABLE, eventsOf, killedIn, type MutationEvent, PLAN_VARIABLE, planOf } from './plan.ts';

const plan = planOf(process.env[PLAN_VARIABLE] ?? '');
const eventsFile = process.env[EVENTS_VARIABLE] ?? '';
const report = (event: MutationEvent) => appendFileSync(eventsFile, `${JSON.stringify(event)}\n`);

/** Real ones: a test may replace them. */
const { setTimeout, clearTimeout } = globalThis;

/** The active mutant; 0: none. */
let active = 0;
let reached = new Set<number>();
let steps = 0;
let mostSteps = Number.POSITIVE_INFINITY;

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    if (plan.mode === 'collect') reached.add(id);
    steps += 1;
    if (steps > mostSteps && active !== 0) throw new Error('the mutant ran into a loop without an end');
    return id === active;
  },
});

/** In the mode `load` the tests of a file are there once for each mutant, within a suite of this name. */
const suiteOf = (mutant: number) => `mutant ${mutant}`;
const SUITE = /^mutant (\d+) > /;
const MOST_STEPS_WHILE_LOADING = 5_000_000;
const mostMsOf = (usualMs: number) => Math.min(20_000, usualMs * 8 + 5_000);

const nameOf = (test: RunnerTestCase): string => `${test.file.name}: ${test.fullTestName.replace(SUITE, '')}`;
const killedSoFar = () => killedIn(eventsOf(eventsFile));

export default class MutationRunner extends TestRunner {
  #tries: readonly number[] = [];
  #startedAt = 0;
  #killed: number[] = [];
  #isLoading = false;
  /** Tests that fail after their modules were loaded again. `load` only. */
  readonly #broken = new Set<string>();

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    reached = new Set();
    this.#isLoading = true;
  }

  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    if (plan.mode !== 'load' || source !== 'collect') return super.importFile(filepath, source);
    const killed = killedSoFar();
    // Without a mutant first: tests that fail then cannot judge.
    for (const mutant of [0, ...(plan.loads[filepath] ?? []).filter(id => !killed.has(id))]) {
      describe(suiteOf(mutant), async () => {
        active = mutant;
        steps = 0;
        mostSteps = MOST_STEPS_WHILE_LOADING;
        vi.resetModules();
        try {
          await super.importFile(filepath, source);
        } catch (error) {
          if (mutant === 0) throw error;
          report({ kind: 'killed', mutant, test: 'loading' });
        }
        active = 0;
      });
    }
    return undefined;
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (plan.mode === 'collect') {
      if (this.#isLoading) report({ kind: 'load', file: test.file.filepath, reached: [...reached] });
      this.#isLoading = false;
      return;
    }
    const dead = killedSoFar();
    this.#killed = [];
    if (plan.mode === 'load') {
      const mutant = Number(SUITE.exec(test.fullTestName)?.[1]);
      const isTried = mutant === 0 || (plan.tries[nameOf(test)] ?? []).includes(mutant);
      this.#tries = isTried && !dead.has(mutant) && !this.#broken.has(nameOf(test)) ? [mutant] : [];
      if (this.#tries.length === 0) test.mode = 'skip';
      return;
    }
    this.#tries = (plan.tries[nameOf(test)] ?? []).filter(mutant => !dead.has(mutant));
    this.#killed = [];
    if (this.#tries.length === 0) test.mode = 'skip';
    // After the mutants once without: a test that left something behind fails then.
    test.repeats = this.#tries.length;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    active = this.#tries[options.repeats] ?? 0;
    if (active !== 0) report({ kind: 'try', mutant: active, test: nameOf(test) });
    reached = new Set();
    steps = 0;
    mostSteps = (plan.usual[nameOf(test)]?.steps ?? 0) * 20 + 20_000;
    this.#startedAt = performance.now();
  }

  /** Runs the test. With a mutant it fails after a time that depends on its usual one. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (active === 0) return await run();
    const mostMs = mostMsOf(plan.usual[nameOf(test)]?.ms ?? Number.POSITIVE_INFINITY);
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the test took more than ${mostMs} ms`)), mostMs);
    });
    try {
      await Promise.race([run(), ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const failed = test.result?.state === 'fail';
    if (plan.mode === 'collect') {
      report({
        kind: 'test',
        file: test.file.filepath,
        test: nameOf(test),
        ms: performance.now() - this.#startedAt,
        failed,
        reached: [...reached],
        steps,
      });
      return;
    }
    if (active !== 0) report({ kind: 'tried', mutant: active, test: nameOf(test) });
    if (active !== 0 && failed) {
      this.#killed.push(active);
      report({ kind: 'killed', mutant: active, test: nameOf(test) });
    } else if (failed && plan.mode === 'load') {
      this.#broken.add(nameOf(test));
    } else if (failed) {
      report({ kind: 'unrepeatable', test: nameOf(test), mutants: this.#killed.slice(1) });
    }
    active = 0;
    // The next repetition, and the file, begin as if this one had passed.
    if (test.result !== undefined) {
      test.result.state = 'pass';
      delete test.result.errors;
    }
  }
}

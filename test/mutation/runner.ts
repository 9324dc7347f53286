/**
 * A runner of Vitest that repeats each test, once for each mutant that it reaches. The modules stay loaded: the
 * instrumented sources ask `__mutant(id)` at every mutant.
 */
import { appendFileSync } from 'node:fs';
import { type RunnerTestCase, type RunnerTestFile, TestRunner, type TestTryOptions } from 'vitest';
import { EVENTS_VARIABLE, eventsOf, killedIn, type MutationEvent, PLAN_VARIABLE, planOf } from './plan.ts';

const plan = planOf(process.env[PLAN_VARIABLE] ?? '');
const eventsFile = process.env[EVENTS_VARIABLE] ?? '';
const report = (event: MutationEvent) => appendFileSync(eventsFile, `${JSON.stringify(event)}\n`);

/** The active mutant; 0: none. */
let active = plan.mode === 'load' ? lastTry() : 0;
let reached = new Set<number>();
let steps = 0;
let mostSteps = plan.mode === 'load' ? 50_000_000 : Number.POSITIVE_INFINITY;

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    if (plan.mode === 'collect') reached.add(id);
    steps += 1;
    if (steps > mostSteps && active !== 0) throw new Error('the mutant ran into a loop without an end');
    return id === active;
  },
});

/** In the mode `load` the process that starts this one reports the mutant. */
function lastTry(): number {
  const event = eventsOf(eventsFile).findLast(({ kind }) => kind === 'try');
  return event?.kind === 'try' ? event.mutant : 0;
}

const nameOf = (test: RunnerTestCase): string => `${test.file.name}: ${test.fullTestName}`;

export default class MutationRunner extends TestRunner {
  #tries: readonly number[] = [];
  #startedAt = 0;
  #killed: number[] = [];
  #isLoading = false;

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    reached = new Set();
    this.#isLoading = true;
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (plan.mode === 'load') return;
    if (plan.mode === 'collect') {
      if (this.#isLoading) report({ kind: 'load', file: test.file.filepath, reached: [...reached] });
      this.#isLoading = false;
      return;
    }
    const dead = killedIn(eventsOf(eventsFile));
    this.#tries = (plan.tries[nameOf(test)] ?? []).filter(mutant => !dead.has(mutant));
    this.#killed = [];
    if (this.#tries.length === 0) test.mode = 'skip';
    // After the mutants once without: a test that left something behind fails then.
    test.repeats = this.#tries.length;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    if (plan.mode === 'load') return;
    active = this.#tries[options.repeats] ?? 0;
    if (active !== 0) report({ kind: 'try', mutant: active, test: nameOf(test) });
    reached = new Set();
    steps = 0;
    mostSteps = (plan.steps[nameOf(test)] ?? 0) * 20 + 20_000;
    this.#startedAt = performance.now();
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    if (plan.mode === 'load') return;
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
    if (active !== 0 && failed) {
      this.#killed.push(active);
      report({ kind: 'killed', mutant: active, test: nameOf(test) });
    } else if (active === 0 && failed) {
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

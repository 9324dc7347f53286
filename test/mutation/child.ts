/** A process of tests: `main.ts` starts it with a plan, and again without the mutant at which it hung. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { EVENTS_VARIABLE, type MutationEvent, PLAN_VARIABLE, planOf } from './plan.ts';

const plan = planOf(process.env[PLAN_VARIABLE] ?? '');
const report = (event: MutationEvent) =>
  appendFileSync(process.env[EVENTS_VARIABLE] ?? '', `${JSON.stringify(event)}\n`);

class AsPlanned extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => plan.files.indexOf(a.moduleId) - plan.files.indexOf(b.moduleId));
  }
}

const vitest = await createVitest(
  {
    config: false,
    root: join(import.meta.dirname, '../..'),
    watch: false,
    include: [...plan.files],
    runner: join(import.meta.dirname, 'runner.ts'),
    reporters: [{}],
    silent: true,
    setupFiles: ['test/support/window-globals.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
    bail: plan.mode === 'load' ? 1 : 0,
    // A test of a mutant that takes longer has failed; a test that takes longer without one is not used.
    testTimeout: plan.mode === 'collect' ? 60_000 : 20_000,
    hookTimeout: 60_000,
    sequence: { sequencer: AsPlanned },
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform: (_code, id) => plan.sources[id.split('?')[0] ?? ''],
      },
    ],
  },
);
const specifications = plan.files.map(file => vitest.getRootProject().createSpecification(file));
if (plan.mode === 'load') {
  for (const { mutant, files } of plan.loaded) {
    report({ kind: 'try', mutant, test: 'loading' });
    const chosen = specifications.filter((_, place) => files.includes(place));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
    const passed = testModules.every(module => module.ok()) && unhandledErrors.length === 0;
    report(passed ? { kind: 'survived', mutant } : { kind: 'killed', mutant, test: 'loading' });
  }
} else await vitest.runTestSpecifications(specifications);
await vitest.close();
process.exit(0);

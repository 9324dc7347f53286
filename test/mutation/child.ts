/** A process of tests: `main.ts` starts it with a plan, and again without the mutant at which it hung. */
import { join } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { PLAN_VARIABLE, planOf } from './plan.ts';

const plan = planOf(process.env[PLAN_VARIABLE] ?? '');

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
    // The cache knows nothing of the plugin's sources: a later run would get the mutants of an earlier one.
    fsModuleCache: false,
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
    testTimeout: 60_000,
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
await vitest.runTestSpecifications(specifications);
await vitest.close();
process.exit(0);

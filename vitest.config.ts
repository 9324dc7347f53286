import { defineConfig } from 'vitest/config';

const TIMING = 'test/**/*.timing.test.ts';
const NEVER = ['**/node_modules/**', 'dist/**', 'test/e2e/**', 'test/bench/**'];

/** Two projects: tests that may run in parallel, then timing tests, alone. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...NEVER, TIMING],
          maxWorkers: 2,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'timing',
          include: [TIMING],
          exclude: NEVER,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

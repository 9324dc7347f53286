import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import lingui from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MESSAGES } from './vite.messages.ts';

const TIMING = 'test/**/*.timing.test.ts';
const NEVER = ['**/node_modules/**', 'dist/**', 'test/e2e/**', 'test/bench/**'];

/** Clusters, tunnels and faults of servers: run by CI and by `npm run test:all`, or if they are named. */
const CLUSTERS = 'test/**/*.cluster.test.ts';
const withClusters =
  process.env.CI !== undefined ||
  process.env.SANDGLASS_CLUSTERS !== undefined ||
  process.argv.some(word => word.includes('cluster'));

/**
 * Tests whose files share the modules of their worker, since loading them takes as long as most tests. Those of programs, hosts
 * and their network are apart, as are files that load modules again, in another language or page.
 */
const SHARING = [
  'test/{architecture,docs,renderer,shared}/**/*.test.{ts,tsx}',
  'test/electron/engine/**/*.test.ts',
];
const LOADS_MODULES_AGAIN = /@vitest-environment|vi\.(resetModules|stubGlobal)/;
const APART = globSync(SHARING).filter(file => LOADS_MODULES_AGAIN.test(readFileSync(file, 'utf8')));

/** A busy CI machine may stall for seconds. A test that passes on the second try is reported as flaky. */
const RETRIES = process.env.CI === undefined ? 0 : 1;

/** The slowest test files. They start first, so that no worker is left alone with one at the end. */
const LONG = [
  'torture/torture',
  'host/postgres-ttl-indexes',
  'contract/contract',
  'host/connections',
  'replication/simulation',
  'host/ssh-tunnel.cluster',
  'redis/redis-backend',
  'etcd/etcd-leader.cluster',
  'governed/reaper-faults',
  'contract/contract.cluster',
  'cli/store',
  'redis/sentinel.cluster',
  'file/crash',
  'etcd/etcd-backend',
  'host/remote-policy',
  'file/disk-full',
  'host/postgres-faults.cluster',
  'redis/redis-faults.cluster',
  'host/postgres-index-build',
  'electron/follow',
  'redis/cluster.cluster',
  'host/postgres-connections',
  'cli/connection',
  'postgresql/restore',
  'cli/watch',
  'documents/read-only',
  'host/changed-servers',
  'electron/serve',
  'host/tls.cluster',
  'web/bodies',
  'expiry/memory-of-dropped',
  'governed/reaper',
  'docs/systems',
  'web/hostile-calls',
  'web/connections',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex(name => moduleId.includes(`${name}.test.`));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests that may run in parallel. */
const PARALLEL = {
  setupFiles: ['test/support/window-globals.ts'],
  // Chosen by test/run.mjs. Timing tests measure a disk and keep the system's folder.
  env: { TMPDIR: process.env.SANDGLASS_UNIT_FOLDER ?? tmpdir() },
  // On two cores: more than a third of the time a test waits for a thread, a process or a timer.
  maxWorkers: 5,
  retry: RETRIES,
  // A CI machine that others use takes up to ten times as long as a quiet one.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  sequence: { groupOrder: 0 },
};
const NOT_PARALLEL = [...NEVER, TIMING, ...(withClusters ? [] : [CLUSTERS])];

/** Tests that may run in parallel, then timing tests, alone. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        plugins: [lingui(MESSAGES)],
        test: {
          ...PARALLEL,
          name: 'sharing modules',
          include: SHARING,
          exclude: [...NOT_PARALLEL, ...APART],
          isolate: false,
        },
      },
      {
        plugins: [lingui(MESSAGES)],
        test: {
          ...PARALLEL,
          name: 'unit',
          include: [
            'test/{contract,mutation,runner,soak,torture}/**/*.test.ts',
            'test/electron/{,!(engine)/**/}*.test.ts',
            ...APART,
          ],
          exclude: NOT_PARALLEL,
        },
      },
      {
        test: {
          name: 'timing',
          include: [TIMING],
          exclude: NEVER,
          fileParallelism: false,
          retry: RETRIES,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

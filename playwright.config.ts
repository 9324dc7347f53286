import { defineConfig } from '@playwright/test';
import type { HostKind } from './test/e2e/support/open-host.ts';
import { findChromium } from './test/support/chromium.mjs';
import { canStartDesktop } from './test/support/desktop.ts';

const executablePath = findChromium({ headed: process.argv.includes('--headed') });

/** Set by `npm run test:all`: every test runs in both hosts, except those marked for one of them. */
const inEveryHost = process.env.SANDGLASS_EVERY_HOST === 'true';

const TIMING = '**/*.timing.test.ts';
const OF_DESKTOP = '**/desktop/**';
const IN_BOTH_ALWAYS = '**/three-clicks.test.ts';

export default defineConfig<object, { kind: HostKind }>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Each worker has its own host and page; timing tests run after them, alone. On two cores: four workers left 0.8 of one idle.
  workers: 5,
  // A busy CI machine may stall for seconds. A test that passes on the second try is reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    // Longer than any wait of a page, and shorter than the test's timeout: a missing element is named in the error.
    actionTimeout: 20_000,
    ...(executablePath === undefined ? {} : { launchOptions: { executablePath } }),
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // A trace costs a sixth of a test's time; `--trace on` records one.
    trace: 'off',
    video: 'off',
  },
  projects: [
    // First: its tests start hosts of their own and take longest. No worker is left alone with one at the end.
    ...(canStartDesktop
      ? [
          {
            name: 'desktop',
            use: { kind: 'desktop' as const },
            testIgnore: TIMING,
            grepInvert: /@served/,
            ...(!inEveryHost && { testMatch: [OF_DESKTOP, IN_BOTH_ALWAYS] }),
          },
        ]
      : []),
    { name: 'served', testIgnore: [TIMING, OF_DESKTOP] },
    { name: 'timing', testMatch: TIMING, workers: 1, dependencies: ['served'] },
  ],
});

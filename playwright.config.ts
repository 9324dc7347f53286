import { defineConfig } from '@playwright/test';
import type { HostKind } from './test/e2e/support/open-host.ts';
import { findChromium } from './test/support/chromium.mjs';
import { canStartDesktop } from './test/support/desktop.ts';

const executablePath = findChromium();

/** Set by `npm run test:all`: every test is run in both hosts, but what is marked as one's own. */
const inEveryHost = process.env.SANDGLASS_EVERY_HOST === 'true';

const TIMING = '**/*.timing.test.ts';
const OF_DESKTOP = '**/desktop/**';
const IN_BOTH_ALWAYS = '**/three-clicks.test.ts';

export default defineConfig<object, { kind: HostKind }>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Each has a host and a page of its own; what measures time runs after them, alone.
  workers: 2,
  // A crowded build machine may stall for seconds. What passed only then is told as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    // Longer than any wait that a page means; what is not there is told before the whole test's time is up.
    actionTimeout: 20_000,
    ...(executablePath === undefined ? {} : { launchOptions: { executablePath } }),
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // A sixth of a test's work: whoever wants one says --trace on.
    trace: 'off',
    video: 'off',
  },
  projects: [
    { name: 'served', testIgnore: [TIMING, OF_DESKTOP] },
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
    { name: 'timing', testMatch: TIMING, workers: 1, dependencies: ['served'] },
  ],
});

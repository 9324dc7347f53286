import { defineConfig } from '@playwright/test';
import { findChromium } from './test/support/chromium.mjs';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Two cores serve the browser, the host and its engine: with a second worker, what counts seconds fails now and then.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    ...(executablePath === undefined ? {} : { launchOptions: { executablePath } }),
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    video: 'off',
  },
});

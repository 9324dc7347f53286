/** `node test/pictures/take.ts [NAME …]`: all pictures, or those whose name contains one of the words. */
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../support/chromium.mjs';
import { fetchFrom, type ServedHost, startServedHost } from '../support/served-host.ts';
import { CONNECTED, FIRST, PAUSED, SCENES, type Scene } from './scenes.ts';

const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** Time for the page to show its answers and end its animations, ms. */
const SETTLED_MS = 1_200;
/** Time for documents to expire and for the charts to have points, ms. */
const LIVED_MS = 20_000;
const HOUR = 3_600_000;

const words = process.argv.slice(2);
const wanted = ({ name }: Scene) => words.length === 0 || words.some(word => name.includes(word));

async function post(host: ServedHost, path: string, body?: unknown): Promise<void> {
  const answer = await fetchFrom(host, 'POST', path, body === undefined ? undefined : JSON.stringify(body), {
    ...(body !== undefined && { 'content-type': 'application/json' }),
  });
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

/** Returns the same data each time, relative to the present hour. */
async function fill(host: ServedHost): Promise<void> {
  await post(host, '/api/sample-data');
  await post(host, '/api/collections', { name: 'audit_log' });
  const now = Date.now();
  const entries = Array.from({ length: 5_000 }, (_, i) => ({
    _id: `entry-${String(i).padStart(5, '0')}`,
    actor: `user_${(i * 37) % 211}`,
    action: ['login', 'export', 'role changed', 'password reset'][i % 4],
    at: new Date(now - i * HOUR).toISOString(),
  }));
  for (let i = 0; i < entries.length; i += 1_000) {
    await post(host, '/api/collections/audit_log/documents', entries.slice(i, i + 1_000));
  }
}

async function connect(host: ServedHost): Promise<void> {
  const stores = [
    { name: 'orders', environment: 'production' },
    { name: 'cache-eu', environment: 'development' },
    { name: 'sessions of the web shop, the copy that the nightly job makes', environment: 'development' },
  ];
  for (const [nth, store] of stores.entries()) {
    const target = { kind: 'file', file: `store-${nth}.sandglass` };
    await post(host, '/api/connections', { ...store, target });
  }
}

async function take(browser: Browser, host: ServedHost, scenes: readonly Scene[]): Promise<number> {
  let taken = 0;
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      for (const { name, at, act } of scenes.filter(wanted)) {
        // A new window: staged edits and open dialogs of one picture do not appear in the next.
        const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
        await context.addInitScript(() => localStorage.setItem('sandglass.tour', 'seen'));
        const page = await context.newPage();
        await page.goto(host.link);
        await page.getByRole('main').waitFor();
        await page.evaluate(to => {
          location.hash = to;
        }, at);
        await page.waitForTimeout(SETTLED_MS);
        try {
          await act?.(page);
        } catch (error) {
          // The picture shows where the steps ended; the other scenes are taken all the same.
          console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
          process.exitCode = 1;
        }
        await page.waitForTimeout(SETTLED_MS / 2);
        await page.screenshot({ path: `${FOLDER}${name}-${colorScheme}-${viewport.width}.png` });
        taken += 1;
        await context.close();
      }
    }
  }
  return taken;
}

const executablePath = findChromium();
if (words.length === 0) await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
const host = await startServedHost({ run: 'build' });
let taken = await take(browser, host, FIRST);
await fill(host);
await new Promise(resolve => setTimeout(resolve, LIVED_MS));
taken += await take(browser, host, SCENES);
await post(host, '/api/reaper/pause', {});
await new Promise(resolve => setTimeout(resolve, LIVED_MS));
taken += await take(browser, host, PAUSED);
await post(host, '/api/reaper/resume', {});
await connect(host);
taken += await take(browser, host, CONNECTED);
await browser.close();
await host.stop();
console.log(`${taken} pictures in ${FOLDER}`);

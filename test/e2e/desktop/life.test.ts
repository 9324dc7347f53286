import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import {
  callsOf,
  canStartDesktop,
  inTrueElectron,
  makeFolder,
  runDouble,
  startDesktop,
} from '../../support/desktop.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');
// Each starts the app, its Chromium and its engine up to three times.
test.describe.configure({ timeout: 120_000 });

/** Time limit for loading the sample data or starting an engine on a busy machine. */
const BUSY = { timeout: 30_000 };

const start = (page: Page) => page.getByRole('button', { name: /Try the sample data/ });

/** The thread is ended from outside, as a crash would. */
const NEEDS_THE_THREAD = 'the engine’s thread can be reached in the double only';

test('a reload requests a new port and closes the old one', async () => {
  const desktop = await startDesktop();
  /** Ports that keep the main process busy: the engine's own, and one for each page that is there. */
  const ports = () =>
    desktop.app.evaluate(
      () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length,
    );
  await expect(start(desktop.page)).toBeVisible(BUSY);
  const atFirst = await ports();
  for (let times = 0; times < 3; times += 1) {
    await desktop.page.reload();
    await expect(start(desktop.page)).toBeVisible(BUSY);
  }
  await expect.poll(ports).toBe(atFirst);
  await desktop.stop();
});

test('after an exit of the engine the page shows it, main restarts the engine, and the page reconnects', async () => {
  test.skip(inTrueElectron, NEEDS_THE_THREAD);
  const desktop = await startDesktop();
  await expect(start(desktop.page)).toBeVisible(BUSY);
  await start(desktop.page).click();
  const sessions = desktop.page.getByRole('link', { name: 'sessions' }).first();
  await expect(sessions).toBeVisible(BUSY);
  for (const times of [1, 2]) {
    const lost = desktop.page.locator('[data-stale=true]').waitFor();
    await desktop.app.evaluate(async () =>
      globalThis.electronDouble.workers.findLast(w => w.threadId > 0)?.terminate(),
    );
    await lost;
    await expect(desktop.page.locator('[data-stale=false]')).toBeVisible(BUSY);
    expect(desktop.output().split('the engine ended; starting it again')).toHaveLength(times + 1);
  }
  const logFile = join(desktop.folder, 'logs', 'sandglass.log');
  // Chromium writes to the same stream.
  const logged = desktop.output().match(/^\d{4}-\d\d-\d\dT.*\n/gm);
  expect(await readFile(logFile, 'utf8')).toBe(logged?.join(''));
  expect((await stat(logFile)).mode & 0o777).toBe(0o600);
  await expect(sessions).toBeVisible(BUSY);
  await desktop.stop();
});

test('quitting waits until the store is closed, and the next start opens it without recovery', async () => {
  const folder = await makeFolder();
  const first = await startDesktop({ folder });
  await start(first.page).click();
  await expect(first.page.getByRole('link', { name: 'sessions' }).first()).toBeVisible(BUSY);
  await first.stop();
  expect(first.process.exitCode).toBe(0);
  // A closed store has no write-ahead log and no owner.
  expect(existsSync(join(folder, 'app.sandglass'))).toBe(true);
  expect(existsSync(join(folder, 'app.sandglass-wal'))).toBe(false);
  expect(existsSync(join(folder, 'app.sandglass-owner'))).toBe(false);
  const second = await startDesktop({ folder });
  await expect(second.page.getByRole('link', { name: 'sessions' }).first()).toBeVisible(BUSY);
  await second.stop();
  await rm(folder, { recursive: true });
});

test('closing the window ends the app', async () => {
  test.skip(process.platform === 'darwin', 'on macOS the app keeps running without its window');
  const desktop = await startDesktop();
  await expect(start(desktop.page)).toBeVisible(BUSY);
  const ended = desktop.app.waitForEvent('close');
  await desktop.page.close();
  await ended;
  expect(desktop.process.exitCode).toBe(0);
  await rm(desktop.folder, { recursive: true });
});

test('the window opens at its last position, or on a screen where that position no longer exists', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'window.json');
  const opened = async () => {
    const desktop = await startDesktop({ folder });
    const bounds = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
    );
    await expect(start(desktop.page)).toBeVisible(BUSY);
    await desktop.stop();
    return bounds;
  };
  const first = await opened();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ bounds: first, maximized: false });
  const place = { x: 40, y: 60, width: 900, height: 620 };
  await writeFile(file, JSON.stringify({ bounds: place, maximized: false }));
  expect(await opened()).toEqual(place);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ bounds: place, maximized: false });
  await writeFile(file, JSON.stringify({ bounds: { ...place, x: 99_000 }, maximized: false }));
  expect((await opened())?.x).not.toBe(99_000);
  await rm(folder, { recursive: true });
});

test('another start brings the window to the front, and opens nothing itself', async () => {
  test.skip(inTrueElectron, 'the lock is the system’s; the double returns a fixed answer');
  const desktop = await startDesktop();
  await expect(start(desktop.page)).toBeVisible(BUSY);
  await desktop.app.evaluate(({ app }) => void app.emit('second-instance', {}, [], ''));
  expect(await callsOf(desktop, 'focus')).toHaveLength(1);
  await desktop.stop();
  const other = await runDouble(desktop.folder, [], { ELECTRON_DOUBLE_IS_SECOND: 'yes' });
  expect(other).toEqual({ code: 0, output: expect.stringContaining('its window was brought to the front') });
});

test('a store in use is reported in a dialog, and the app ends', async () => {
  test.skip(inTrueElectron, 'a native error box waits for a click');
  const first = await startDesktop();
  await expect(start(first.page)).toBeVisible();
  const folder = await makeFolder();
  const second = await runDouble(folder, ['--store', join(first.folder, 'app.sandglass')]);
  expect(second.code).toBe(1);
  expect(second.output).toMatch(/Sandglass cannot open its store: .*is open in another Sandglass/);
  await first.stop();
  await rm(folder, { recursive: true });
});

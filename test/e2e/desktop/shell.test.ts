import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  callsOf,
  canStartDesktop,
  type Desktop,
  inTrueElectron,
  startDesktop,
} from '../../support/desktop.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');

// In one worker: each worker of these tests would start a desktop of its own.
test.describe.configure({ mode: 'default' });

let desktop: Desktop;
test.beforeAll(async () => {
  desktop = await startDesktop();
  await expect(desktop.page.getByRole('button', { name: /Open a file/ })).toBeVisible();
});
test.afterAll(() => desktop.stop());

/** Chooses a menu item of the app, as a click does. */
async function choose(id: string): Promise<void> {
  await desktop.app.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    if (!item) throw new Error(`no menu item ${wanted}`);
    item.click(undefined, BrowserWindow.getAllWindows()[0]);
  }, id);
}

interface Item {
  label: string;
  role?: string;
  accelerator?: string;
  registerAccelerator: boolean;
  submenu?: { items: Item[] };
}

test('the menu has the system’s roles and the app’s actions with their keys, and registers that of New window only', async () => {
  test.skip(inTrueElectron, 'asserted by the arguments that reach the double');
  const [[menu] = []] = await callsOf(desktop, 'Menu.setApplicationMenu');
  const { items } = menu as { items: Item[] };
  const ours = items.flatMap(({ submenu }) => submenu?.items ?? []).filter(item => item.accelerator);
  expect(items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['File', 'editMenu', 'View', 'Reaper', 'windowMenu', 'help']),
  );
  expect(ours.map(({ label, accelerator }) => `${label}: ${accelerator}`)).toEqual([
    'New window: CmdOrCtrl+Shift+N',
    'Open a file…: CmdOrCtrl+O',
    'Search or run a command: CmdOrCtrl+K',
    'Collapse the sidebar: CmdOrCtrl+B',
    'UTC or local time: CmdOrCtrl+Shift+U',
    'Light, dark, system: CmdOrCtrl+Shift+L',
    'Pause or resume: CmdOrCtrl+Shift+P',
    'Run a pass now: CmdOrCtrl+Shift+R',
    'Keyboard shortcuts: ?',
  ]);
  expect(ours.filter(item => item.registerAccelerator).map(({ label }) => label)).toEqual(['New window']);
});

test('a menu item has the effect of its key in the page', async () => {
  const { page } = desktop;
  await choose('search');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeVisible();
  await page.keyboard.press('Escape');
  await choose('shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  const theme = () => page.evaluate(() => localStorage.getItem('sandglass.theme'));
  const before = await theme();
  await choose('theme');
  await expect.poll(theme).not.toBe(before);
});

test('the Help menu opens the log file', async () => {
  test.skip(inTrueElectron, 'asserted by the arguments that reach the double');
  const file = join(desktop.folder, 'logs', 'sandglass.log');
  await choose('open-log');
  expect(await callsOf(desktop, 'shell.openPath')).toEqual([[file]]);
});

test('opening a file shows the system’s dialog, on the app’s window, for one file', async () => {
  const asked = await desktop.app.evaluateHandle(({ dialog, BrowserWindow }) => {
    const told: unknown[] = [];
    dialog.showOpenDialog = async (...words: unknown[]) => {
      told.push(words[0] === BrowserWindow.getAllWindows()[0], words[1]);
      return { canceled: true, filePaths: [] };
    };
    return told;
  });
  await choose('open-file');
  await expect
    .poll(() => asked.jsonValue())
    .toEqual([
      true,
      {
        title: 'Open a file',
        properties: ['openFile'],
        filters: [
          { name: 'Documents', extensions: ['ndjson', 'jsonl', 'json'] },
          { name: 'All files', extensions: ['*'] },
        ],
      },
    ]);
  await expect(desktop.page.getByRole('dialog')).toHaveCount(0);
});

test('a chosen file is sent to the page completely, with its name, and can be read once', async () => {
  const { page } = desktop;
  const path = join(desktop.folder, 'überfällig.ndjson');
  const line = `${JSON.stringify({ _id: 1, text: 'ä€𝄞'.repeat(5_000) })}\n`;
  await writeFile(path, line.repeat(40));
  await desktop.answerFileDialogs(path);
  const read = page.waitForResponse(/\/chosen\//);
  await page.getByRole('button', { name: /Open a file/ }).click();
  await expect(page.getByRole('dialog', { name: 'Import überfällig.ndjson' })).toBeVisible();
  const address = (await read).url();
  expect(await page.evaluate(async again => (await fetch(again)).status, address)).toBe(404);
  await page.keyboard.press('Escape');
});

test('a file that cannot be read is reported', async () => {
  await desktop.answerFileDialogs(join(desktop.folder, 'gone.ndjson'));
  await desktop.page.getByRole('button', { name: /Open a file/ }).click();
  await expect(desktop.page.getByText('The file was not opened')).toBeVisible();
});

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { readOwner } from '../../../electron/engine/files/owner-file.ts';
import {
  callsOf,
  canStartDesktop,
  type Desktop,
  inTrueElectron,
  startDesktop,
} from '../../support/desktop.ts';
import { restThroughSocket } from '../support/rest.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');

/** Chooses *New window* in the menu. Returns its page. */
async function openWindow({ app }: Desktop): Promise<Page> {
  const opened = app.waitForEvent('window');
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('new-window')?.click());
  const page = await opened;
  await expect(page.getByRole('main')).toBeVisible();
  return page;
}

const DOCUMENTS = '#/collections/shared/documents';

async function fill({ folder }: Desktop): Promise<void> {
  // The owner file names the socket shortly before the desktop listens on it.
  await expect(async () => {
    const { rest, close } = await restThroughSocket(
      readOwner(join(folder, 'app.sandglass'))?.socketPath ?? '',
    );
    await rest('POST', '/api/collections', { name: 'shared' });
    await rest('POST', '/api/collections/shared/documents', [{ _id: 'one' }, { _id: 'two' }]);
    close();
  }).toPass();
}

const goTo = (page: Page, hash: string) =>
  page.evaluate(to => {
    location.hash = to;
  }, hash);

const stageIn = async (window: Page, id: string) => {
  await window.getByRole('checkbox', { name: `Select ${id}` }).check();
  await window.getByRole('button', { name: 'Clear expiration' }).click();
  await expect(window.getByText('1 staged edit.')).toBeVisible();
};

test('a new window has its own place, tabs and staged edits; the app ends with the last one', async () => {
  test.skip(process.platform === 'darwin', 'on macOS the app keeps running without a window');
  const desktop = await startDesktop();
  const { page } = desktop;
  await page.evaluate(() => localStorage.setItem('sandglass.tour', 'seen'));
  await fill(desktop);
  await goTo(page, DOCUMENTS);
  await stageIn(page, 'one');

  const second = await openWindow(desktop);
  await expect(second.getByRole('heading', { name: 'shared' })).toHaveCount(0);
  await goTo(second, DOCUMENTS);
  await expect(second.getByRole('row').filter({ hasText: 'two' })).toBeVisible();
  await expect(second.getByText('staged edit', { exact: false })).toHaveCount(0);
  await stageIn(second, 'two');
  await second.keyboard.press('Alt+t');
  await expect(second.getByRole('tab')).toHaveCount(2);
  await expect(page.getByRole('tab')).toHaveCount(0);

  await page.reload();
  await expect(page.getByText('1 staged edit.')).toBeVisible();
  await page.close();
  await expect(second.getByRole('main')).toBeVisible();
  expect(desktop.app.windows()).toHaveLength(1);
  // The staged edits of the closed window are not lost.
  await second.reload();
  await expect(second.getByText('2 staged edits.')).toBeVisible();

  const ended = desktop.app.waitForEvent('close');
  await second.close();
  await ended;
  expect(desktop.process.exitCode).toBe(0);
  await rm(desktop.folder, { recursive: true });
});

test.describe('a second window', () => {
  // In one worker: each worker of these tests would start a desktop of its own.
  test.describe.configure({ mode: 'default' });

  let desktop: Desktop;
  let second: Page;
  test.beforeAll(async () => {
    desktop = await startDesktop();
    second = await openWindow(desktop);
  });
  test.afterAll(() => desktop.stop());

  test('is sandboxed and isolated as the first, beside which it opens', async () => {
    test.skip(inTrueElectron, 'asserted by the arguments that reach the double');
    const options = (await callsOf(desktop, 'BrowserWindow')).map(([one]) => Object(one));
    expect(options).toHaveLength(2);
    expect(options[1].webPreferences).toEqual(options[0].webPreferences);
    expect([options[1].x, options[1].y]).toEqual([24, 24]);
    expect(await callsOf(desktop, 'setWindowOpenHandler')).toHaveLength(2);
  });

  test('gets the port that it requested, and the first window does not', async () => {
    const ports = (page: Page, id: string) =>
      page.evaluate(wanted => {
        const got: string[] = [];
        addEventListener('message', ({ data }) => got.push(data.sandglassPort));
        window.sandglass?.askForPort('engine', wanted);
        return new Promise<string[]>(resolve => setTimeout(() => resolve(got), 500));
      }, id);
    const ids = [randomUUID(), randomUUID()] as const;
    const [inFirst, inSecond] = await Promise.all([ports(desktop.page, ids[0]), ports(second, ids[1])]);
    expect(inFirst).toEqual([ids[0]]);
    expect(inSecond).toEqual([ids[1]]);
  });

  for (const channel of ['sandglass:engine-port', 'sandglass:file-port']) {
    test(`gets no answer for a frame inside it or another origin on ${channel}`, async () => {
      const answers = await desktop.app.evaluate(
        ({ ipcMain, BrowserWindow }, asked) => {
          let count = 0;
          const sender = BrowserWindow.getAllWindows().at(-1)?.webContents;
          const postMessage = () => (count += 1);
          for (const frame of [
            { parent: {}, origin: 'app://bundle' },
            { parent: null, origin: 'http://elsewhere.example' },
          ])
            ipcMain.emit(
              asked.channel,
              { sender, senderFrame: { ...frame, url: '', postMessage } },
              asked.id,
            );
          ipcMain.emit(asked.channel, { sender, senderFrame: null }, asked.id);
          return count;
        },
        { channel, id: randomUUID() },
      );
      expect(answers).toBe(0);
    });
  }

  test('with unsaved changes leaves its page only if the user discards them', async () => {
    const asked = await desktop.app.evaluate(({ BrowserWindow, dialog }) => {
      const window = BrowserWindow.getAllWindows().at(-1);
      return [0, 1].map(answer => {
        let words: unknown;
        let isLeft = false;
        dialog.showMessageBoxSync = (...told: unknown[]) => {
          words = [told[0] === window, Reflect.get(Object(told[1]), 'message')];
          return answer;
        };
        window?.webContents.emit('will-prevent-unload', { preventDefault: () => (isLeft = true) });
        return { words, isLeft };
      });
    });
    const words = [true, 'Discard unsaved changes?'];
    expect(asked).toEqual([
      { words, isLeft: false },
      { words, isLeft: true },
    ]);
  });

  test('is brought to the front by another start, as the one used last', async () => {
    test.skip(inTrueElectron, 'the lock is the system’s');
    await desktop.app.evaluate(({ app, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.emit('focus');
      app.emit('second-instance', {}, [], '');
    });
    expect(await callsOf(desktop, 'focus')).toHaveLength(1);
    expect(desktop.app.windows()).toHaveLength(2);
  });
});

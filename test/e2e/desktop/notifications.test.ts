import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sandglass } from '../../support/cli.ts';
import {
  callsOf,
  canStartDesktop,
  type Desktop,
  inTrueElectron,
  startDesktop,
} from '../../support/desktop.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');
test.skip(inTrueElectron, 'the notifications are the system’s, and the focus is the user’s');

/** Alerts are updated every ten seconds. */
const WITHIN = { timeout: 25_000 };

const shown = async (desktop: Desktop) => (await callsOf(desktop, 'Notification.show')).flat();

function lookElsewhere({ app }: Desktop, elsewhere: boolean): Promise<void> {
  return app.evaluate(({ BrowserWindow }, isInFront) => {
    Reflect.set(BrowserWindow, 'isInFront', isInFront);
  }, !elsewhere);
}

/** Imports a document whose deadline has passed, so that its collection is held. */
async function hold({ folder }: Desktop, collection: string): Promise<void> {
  const at = Date.UTC(2020, 0, 1);
  const expiration = { deadlineAt: at, deadlineFrom: 'explicit', exportedAt: at - 1_000, explicit: { at } };
  const line = JSON.stringify({ _id: 'a', $expiration: expiration });
  const words = ['import', '-', collection, '--deadlines', 'absolute'];
  const { code, stderr } = await sandglass(words, { env: { SANDGLASS_HOME: folder }, input: `${line}\n` });
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

test('an alert is notified once as it begins and once as it ends, while the window is in the background', async () => {
  test.setTimeout(120_000);
  const desktop = await startDesktop();
  const env = { SANDGLASS_HOME: desktop.folder };
  await lookElsewhere(desktop, true);
  await hold(desktop, 'orders');
  const began = { title: 'orders: held', body: expect.stringContaining('1 of 1 document is due') };
  await expect.poll(() => shown(desktop), WITHIN).toEqual([began]);

  const before = (await callsOf(desktop, 'focus')).length;
  await desktop.app.evaluate(({ Notification }) => Reflect.get(Notification, 'last').emit('click'));
  expect(await callsOf(desktop, 'focus')).toHaveLength(before + 1);

  expect(await sandglass(['reaper', 'confirm', 'orders'], { env })).toMatchObject({ code: 0 });
  const ended = { title: 'orders: no longer held', body: 'In app.sandglass.' };
  await expect.poll(() => shown(desktop), WITHIN).toEqual([began, ended]);

  // With the focus, the window itself shows the alert.
  await lookElsewhere(desktop, false);
  await hold(desktop, 'seen');
  await desktop.page.waitForTimeout(10_500);
  expect(await shown(desktop)).toEqual([began, ended]);

  await desktop.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.getMenuItemById('notifications')?.click(),
  );
  const setting = await readFile(join(desktop.folder, 'notifications.json'), 'utf8');
  expect(JSON.parse(setting)).toEqual({ isOn: false });
  await desktop.stop();
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readOwner } from '../../../electron/engine/files/owner-file.ts';
import { sandglass } from '../../support/cli.ts';
import { canStartDesktop, startDesktop } from '../../support/desktop.ts';

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');

test('the command line uses the store that the desktop has open, and the window shows its changes at once', async () => {
  const { page, folder, process, stop } = await startDesktop();
  const env = { SANDGLASS_HOME: folder };
  const store = join(folder, 'app.sandglass');
  await expect
    .poll(() => readOwner(store))
    .toMatchObject({ pid: process.pid, socketPath: expect.any(String) });
  const { socketPath = '' } = readOwner(store) ?? {};

  const imported = await sandglass(['import', '-', 'by_hand'], { env, input: '{"_id":"a"}\n{"_id":"b"}\n' });
  expect(imported).toEqual({ code: 0, stdout: '2 inserted, 0 updated, 0 refused.\n', stderr: '' });
  await expect(page.getByText('by_hand').first()).toBeVisible();

  await stop();
  expect(existsSync(socketPath)).toBe(false);
  expect(readOwner(store)).toBeNull();
});

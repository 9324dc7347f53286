import { expect, test } from '@playwright/test';
import { startServedHost } from '../support/served-host.ts';

test('the window opens at the printed address, breaks no rule of its content security policy, and hides the token', async ({
  page,
}) => {
  const host = await startServedHost({ run: 'build' });
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(host.link);
  await expect(page).toHaveTitle(/Sandglass/);
  await expect(page.getByRole('main').or(page.locator('#root > *')).first()).toBeVisible();
  expect(page.url()).not.toContain(host.token);
  await page.reload();
  await expect(page.locator('#root > *').first()).toBeVisible();
  expect(complaints).toEqual([]);
  await host.stop();
});

import { expect } from '@playwright/test';
import { test } from './support/app.ts';

test('the window opens at the printed address, breaks no rule of its content security policy, and hides the token', {
  tag: '@served',
}, async ({ app: { page, host } }) => {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto('about:blank');
  await page.goto(host.link);
  await expect(page).toHaveTitle(/Sandglass/);
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).not.toContain(host.token);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  expect(complaints).toEqual([]);
});

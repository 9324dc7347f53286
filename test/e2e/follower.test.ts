import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startServedHost } from '../support/served-host.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

test('[V5] a follower’s window names its leader, offers no change, and reports when its leader stops answering', {
  tag: '@served',
}, async ({ app, page }) => {
  test.slow();
  const folder = await mkdtemp(join(tmpdir(), 'sandglass-leader-'));
  const leader = await startServedHost({ run: 'build', folder });
  const mirror = await startServedHost({
    run: 'build',
    flags: ['--follow', leader.origin, '--sync-timeout', '3'],
    env: { SANDGLASS_FOLLOW_TOKEN: leader.token },
  });
  try {
    const fill = (documents: readonly object[]) =>
      fetch(`${leader.origin}/api/collections/leases/documents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${leader.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(documents),
      });
    await fetch(`${leader.origin}/api/collections`, {
      method: 'POST',
      headers: { authorization: `Bearer ${leader.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'leases' }),
    });
    await fill([{ _id: 'a' }, { _id: 'b' }]);
    await page.goto('about:blank');
    await page.goto(mirror.link);
    await app.open('#/collections/leases/documents');
    await expect(page.getByRole('status').filter({ hasText: 'Read-only follower of' })).toContainText(
      leader.origin,
    );
    // The mirror has an origin of its own, where the tour was not shown yet.
    await page.getByRole('button', { name: 'Skip' }).click();
    await expect(page.getByRole('row').filter({ hasText: /^a/ })).toHaveCount(1);
    for (const name of ['New collection…', 'More for leases', 'Run now'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Create TTL index' })).toHaveCount(0);
    await page.getByRole('row').filter({ hasText: /^a/ }).click();
    await expect(page.getByRole('textbox', { name: /^Document/ })).not.toBeEditable();
    await expect(page.getByText('This store is a follower of').last()).toBeVisible();
    for (const name of ['Save', 'Delete…'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectAccessible(page);
    await app.open('#/overview');
    await expect(page.getByRole('row', { name: /leases/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create index…' })).toHaveCount(0);
    await app.open('#/collections/leases/ttl-indexes/new');
    await expect(page.getByText('This store is a follower of')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Review…' })).toBeDisabled();
    await app.open('#/settings');
    await expect(page.getByRole('textbox', { name: 'Batch time' })).toBeDisabled();

    await leader.stop('SIGKILL');
    await expect(page.getByRole('alert').filter({ hasText: 'Not up to date with' })).toContainText(
      'does not answer',
      { timeout: 20_000 },
    );
    await expectAccessible(page);
  } finally {
    await mirror.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

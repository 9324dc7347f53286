import { expect } from '@playwright/test';
import { createEtcdServer, NEEDS_ETCD } from '../support/etcd-server.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test } from './support/app.ts';

/**
 * etcd in the window: connected by its address, with its keys, the deadlines of their leases, and a new lease for one
 * key.
 */

test.skip(NEEDS_ETCD !== undefined, NEEDS_ETCD);

let etcd: Awaited<ReturnType<typeof createEtcdServer>>;
test.beforeEach(async () => {
  etcd = await createEtcdServer();
  await etcd.server.start();
});
test.afterEach(() => etcd.stop());

/** Calls the server's JSON gateway. */
async function call(path: string, body: object): Promise<Record<string, unknown>> {
  const origin = etcd.server.uri.replace('etcd:', 'http:');
  const response = await fetch(`${origin}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return await response.json();
}

const encoded = (text: string) => Buffer.from(text).toString('base64');

const put = (key: string, lease = '0') => call('kv/put', { key: encoded(key), value: encoded('v'), lease });

test('keys of an etcd server are listed with the deadlines of their leases; one gets a new lease', async ({
  app: { open },
  page,
}) => {
  const { ID: lease } = await call('lease/grant', { TTL: '3600' });
  for (const n of [1, 2, 3]) await put(`sessions/${n}`, String(lease));
  await put('flags/colour');

  await open('#/connections/add');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'File or address' }).fill(etcd.server.uri);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByRole('status')).toContainText(/etcd 3\.\d.* 4 keys/);
  await dialog.getByRole('button', { name: 'Add connection' }).click();
  const table = page.getByRole('region', { name: 'Collections' });
  await expect(table.getByRole('row', { name: /sessions/ })).toContainText('3');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'flags' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  const row = page.getByRole('row', { name: /flags\/colour/ });
  await expect(row).toContainText('Never');
  await row.click();
  await page.getByRole('button', { name: 'Set expiration…' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2h');
  await page.getByRole('button', { name: 'Stage 1' }).click();
  await page.getByRole('button', { name: 'Apply to 1' }).click();
  await expect
    .poll(async () => {
      const { kvs } = await call('kv/range', { key: encoded('flags/colour') });
      return Array.isArray(kvs) && kvs[0]?.lease !== undefined;
    })
    .toBe(true);
  await expect(row).not.toContainText('Never');
});

test('the panel of a key has its lease and every key that leaves with it; each change names them before', async ({
  app: { open },
  page,
}) => {
  const { ID: lease } = await call('lease/grant', { TTL: '3600' });
  for (const n of [1, 2, 3]) await put(`sessions/${n}`, String(lease));
  await put('flags/colour');
  await open('#/connections/add');
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'File or address' }).fill(etcd.server.uri);
  await form.getByRole('button', { name: 'Add connection' }).click();

  await page.getByRole('link', { name: 'flags' }).first().click();
  await page.getByRole('link', { name: /^Keys/ }).click();
  await page.getByRole('row', { name: /flags\/colour/ }).click();
  const section = page.getByRole('region', { name: 'Lease' });
  await expect(section).toContainText('This key has no lease');
  await section.getByRole('button', { name: 'Attach to a lease…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach to a lease' });
  await dialog.getByRole('combobox', { name: 'Lease' }).click();
  await page.getByRole('option', { name: /3 keys/ }).click();
  await expect(dialog.getByRole('status')).toContainText('with 3 other keys, unless that is kept alive');
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(section).toContainText('All 4 keys leave then');
  await expect(section).toContainText('sessions/3');
  await expectAccessible(page);

  await section.getByRole('button', { name: 'Detach…' }).click();
  const detaching = page.getByRole('dialog', { name: /^Detach from the lease/ });
  await expect(detaching).toContainText('flags/colour never expires from now on.');
  await detaching.getByRole('button', { name: 'Detach' }).click();
  await expect(section).toContainText('This key has no lease');

  await page.getByRole('link', { name: 'Health' }).click();
  const leases = page.getByRole('region', { name: 'Leases' });
  await expect(leases).toContainText('flags (1)');
  await leases.getByRole('button', { name: 'Grant a lease…' }).click();
  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await expect(leases.getByRole('row')).toHaveCount(3);
  await expectAccessible(page);
  await leases
    .getByRole('row', { name: /sessions\/1/ })
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  const question = page.getByRole('dialog', { name: /^Revoke the lease/ });
  for (const n of [1, 2, 3]) await expect(question).toContainText(`sessions/${n}`);
  await question.getByRole('button', { name: 'Delete 3 keys' }).click();
  await expect(leases.getByRole('row')).toHaveCount(2);
  const { count = 0 } = await call('kv/range', {
    key: encoded('sessions/'),
    range_end: encoded('sessions0'),
  });
  expect(count).toBe(0);
});

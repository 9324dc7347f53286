import type { Page } from '@playwright/test';

export interface Scene {
  name: string;
  /** Address of the page: `#/overview`. */
  at: string;
  /** Steps on the page before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

const rows = (page: Page) => page.getByRole('row', { name: /sess|cart|_/ });

async function stage(page: Page): Promise<void> {
  await rows(page).nth(3).waitFor();
  await page.getByRole('grid').focus();
  for (const key of ['ArrowDown', 'j', 'Space', 'Shift+ArrowDown', 'Shift+ArrowDown', 'e'])
    await page.keyboard.press(key);
  await page.getByRole('textbox', { name: 'Duration' }).fill('90d');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Staged edits' }).waitFor();
}

async function review(page: Page): Promise<void> {
  await stage(page);
  await page.getByRole('button', { name: 'Review…' }).click();
}

async function openRow(page: Page): Promise<void> {
  await rows(page).nth(3).click();
}

async function typeExpression(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'An expression' }).click();
  await page.getByRole('textbox', { name: 'Expression' }).pressSequentially('timestamp(doc.');
  await page.getByRole('option').first().waitFor();
}

async function openColumns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
}

async function openExport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export…' }).first().click();
  await page.getByRole('dialog', { name: /^Export/ }).waitFor();
}

async function dropFile(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['id;amount\n1;2,50\n2;3,10\n'], 'amounts.csv'));
    dispatchEvent(new DragEvent('drop', { dataTransfer }));
  });
  await page.getByRole('dialog', { name: 'Import amounts.csv' }).waitFor();
}

async function unfold(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Exact: at each deadline/ }).click();
  await page.getByRole('radio', { name: 'Cron…' }).click();
  await page.getByRole('radio', { name: 'Move' }).click();
  await page.getByRole('button', { name: /batch/ }).first().click();
  await page.getByRole('textbox', { name: /^Removals/ }).fill('50');
}

async function chooseCollection(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Collection' }).click();
}

async function runPass(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+R');
  await page.getByRole('status').first().waitFor();
}

async function reviewIndex(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^at/ }).check();
  await page.getByRole('textbox', { name: 'Expires after' }).fill('30d');
  const review = page.getByRole('button', { name: 'Review…' });
  await review.click();
  await page.getByRole('button', { name: 'Create index' }).waitFor();
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sess');
}

const press = (keys: string) => async (page: Page) => {
  await page.keyboard.press(keys);
};

/** A store without data. */
export const FIRST: readonly Scene[] = [{ name: 'start', at: '#/overview' }];

/** A store with the sample data and a collection without TTL. */
export const SCENES: readonly Scene[] = [
  { name: 'overview', at: '#/overview' },
  { name: 'timeline-1h', at: '#/collections/sessions/timeline' },
  { name: 'timeline-1m', at: '#/collections/sessions/timeline?zoom=1m' },
  { name: 'timeline-no-ttl', at: '#/collections/audit_log/timeline' },
  { name: 'documents', at: '#/collections/sessions/documents?sort=deadline' },
  { name: 'documents-staged', at: '#/collections/sessions/documents?sort=_id', act: stage },
  { name: 'documents-review', at: '#/collections/sessions/documents?sort=_id', act: review },
  { name: 'document-details', at: '#/collections/sessions/documents?sort=_id', act: openRow },
  { name: 'ttl-indexes', at: '#/collections/sessions/ttl-indexes' },
  { name: 'create-index', at: '#/collections/audit_log/ttl-indexes/new' },
  { name: 'create-index-cel', at: '#/collections/audit_log/ttl-indexes/new', act: typeExpression },
  { name: 'activity-feed', at: '#/activity' },
  { name: 'activity-expired', at: '#/activity/expired' },
  { name: 'activity-passes', at: '#/activity/passes' },
  { name: 'health', at: '#/health' },
  { name: 'settings', at: '#/settings' },
  { name: 'settings-access', at: '#/settings/access' },
  { name: 'documents-columns', at: '#/collections/sessions/documents?sort=_id', act: openColumns },
  { name: 'export', at: '#/collections/sessions/documents?sort=_id', act: openExport },
  { name: 'import', at: '#/overview', act: dropFile },
  { name: 'create-index-limits', at: '#/collections/audit_log/ttl-indexes/new', act: unfold },
  { name: 'review-index', at: '#/collections/audit_log/ttl-indexes/new', act: reviewIndex },
  { name: 'health-collections', at: '#/health', act: chooseCollection },
  { name: 'drop-collection', at: '#/collections/audit_log/timeline?drop=collection' },
  { name: 'toast', at: '#/overview', act: runPass },
  { name: 'palette', at: '#/overview', act: press('Control+k') },
  { name: 'palette-search', at: '#/overview', act: search },
  { name: 'shortcuts', at: '#/overview', act: press('?') },
];

async function addStore(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'File or address' }).fill('no-store-yet.sandglass');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('The file does not exist').waitFor();
}

async function addServer(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'File or address' }).fill('rediss://ada@cache.internal:6379/0');
  await dialog.getByRole('checkbox', { name: 'Own certificates' }).check();
  await dialog.getByRole('checkbox', { name: 'Connect through an SSH server' }).check();
  await dialog.getByRole('textbox', { name: 'SSH server' }).fill('ada@bastion');
}

async function editServer(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'More for cache.internal' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await dialog.getByText('kept in memory until Sandglass ends').waitFor();
}

async function importList(page: Page): Promise<void> {
  const label = { colour: 1, environment: 'development', readOnly: false };
  const target = (uri: string) => ({ kind: 'redis', uri });
  const connections = [
    { name: 'cache of the shop', ...label, colour: 3, target: target('redis://127.0.0.1:6379/0') },
    { name: 'sessions', ...label, environment: 'production', target: target('redis://sessions.internal') },
    { ...label, name: 'orders', target: { kind: 'file', file: 'no-other.sandglass' } },
  ];
  page.once('filechooser', chooser => {
    const buffer = Buffer.from(JSON.stringify({ version: 1, connections }));
    void chooser.setFiles({ name: 'connections.json', mimeType: 'application/json', buffer });
  });
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByRole('dialog').waitFor();
}

async function writeInProduction(page: Page): Promise<void> {
  await page.getByRole('link', { name: /orders/ }).click();
  await page.getByRole('button', { name: 'New collection…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('invoices');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Write to orders?' }).waitFor();
}

/** A host with several connections. */
export const CONNECTED: readonly Scene[] = [
  { name: 'connections', at: '#/connections' },
  { name: 'connections-add', at: '#/connections/add', act: addStore },
  { name: 'connections-server', at: '#/connections/add', act: addServer },
  { name: 'connections-edit', at: '#/connections', act: editServer },
  { name: 'connections-import', at: '#/connections', act: importList },
  { name: 'connections-write', at: '#/overview', act: writeInProduction },
];

async function openEtcdKey(page: Page): Promise<void> {
  await page
    .getByRole('row', { name: /sessions\// })
    .nth(1)
    .click();
  await page.getByRole('region', { name: 'Lease' }).getByRole('button', { name: 'Detach…' }).waitFor();
}

async function attachEtcdKey(page: Page): Promise<void> {
  await openEtcdKey(page);
  await page.getByRole('button', { name: 'Attach to another…' }).click();
  await page.getByRole('dialog').getByRole('combobox').click();
  await page
    .getByRole('option', { name: /jobs|key/ })
    .first()
    .click();
}

async function revokeEtcdLease(page: Page): Promise<void> {
  await openEtcdKey(page);
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').waitFor();
}

/** A Redis server, as the connection that is open. */
export const REDIS: readonly Scene[] = [
  { name: 'redis-overview', at: 'overview' },
  { name: 'redis-keys', at: 'collections/session/documents?sort=deadline' },
  { name: 'redis-timeline', at: 'collections/session/timeline' },
  { name: 'redis-health', at: 'health' },
  { name: 'redis-policy', at: 'settings/policy' },
];

/** An etcd cluster, as the connection that is open. */
export const ETCD: readonly Scene[] = [
  { name: 'etcd-key', at: 'collections/sessions/documents', act: openEtcdKey },
  { name: 'etcd-attach', at: 'collections/sessions/documents', act: attachEtcdKey },
  { name: 'etcd-revoke', at: 'collections/sessions/documents', act: revokeEtcdLease },
  {
    name: 'etcd-health',
    at: 'health',
    act: async page => page.getByRole('region', { name: 'Leases' }).waitFor(),
  },
];

/** A PostgreSQL database, as the connection that is open. */
export const POSTGRES: readonly Scene[] = [
  { name: 'postgres-overview', at: 'overview' },
  { name: 'postgres-rows', at: 'collections/sessions/documents' },
  { name: 'postgres-indexes', at: 'collections/sessions/ttl-indexes' },
  { name: 'postgres-timeline', at: 'collections/sessions/timeline' },
  { name: 'postgres-policy', at: 'settings/policy' },
  { name: 'postgres-expired', at: 'activity/expired' },
  {
    name: 'postgres-restore',
    at: 'activity/expired',
    async act(page) {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .click();
      await page.getByRole('button', { name: /^Restore 1/ }).click();
    },
  },
  {
    name: 'postgres-missing-index',
    at: 'collections/orders/ttl-indexes/index/paid_at_365d',
    act: page => page.getByText('CREATE INDEX CONCURRENTLY').waitFor(),
  },
];

/** A server in the shapes of CockroachDB, as the connection that is open. */
export const COCKROACH: readonly Scene[] = [
  {
    name: 'cockroach-overview',
    at: 'overview',
    act: page => page.getByText('not removed yet').waitFor(),
  },
  { name: 'cockroach-ttl', at: 'collections/events/ttl-indexes' },
  { name: 'cockroach-index', at: 'collections/events/ttl-indexes/index/row_level_ttl' },
  { name: 'cockroach-edit', at: 'collections/events/ttl-indexes/edit/row_level_ttl' },
  {
    name: 'cockroach-parameters',
    at: 'collections/events/ttl-indexes/edit/row_level_ttl',
    act: page => page.getByRole('textbox', { name: 'ttl_expire_after' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'cockroach-review',
    at: 'collections/events/ttl-indexes/edit/row_level_ttl',
    async act(page) {
      await page.getByRole('textbox', { name: 'ttl_select_batch_size' }).fill('100');
      await page.getByRole('button', { name: 'Review…' }).click();
    },
  },
  { name: 'cockroach-passes', at: 'activity/passes' },
  { name: 'cockroach-health', at: 'health' },
];

/** A store whose reaper is paused. */
export const PAUSED: readonly Scene[] = [
  { name: 'paused-timeline', at: '#/collections/sessions/timeline?zoom=1m' },
  { name: 'paused-documents', at: '#/collections/sessions/documents?state=overdue' },
];

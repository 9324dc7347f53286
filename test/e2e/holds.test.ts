import { expect } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type App, test } from './support/app.ts';

/** A collection of 40 documents, of which a new index makes 39 due: the circuit breaker holds it. */
async function held(app: App, collection: string): Promise<void> {
  await app.rest('PATCH', '/api/settings', { breakerDocuments: 10 });
  await app.fill(
    collection,
    Array.from({ length: 40 }, (_, i) => ({ _id: `h${i}`, at: i === 0 ? '2999-01-01' : '2001-01-01' })),
  );
  await app.rest('POST', `/api/collections/${collection}/ttl-indexes`, {
    name: 'at_deadline',
    source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
  });
}

test('[R6, R8] a hold is shown on every page of its collection, and ends when it is confirmed', async ({
  app,
}) => {
  const { page } = app;
  await held(app, 'guarded');
  await app.open('#/collections/guarded/timeline');
  const banner = page.getByRole('status').filter({ hasText: 'guarded is held' });
  await expect(banner).toContainText('at_deadline would make 39 of 40 documents due at once');
  await expect(page.getByRole('button', { name: /^Held/ })).toBeVisible();
  // There are no bars yet: the legend gives the reason and lists no series.
  const timeline = page.getByRole('region', { name: 'Timeline of guarded' });
  await expect(timeline).toContainText('at_deadline awaits confirmation');
  await expect(timeline.getByRole('button', { name: 'set by hand' })).toHaveCount(0);
  await expect(
    page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: /guarded/ }),
  ).toContainText('held');
  await expectAccessible(page);
  expect(await app.rest('GET', '/api/collections/guarded')).toMatchObject({ documents: 40, state: 'held' });

  await app.open('#/collections/guarded/ttl-indexes');
  const card = page.getByRole('listitem').filter({ hasText: 'at_deadline' });
  await expect(card).not.toContainText('Active');
  await expectAccessible(page);
  // Several holds, each with its object and its own confirmation.
  await held(app, 'guarded_as_well');
  await app.open('#/');
  const other = page.getByRole('status').filter({ hasText: 'guarded_as_well is held' });
  await expect(other).toContainText('39 of 40 documents');
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(other).toHaveCount(0);
  await expect(banner.getByRole('link', { name: 'Open guarded' })).toBeVisible();
  await expectAccessible(page);

  await banner.getByRole('button', { name: 'Confirm' }).click();
  await expect(banner).toHaveCount(0);
  await expect
    .poll(() => app.rest('GET', '/api/collections/guarded'))
    .toMatchObject({ documents: 1, holds: [] });
  await expect(page.getByRole('button', { name: /^Running/ })).toBeVisible();
});

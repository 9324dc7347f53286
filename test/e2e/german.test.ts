import { expect, type Locator, type Page } from '@playwright/test';
import { type App, test } from './support/app.ts';
import { findCutText } from './support/cut-text.ts';

/** German words are the longest of the window's languages: what fits in German at 1280 × 800 fits in all. */

const NOW = Date.now();
const sessions = Array.from({ length: 300 }, (_, i) => ({
  _id: `u_${String(i).padStart(4, '0')}`,
  tenant: ['acme', 'globex', 'initech'][i % 3],
  // The first ten are due at once; one in fifty never expires.
  ...(i % 50 !== 49 && { expiresAt: NOW + (i < 10 ? -1_000 : i * 60_000) }),
}));

/** A store in German with a collection that has a TTL index and expired documents. */
async function prepare({ page, rest, fill }: App): Promise<void> {
  await fill('sessions', sessions);
  await fill(
    'audit_log',
    sessions.map(({ _id, tenant }) => ({ _id, tenant, at: '2026-11-20T08:00:00Z' })),
  );
  await rest('POST', '/api/collections/sessions/ttl-indexes', {
    name: 'at_expiry',
    source: { kind: 'field', field: 'expiresAt', unit: 'milliseconds', expireAfter: 0 },
  });
  await page.evaluate(() => localStorage.setItem('sandglass.language', 'de'));
  await page.reload();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Übersicht' })).toBeVisible();
}

interface Screen {
  at: string;
  /** Visible once the screen is complete. */
  shows: (page: Page) => Locator;
  /** Opens a menu, a dialog or a selection on the screen. */
  act?: (page: Page) => Promise<void>;
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const text = (words: string | RegExp) => (page: Page) => page.getByRole('main').getByText(words).first();
const row = (page: Page) => page.getByRole('row', { name: /u_0/ }).first();
const inDialog = (words: string) => (page: Page) => page.getByRole('dialog').getByText(words).first();

async function openMenu(page: Page, name: string | RegExp): Promise<void> {
  await button(name)(page).click();
  await page.getByRole('menuitem').first().waitFor();
}

async function selectRow(page: Page): Promise<void> {
  await row(page).getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Auswahl' }).waitFor();
}

async function dropFile(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['id;amount\n1;2,50\n2;3,10\n'], 'amounts.csv'));
    dispatchEvent(new DragEvent('drop', { dataTransfer }));
  });
  await inDialog('Trennzeichen')(page).waitFor();
}

const documents = '#/collections/sessions/documents?sort=_id';

const SCREENS: Readonly<Record<string, readonly Screen[]>> = {
  'the overview and the timeline of a collection': [
    { at: '#/overview', shows: text('Nächste 24 h') },
    { at: '#/overview', shows: text('Nächste 24 h'), act: page => openMenu(page, /^Läuft/) },
    { at: '#/collections/sessions/timeline', shows: text('Nächste Abläufe') },
    {
      at: '#/collections/sessions/timeline',
      shows: text('Nächste Abläufe'),
      act: page => openMenu(page, 'Mehr zu sessions'),
    },
    { at: '#/overview', shows: text('Nächste 24 h'), act: dropFile },
  ],
  documents: [
    { at: documents, shows: row },
    { at: documents, shows: row, act: selectRow },
    {
      at: documents,
      shows: row,
      async act(page) {
        await page.keyboard.press('Escape');
        await row(page).click({ button: 'right' });
        await page.getByRole('menuitem').first().waitFor();
      },
    },
    {
      at: documents,
      shows: row,
      async act(page) {
        await page.keyboard.press('Escape');
        await row(page).click();
        await page.getByRole('complementary').getByRole('button', { name: 'Speichern' }).waitFor();
      },
    },
  ],
  'TTL indexes and their form': [
    { at: '#/collections/sessions/ttl-indexes', shows: text('at_expiry') },
    { at: '#/collections/audit_log/ttl-indexes/new', shows: text('u_0') },
  ],
  'activity and health': [
    { at: '#/activity', shows: text('Revision') },
    { at: '#/activity/expired', shows: row },
    { at: '#/activity/expired', shows: row, act: selectRow },
    { at: '#/activity/passes', shows: text('Abgearbeitet') },
    { at: '#/health', shows: text('Befunde') },
  ],
  'settings and connections': [
    ...['removal', 'holds', 'keeping', 'access', 'backup', 'alerts', 'appearance'].map(section => ({
      at: `#/settings/${section}`,
      shows: text('Sprache, Farbschema und Zeitzone'),
    })),
    { at: '#/connections', shows: text('Umgebung') },
    { at: '#/connections/add', shows: inDialog('Umgebung') },
  ],
};

test.use({ viewport: { width: 1280, height: 800 } });

for (const [screens, each] of Object.entries(SCREENS)) {
  test(`no label is cut off in German: ${screens}`, { tag: '@served' }, async ({ app }) => {
    test.slow();
    await prepare(app);
    const cut: string[] = [];
    for (const { at, shows, act } of each) {
      await app.open(at);
      await expect(shows(app.page)).toBeVisible();
      await act?.(app.page);
      cut.push(...(await findCutText(app.page)).map(found => `${at}: ${found}`));
      await app.page.keyboard.press('Escape');
    }
    expect(cut).toEqual([]);
  });
}

import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './support/app.ts';

/** The main task with a screen reader: by keyboard alone, with a check of the accessibility tree after each step. */

const MOST_STOPS = 80;

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let i = 0; i < MOST_STOPS; i++) {
    if (await control.evaluate(element => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${control}`);
}

async function activate(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

async function insert(page: Page, document: object): Promise<void> {
  await activate(page, page.getByRole('main').getByRole('button', { name: 'New', exact: true }));
  const dialog = page.getByRole('dialog', { name: 'New document in logins' });
  const text = dialog.getByRole('textbox', { name: 'Document' });
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(document));
  await expect(dialog).toMatchAriaSnapshot(`
    - dialog "New document in logins":
      - text: Document Valid JSON
      - textbox "Document"
      - button "Cancel"
      - button "Insert document Ctrl ↵"
  `);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toHaveCount(0);
}

test('a collection is created, filled, given a TTL index with its effect shown first, and an expired document restored', async ({
  app,
}) => {
  const { page } = app;
  const main = page.getByRole('main');
  await app.fill('other', []);
  await app.open('#/overview');

  await activate(page, page.getByRole('button', { name: 'New collection…' }));
  const naming = page.getByRole('dialog', { name: 'New collection' });
  await expect(naming.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(naming).toMatchAriaSnapshot(`
    - dialog "New collection":
      - heading "New collection" [level=2]
      - textbox "Name"
      - paragraph: Up to 120 characters, without “/”.
      - button "Cancel"
      - button "Create collection" [disabled]
  `);
  await page.keyboard.type('logins');
  await page.keyboard.press('Enter');
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "logins" [level=1]
      - navigation "logins":
        - link "Timeline"
        - link "Documents 0"
        - link "TTL indexes 0"
        - link "Activity"
      - link "Create TTL index"
      - region "Timeline of logins":
        - group /Timeline of expirations/:
          - heading "No documents yet" [level=2]
  `);

  await activate(page, main.getByRole('link', { name: /^Documents/ }));
  await insert(page, { _id: 'old', at: '2020-01-01T00:00:00Z' });
  await insert(page, { _id: 'young', at: '2099-01-01T00:00:00Z' });
  await expect(page.getByRole('grid', { name: 'Documents of logins' })).toMatchAriaSnapshot(`
    - grid "Documents of logins":
      - rowgroup:
        - row /Select old old Never never no TTL index .* 2020-01-01T00:00:00Z/
        - row /Select young young Never never no TTL index .* 2099-01-01T00:00:00Z/
  `);

  await activate(page, main.getByRole('link', { name: 'Create TTL index' }));
  await tabTo(page, main.getByRole('textbox', { name: 'Expires after' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('90d');
  const effect = page.getByRole('complementary', { name: 'Exact effect' });
  // The time that the removal takes follows if the host has removed documents before.
  await expect(effect).toMatchAriaSnapshot(`
    - complementary "Exact effect":
      - heading "Exact effect, if built now" [level=2]
      - status: /^1 document expires at once, 50\\.0 % of logins\\./
      - table "Documents by when they expire":
        - rowgroup:
          - row /^At once 1 50.0 %/
          - row /^Later 1 50.0 %/
          - row /^Never 0 0 %/
  `);
  await expect(effect.getByRole('time').first()).toHaveAccessibleDescription(/20\d\d \d\d:\d\d:\d\d UTC$/);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Review at_90d on logins' })).toBeFocused();
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Review at_90d on logins" [level=2]
      - table "logins before and after":
        - rowgroup:
          - 'row "TTL indexes none at_90d: 90 days after at"'
          - row "Documents 2 1 (1 fewer, at once)"
      - button "Back"
      - button "Create index Ctrl ↵"
  `);

  // Counted again for the review.
  await expect(main.getByRole('button', { name: /^Create index/ })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toMatchAriaSnapshot(`
    - region "Messages":
      - status:
        - text: /at_90d is built/
      - status:
        - text: /1 document of logins expired, by at_90d/
        - button "Restore…"
  `);
  await activate(page, main.getByRole('link', { name: 'Timeline' }));
  await tabTo(page, main.getByRole('radio', { name: '1 h', checked: true }));
  await tabTo(page, main.getByRole('button', { name: 'Show as table' }));
  await page.keyboard.press('Enter');
  await expect(main.getByRole('region', { name: 'Timeline of logins' })).toMatchAriaSnapshot(`
    - region "Timeline of logins":
      - heading "Timeline" [level=2]
      - radiogroup "Zoom":
        - radio "1 h" [checked]
      - button "Show as table" [pressed]
      - region "Timeline as a table":
        - table /Documents per 30 s/:
          - rowgroup:
            - row /^From now Starts, UTC/
          - rowgroup:
            - row /^now /
  `);

  await activate(page, main.getByRole('link', { name: 'Activity' }));
  const expired = page.getByRole('grid', { name: 'Expired' });
  await tabTo(page, expired);
  await page.keyboard.press('ArrowDown');
  await expect(expired).toMatchAriaSnapshot(`
    - grid "Expired":
      - rowgroup:
        - row /Select old old logins at_90d 31 Mar 2020 .* deleted/
  `);
  await page.keyboard.press('Enter');
  const restoring = page.getByRole('dialog', { name: 'Restore 1 document' });
  await expect(restoring).toMatchAriaSnapshot(`
    - dialog "Restore 1 document":
      - radiogroup "Expires":
        - radio "Pinned" [checked]
      - status: Its _id is not in use.
      - button "Cancel"
      - button "Restore 1"
  `);
  await activate(page, restoring.getByRole('button', { name: 'Restore 1', exact: true }));
  await expect(restoring).toHaveCount(0);
  await activate(page, main.getByRole('link', { name: /^Documents 2/ }));
  await expect(page.getByRole('grid', { name: 'Documents of logins' })).toMatchAriaSnapshot(`
    - grid "Documents of logins":
      - rowgroup:
        - row /Select old old Pinned/
  `);
});

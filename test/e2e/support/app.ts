import { join } from 'node:path';
import { type Page, test as playwright } from '@playwright/test';
import type { ServedHost } from '../../support/served-host.ts';
import { deleteTestData } from './delete-test-data.ts';
import { type HostKind, type OpenHost, openHost } from './open-host.ts';
import { type Motion, preparePageReset, resetPage } from './reset-page.ts';
import type { Rest } from './rest.ts';

export interface App {
  page: Page;
  /** For tests marked @served only. */
  readonly host: ServedHost;
  /** Folder for files; deleted with the host. */
  folder: string;
  /** Returns the window's name of a file in that folder: its path in the desktop, otherwise its name [P1]. */
  fileAsNamed(name: string): string;
  /** Whether the window names files by their paths. */
  readonly namesPaths: boolean;
  rest: Rest;
  /** Answers the next file dialog with this file. */
  chooseFile(path: string): Promise<void>;
  /** Creates a collection with these documents. */
  fill(collection: string, documents: readonly object[]): Promise<void>;
  /** Opens an address: `#/collections/…`. */
  open(hash: string): Promise<void>;
}

const DEFAULT_VIEWPORT = { width: 1280, height: 800 };

/**
 * A window on a real host, served or desktop. It serves test after test: each begins as on a first start, and its data is
 * deleted at its end.
 */
export const test = playwright.extend<{ app: App; motion: Motion }, { kind: HostKind; opened: OpenHost }>({
  kind: ['served', { option: true, scope: 'worker' }],
  opened: [
    async ({ kind, playwright: { chromium } }, use) => {
      const opened = await openHost(kind, chromium);
      await preparePageReset(opened.page);
      await use(opened);
      await opened.stop();
    },
    { scope: 'worker' },
  ],
  // A page that animates takes a fifth of a core, and three of them run beside each other on two cores.
  motion: ['reduce', { option: true }],
  page: async ({ opened: { page, link }, viewport, motion }, use) => {
    await resetPage(page, link, viewport ?? DEFAULT_VIEWPORT, motion);
    await use(page);
  },
  app: async ({ opened: { served, folder, rest, chooseFile }, page }, use) => {
    const namesPaths = served === undefined;
    await use({
      page,
      folder,
      namesPaths,
      fileAsNamed: name => (namesPaths ? join(folder, name) : name),
      rest,
      chooseFile,
      get host() {
        if (served === undefined) throw new Error('the desktop has no address: mark this test @served');
        return served;
      },
      async fill(collection, documents) {
        await rest('POST', '/api/collections', { name: collection });
        if (documents.length > 0) await rest('POST', `/api/collections/${collection}/documents`, documents);
      },
      async open(hash) {
        await page.evaluate(to => {
          location.hash = to;
        }, hash);
      },
    });
    await deleteTestData(rest);
  },
});

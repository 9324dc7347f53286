import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test as playwright } from '@playwright/test';
import type { ServedHost } from '../../support/served-host.ts';
import { beginAfresh, canBeginAfresh } from './afresh.ts';
import { forgetAll } from './forget.ts';
import { type HostKind, type OpenHost, openHost } from './open-host.ts';
import type { Rest } from './rest.ts';

export interface App {
  page: Page;
  /** Only for what is marked @served. */
  readonly host: ServedHost;
  /** Where files may be put; deleted with the host. */
  folder: string;
  /** A file of that folder as the window names it: by its path in the desktop, by its name elsewhere [P1]. */
  fileAsNamed(name: string): string;
  /** The window names files by their paths. */
  readonly namesPaths: boolean;
  rest: Rest;
  /** The person chooses this file in the next dialog that asks for one. */
  chooseFile(path: string): Promise<void>;
  /** A new collection holding these documents. */
  fill(collection: string, documents: readonly object[]): Promise<void>;
  /** Opens a place: `#/collections/…`. */
  open(hash: string): Promise<void>;
}

const DEFAULT_VIEWPORT = { width: 1280, height: 800 };

/**
 * A window on a real host, served or the desktop's. One serves test after test: each begins as on a first start, and what
 * it made is gone with it.
 */
export const test = playwright.extend<{ app: App }, { kind: HostKind; opened: OpenHost }>({
  kind: ['served', { option: true, scope: 'worker' }],
  opened: [
    async ({ kind, playwright: { chromium } }, use) => {
      const opened = await openHost(kind, chromium);
      await canBeginAfresh(opened.page);
      await use(opened);
      await opened.stop();
    },
    { scope: 'worker' },
  ],
  page: async ({ opened: { page, link }, viewport }, use) => {
    await beginAfresh(page, link, viewport ?? DEFAULT_VIEWPORT);
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
    await forgetAll(rest);
  },
});

/** No serious or critical violation on what is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

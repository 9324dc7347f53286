import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test as playwright } from '@playwright/test';
import { ask, type ServedHost, startServedHost } from '../../support/served-host.ts';
import { forgetAll, type Rest } from './forget.ts';

export interface App {
  page: Page;
  host: ServedHost;
  rest: Rest;
  /** A new collection holding these documents. */
  fill(collection: string, documents: readonly object[]): Promise<void>;
  /** Opens a place: `#/collections/…`. */
  open(hash: string): Promise<void>;
}

/** A window on a real host. One host serves test after test, and what each made in its store is gone with it. */
export const test = playwright.extend<{ app: App }, { served: ServedHost }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs off this pattern
    async ({}, use) => {
      const host = await startServedHost({ run: 'build' });
      await use(host);
      await host.stop();
    },
    { scope: 'worker' },
  ],
  app: async ({ served: host, page }, use) => {
    const rest: Rest = async (method, path, body) => {
      const answer = await ask(host, method, path, body === undefined ? undefined : JSON.stringify(body), {
        ...(body !== undefined && { 'content-type': 'application/json' }),
      });
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text);
    };
    await page.goto(host.link);
    await use({
      page,
      host,
      rest,
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
    // Nobody watches it go: a window would ask anew for all that it shows.
    await page.close();
    await forgetAll(rest);
  },
});

/** No serious or critical violation on what is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

import type { Page, ViewportSize } from '@playwright/test';

/** Events with listeners of tests; Playwright's own listeners are on others. */
const HEARD = ['console', 'dialog', 'download', 'filechooser', 'pageerror', 'websocket'] as const;
const MARK = 'begin afresh';

/** Marks the page, so that its storage is cleared after the previous page, which saves its drafts when it ends. */
export async function preparePageReset(page: Page): Promise<void> {
  await page.addInitScript(mark => {
    if (window.name !== mark) return;
    window.name = '';
    localStorage.clear();
    // The tour has a test of its own.
    localStorage.setItem('sandglass.tour', 'seen');
    sessionStorage.clear();
    indexedDB.deleteDatabase('sandglass');
  }, MARK);
}

/** Motion that the system requests of a page. `reduce` draws moving parts once a second instead of 60 times. */
export type Motion = 'reduce' | 'no-preference';

/**
 * Resets the window to its first start. Loading a page again, in a renderer that has compiled the bundle, takes a quarter of
 * the time of a new page.
 */
export async function resetPage(
  page: Page,
  link: string | undefined,
  viewport: ViewportSize,
  motion: Motion,
): Promise<void> {
  for (const event of HEARD) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().clearPermissions();
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    reducedMotion: motion,
    forcedColors: null,
    contrast: null,
  });
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  const isElsewhere = link !== undefined && new URL(page.url()).origin !== new URL(link).origin;
  if (isElsewhere) await page.goto(link);
  await page.evaluate(
    ([mark, address]) => {
      window.name = mark;
      history.replaceState(null, '', address);
    },
    [MARK, link ?? new URL('/', page.url()).href] as const,
  );
  await page.reload();
  // From here on the page receives input.
  await page.getByRole('main').waitFor();
}

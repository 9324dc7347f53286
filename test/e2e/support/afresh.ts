import type { Page, ViewportSize } from '@playwright/test';

/** What tests listen to. Playwright's own listeners are on other events. */
const HEARD = ['console', 'dialog', 'download', 'filechooser', 'pageerror', 'websocket'] as const;
const MARK = 'begin afresh';

/** Once for a page: a marked one forgets when the page before it has gone, which still writes down its drafts. */
export async function canBeginAfresh(page: Page): Promise<void> {
  await page.addInitScript(mark => {
    if (window.name !== mark) return;
    window.name = '';
    localStorage.clear();
    sessionStorage.clear();
  }, MARK);
}

/**
 * The window as somebody opens it for the first time. A page that is loaded again, in a renderer that has compiled the
 * bundle already, costs a quarter of what a new one costs.
 */
export async function beginAfresh(
  page: Page,
  link: string | undefined,
  viewport: ViewportSize,
): Promise<void> {
  for (const event of HEARD) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().clearPermissions();
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    reducedMotion: null,
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
  // What a test drops on it or types is heard from here on.
  await page.getByRole('main').waitFor();
}

import { app, type Session, type WebContents } from 'electron';
import type { Logger } from '../engine/platform/logger.ts';
import { isAppPage } from './origin.ts';

/** The page reaches its engine through a port; `connect-src` serves only the files that the user chose. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Set on every response of the app's protocol. */
export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The only permission that the page uses: copying. */
const ALLOWED = 'clipboard-sanitized-write';

/** Refuses every other permission, for all pages of the session. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === ALLOWED && isAppPage(contents.getURL())),
  );
  session.setPermissionCheckHandler(
    (contents, permission) => permission === ALLOWED && contents !== null && isAppPage(contents.getURL()),
  );
}

/** Prevents every page from leaving the app, opening a window or embedding another page. */
export function guardEveryPage(log: Logger): Disposable {
  const guard = (contents: WebContents) => {
    const preventLeaving = (event: { preventDefault(): void; url: string }) => {
      if (isAppPage(event.url)) return;
      event.preventDefault();
      log.warn('prevented a page from leaving the app', { to: event.url });
    };
    contents.on('will-frame-navigate', preventLeaving);
    contents.on('will-redirect', preventLeaving);
    contents.on('will-attach-webview', event => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log.warn('prevented a page from opening a window', { to: url });
      return { action: 'deny' };
    });
  };
  const onCreated = (_event: Electron.Event, contents: WebContents) => guard(contents);
  app.on('web-contents-created', onCreated);
  return { [Symbol.dispose]: () => void app.off('web-contents-created', onCreated) };
}

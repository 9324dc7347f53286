import { app, type Session, type WebContents } from 'electron';
import type { Logger } from '../engine/platform/logger.ts';
import { isOurs } from './origin.ts';

/** The page talks to its engine through a port and to nobody else; what it fetches is a file the person chose. */
const CONTENT_SECURITY_POLICY = [
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

/** On every answer of the app's own protocol. */
export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** All that a page of ours ever asks for: to copy what the person marked, or told it to copy. */
const ALLOWED = 'clipboard-sanitized-write';

/** Permissions are refused, for every page of the session. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === ALLOWED && isOurs(contents.getURL())),
  );
  session.setPermissionCheckHandler(
    (contents, permission) => permission === ALLOWED && contents !== null && isOurs(contents.getURL()),
  );
}

/** No page leaves the app, opens a window or embeds another, however it was talked into trying. */
export function guardEveryPage(log: Logger): Disposable {
  const guard = (contents: WebContents) => {
    const stay = (event: { preventDefault(): void; url: string }) => {
      if (isOurs(event.url)) return;
      event.preventDefault();
      log.warn('a page may not leave the app', { to: event.url });
    };
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', event => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log.warn('a page may not open a window', { to: url });
      return { action: 'deny' };
    });
  };
  const onCreated = (_event: Electron.Event, contents: WebContents) => guard(contents);
  app.on('web-contents-created', onCreated);
  return { [Symbol.dispose]: () => void app.off('web-contents-created', onCreated) };
}

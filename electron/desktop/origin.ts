import type { IpcMainEvent, WebFrameMain } from 'electron';

/** Scheme of the built renderer. `file:` could read the whole disk, and its origin is opaque. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://bundle`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Returns whether an address is one of the app's own pages. */
export function isAppPage(address: string): boolean {
  return URL.canParse(address) && address.startsWith(`${APP_ORIGIN}/`);
}

/**
 * Returns the frame that sent an IPC message if it is the main frame of the app's own origin; undefined for any other
 * frame, and if the page was closed meanwhile.
 */
export function trustedFrame(event: Pick<IpcMainEvent, 'senderFrame'>): WebFrameMain | undefined {
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || frame.origin !== APP_ORIGIN) return undefined;
  return frame;
}

import type { IpcMainEvent, WebFrameMain } from 'electron';

/** The built renderer's address. A scheme of our own: `file:` could read the disk, and has no origin worth checking. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://bundle`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Whether an address is one of the app's own pages. */
export function isOurs(address: string): boolean {
  return URL.canParse(address) && address.startsWith(`${APP_ORIGIN}/`);
}

/**
 * The frame to answer, or undefined where nobody has to be answered: only the main frame of our own origin may ask
 * the main process for anything. The frame is gone where the page went away meanwhile.
 */
export function trustedFrame(event: Pick<IpcMainEvent, 'senderFrame'>): WebFrameMain | undefined {
  const frame = event.senderFrame;
  if (frame === null || frame.parent !== null || frame.origin !== APP_ORIGIN) return undefined;
  return frame;
}

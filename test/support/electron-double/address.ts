/**
 * Chromium knows no scheme that only Electron registers, so `app://bundle` is an address of this machine there. No
 * port in it: the origin stays the same from start to start, and `*.localhost` is as secure to a page as `app:` is.
 */
export const HOST = 'bundle.localhost';
const IN_CHROMIUM = `http://${HOST}`;
const IN_ELECTRON = 'app://bundle';

function swap(address: string, from: string, to: string): string {
  return address === from || address.startsWith(`${from}/`) ? to + address.slice(from.length) : address;
}

export const toChromium = (address: string) => swap(address, IN_ELECTRON, IN_CHROMIUM);
export const toElectron = (address: string) => swap(address, IN_CHROMIUM, IN_ELECTRON);

/** As `WebFrameMain.origin` tells it. */
export function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return host === '' ? 'null' : toElectron(`${protocol}//${host}`);
}

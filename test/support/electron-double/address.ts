/**
 * Chromium has no scheme that only Electron registers, so `app://bundle` becomes an address of this machine. It has no port: the
 * origin is the same at each start, and `*.localhost` is as secure to a page as `app:`.
 */
export const HOST = 'bundle.localhost';
const IN_CHROMIUM = `http://${HOST}`;
const IN_ELECTRON = 'app://bundle';

function swap(address: string, from: string, to: string): string {
  return address === from || address.startsWith(`${from}/`) ? to + address.slice(from.length) : address;
}

export const toChromium = (address: string) => swap(address, IN_ELECTRON, IN_CHROMIUM);
export const toElectron = (address: string) => swap(address, IN_CHROMIUM, IN_ELECTRON);

/** The format of `WebFrameMain.origin`. */
export function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return host === '' ? 'null' : toElectron(`${protocol}//${host}`);
}

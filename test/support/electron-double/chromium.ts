import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { findChromium } from '../chromium.mjs';
import { HOST } from './address.ts';
import { Cdp } from './cdp.ts';

interface ChromiumOptions {
  userData: string;
  bundlePort: number;
  /** The switches that the app appended, and Playwright's `--remote-debugging-port`. */
  switches: readonly string[];
}

export interface Chromium {
  readonly cdp: Cdp;
  close(): Promise<void>;
}

/** Starts a Chromium without a window. Its first line on standard error is the address of Playwright's connection. */
export async function startChromium({ userData, bundlePort, switches }: ChromiumOptions): Promise<Chromium> {
  const program = findChromium();
  if (program === undefined) throw new Error('the Electron double found no Chromium');
  const root = process.getuid?.() === 0;
  const child = spawn(
    program,
    [
      '--headless=new',
      ...(root ? ['--no-sandbox'] : []),
      `--user-data-dir=${userData}`,
      '--no-startup-window',
      '--remote-debugging-pipe',
      // Off in Chromium, on in Electron: the `close` event of a port.
      '--enable-blink-features=MessagePortCloseEvent',
      // The app's host resolves to the bundle's server, and no other host resolves.
      `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${bundlePort}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ...switches,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] },
  );
  const exited = new Promise<void>(resolve => child.on('exit', () => resolve()));
  const [, , , out, input] = child.stdio;
  if (!(out instanceof Writable) || !(input instanceof Readable)) throw new Error('no pipes to Chromium');
  const cdp = new Cdp(out, input);
  await cdp.send('Browser.getVersion');
  return {
    cdp,
    async close() {
      void cdp.send('Browser.close').catch(() => {});
      await exited;
    },
  };
}

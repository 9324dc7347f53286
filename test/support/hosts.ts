import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { canStartDesktop, inTrueElectron, startDesktop } from './desktop.ts';
import { startServedHost } from './served-host.ts';

/** The app in front of a person, whatever hosts it. */
export interface OpenApp {
  readonly page: Page;
  /** Deleted with the app: its store is here, and a test may put files here. */
  readonly folder: string;
  /** The person chooses this file wherever a dialog asks for one. */
  chooseFile(path: string): Promise<void>;
  stop(): Promise<void>;
}

export interface HostKind {
  readonly name: string;
  start(browser: Browser): Promise<OpenApp>;
}

const served: HostKind = {
  name: 'a browser, served',
  async start(browser) {
    const folder = await mkdtemp(join(tmpdir(), 'sandglass-served-'));
    const host = await startServedHost({ run: 'build', folder });
    const page = await browser.newPage();
    await page.goto(host.link);
    return {
      page,
      folder,
      async chooseFile(path) {
        page.on('filechooser', chooser => void chooser.setFiles(path));
      },
      async stop() {
        await page.close();
        await host.stop();
        await rm(folder, { recursive: true });
      },
    };
  },
};

const desktop: HostKind = {
  name: inTrueElectron ? 'Electron' : 'the desktop, on the Electron double',
  async start() {
    const { page, folder, answerFileDialogs, stop } = await startDesktop();
    return { page, folder, chooseFile: answerFileDialogs, stop };
  },
};

/** Every host that is there to be tested. */
export const HOSTS: readonly HostKind[] = [
  ...(inTrueElectron ? [] : [served]),
  ...(canStartDesktop ? [desktop] : []),
];

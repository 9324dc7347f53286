import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserType, expect, type Page } from '@playwright/test';
import { readOwner } from '../../../electron/engine/files/owner-file.ts';
import { makeFolder, startDesktop } from '../../support/desktop.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';
import { type Rest, restOfHost, restThroughSocket } from './rest.ts';

export type HostKind = 'served' | 'desktop';

/** A host with a window, used by test after test. */
export interface OpenHost {
  readonly page: Page;
  /** Start address of the window; undefined: it keeps its address. */
  readonly link: string | undefined;
  /** Folder of the store and of a test's files; deleted with the host. */
  readonly folder: string;
  readonly rest: Rest;
  /** Answers the next file dialog with this file. */
  chooseFile(path: string): Promise<void>;
  /** Set for the served host only. */
  readonly served: ServedHost | undefined;
  stop(): Promise<void>;
}

async function openServed(chromium: BrowserType): Promise<OpenHost> {
  const [host, browser] = await Promise.all([startServedHost({ run: 'build' }), chromium.launch()]);
  const page = await browser.newPage();
  return {
    page,
    link: host.link,
    folder: host.folder,
    rest: restOfHost(host),
    async chooseFile(path) {
      page.once('filechooser', chooser => void chooser.setFiles(path));
    },
    served: host,
    async stop() {
      await browser.close();
      await host.stop();
    },
  };
}

async function openDesktop(): Promise<OpenHost> {
  const folder = await makeFolder();
  // The same name as in the served host.
  const store = join(folder, 'test.sandglass');
  const desktop = await startDesktop({ folder, words: ['--store', store] });
  let connection: Awaited<ReturnType<typeof restThroughSocket>> | undefined;
  // The owner file names the socket shortly before the desktop listens on it.
  await expect(async () => {
    connection = await restThroughSocket(readOwner(store)?.socketPath ?? '');
  }).toPass();
  if (connection === undefined) throw new Error('the desktop does not listen');
  const { rest, close } = connection;
  return {
    page: desktop.page,
    link: undefined,
    folder,
    rest,
    chooseFile: desktop.answerFileDialogs,
    served: undefined,
    async stop() {
      close();
      await desktop.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function openHost(kind: HostKind, chromium: BrowserType): Promise<OpenHost> {
  return kind === 'served' ? openServed(chromium) : openDesktop();
}

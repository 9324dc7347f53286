import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { protocol } from 'electron';
import type { ChosenFiles } from './chosen-files.ts';
import { APP_ORIGIN, APP_SCHEME } from './origin.ts';
import { RESPONSE_HEADERS } from './security.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Names that a file of ours has; no dot in front, so neither `..` nor a hidden file is one. */
const SEGMENT = /^[\w-][\w.-]*$/;

/** Must be called before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** The path below the bundle, or undefined where the address cannot be one of its files. */
export function pathInBundle(address: string): string | undefined {
  if (!address.startsWith(`${APP_ORIGIN}/`) || !URL.canParse(address)) return undefined;
  const { pathname } = new URL(address);
  if (pathname === '/') return 'index.html';
  // Names of ours need no escapes, so what is escaped is not there, and nothing hides behind decoding.
  return pathname
    .slice(1)
    .split('/')
    .every(segment => SEGMENT.test(segment))
    ? pathname.slice(1)
    : undefined;
}

/** Serves the built renderer to the app's windows, and the files that were chosen there. */
export function serveBundle(folder: string, files: ChosenFiles): Disposable {
  protocol.handle(APP_SCHEME, async ({ method, url }) => {
    try {
      return (method === 'GET' && (await answer(url, folder, files))) || notFound();
    } catch {
      // No such file, or none that can be read: the same to whoever asks.
      return notFound();
    }
  });
  return { [Symbol.dispose]: () => protocol.unhandle(APP_SCHEME) };
}

async function answer(url: string, folder: string, files: ChosenFiles): Promise<Response | undefined> {
  const chosen = files.take(url);
  if (chosen !== undefined) {
    // Read from the disk as the page takes it, whatever its size.
    return new Response(await openAsBlob(chosen), { headers: RESPONSE_HEADERS });
  }
  const path = pathInBundle(url);
  const type = path === undefined ? undefined : TYPES[extname(path)];
  if (path === undefined || type === undefined) return undefined;
  const body = await readFile(join(folder, path));
  return new Response(body, { headers: { ...RESPONSE_HEADERS, 'content-type': type } });
}

function notFound(): Response {
  return new Response('There is nothing at this address.', { status: 404, headers: RESPONSE_HEADERS });
}

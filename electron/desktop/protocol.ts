import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { protocol } from 'electron';
import { withStyleNonce } from '../host/style-nonce.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { APP_ORIGIN, APP_SCHEME } from './origin.ts';
import { CONTENT_SECURITY_POLICY, RESPONSE_HEADERS } from './security.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A path segment of the bundle; without a leading dot, so neither `..` nor a hidden file. */
const SEGMENT = /^[\w-][\w.-]*$/;

/** Must be called before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Returns the path below the bundle; undefined if the address cannot be one of its files. */
function pathInBundle(address: string): string | undefined {
  if (!address.startsWith(`${APP_ORIGIN}/`) || !URL.canParse(address)) return undefined;
  const { pathname } = new URL(address);
  if (pathname === '/') return 'index.html';
  // The path is not decoded: names in the bundle need no escapes.
  return pathname
    .slice(1)
    .split('/')
    .every(segment => SEGMENT.test(segment))
    ? pathname.slice(1)
    : undefined;
}

/** Serves the built renderer and the chosen files to the app's windows. */
export function serveBundle(folder: string, files: ChosenFiles): Disposable {
  protocol.handle(APP_SCHEME, async ({ method, url }) => {
    try {
      return (method === 'GET' && (await answer(url, folder, files))) || notFound();
    } catch {
      // The reason is not disclosed to the page.
      return notFound();
    }
  });
  return { [Symbol.dispose]: () => protocol.unhandle(APP_SCHEME) };
}

async function answer(url: string, folder: string, files: ChosenFiles): Promise<Response | undefined> {
  const chosen = files.take(url);
  if (chosen !== undefined) {
    // Streamed from the disk, so the size does not matter.
    return new Response(await openAsBlob(chosen), { headers: RESPONSE_HEADERS });
  }
  const path = pathInBundle(url);
  const type = path === undefined ? undefined : TYPES[extname(path)];
  if (path === undefined || type === undefined) return undefined;
  if (path === 'index.html') return answerPage(join(folder, path));
  const body = await readFile(join(folder, path));
  return new Response(body, { headers: { ...RESPONSE_HEADERS, 'content-type': type } });
}

/** The window's page, with a nonce of this response for its style elements. */
async function answerPage(file: string): Promise<Response> {
  const { page, policy } = withStyleNonce(await readFile(file, 'utf8'), CONTENT_SECURITY_POLICY);
  const headers = {
    ...RESPONSE_HEADERS,
    'content-security-policy': policy,
    'content-type': TYPES['.html'] ?? '',
  };
  return new Response(page, { headers });
}

function notFound(): Response {
  return new Response('There is nothing at this address.', { status: 404, headers: RESPONSE_HEADERS });
}

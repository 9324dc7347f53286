import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { withStyleNonce } from '../host/style-nonce.ts';
import { answerFailure, CONTENT_SECURITY_POLICY } from './answer/response.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The build puts a hash of the content into these names, so browsers may cache these files without a limit. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/;

/** A path segment of the folder; without a leading dot, so neither `..` nor a hidden file. */
const SEGMENT = /^[\w-][\w.-]*$/;

/** Returns the path below the served folder; undefined if it cannot be one of its files. */
function safePath(pathname: string): string | undefined {
  if (pathname === '/') return '/index.html';
  // The path is not decoded: names in the folder need no escapes.
  return pathname
    .slice(1)
    .split('/')
    .every(segment => SEGMENT.test(segment))
    ? pathname
    : undefined;
}

/** Answers a request with a file of `folder`. */
export async function answerFile(
  folder: string,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    answerFailure(response, { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Files can only be read.' });
    return;
  }
  const path = safePath(pathname);
  const type = path === undefined ? undefined : TYPES[extname(path)];
  const file = path === undefined ? undefined : join(folder, path);
  const size = file === undefined ? undefined : await sizeOf(file);
  if (path === undefined || type === undefined || file === undefined || size === undefined) {
    answerFailure(response, { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this address.' });
    return;
  }
  if (path === '/index.html') {
    await answerPage(file, request, response);
    return;
  }
  response.writeHead(200, {
    'content-type': type,
    'content-length': size,
    'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (request.method === 'HEAD') response.end();
  // An error means that the client disconnected.
  else pipeline(createReadStream(file), response, () => {});
}

/** The window's page, with a nonce of this response for its style elements. */
async function answerPage(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { page, policy } = withStyleNonce(await readFile(file, 'utf8'), CONTENT_SECURITY_POLICY);
  response.writeHead(200, {
    'content-type': TYPES['.html'],
    'content-length': Buffer.byteLength(page),
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

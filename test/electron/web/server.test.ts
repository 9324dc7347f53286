import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { startWebServer, type WebServer } from '../../../electron/web/server.ts';

const outside = mkdtempSync(join(tmpdir(), 'sandglass-web-'));
const folder = join(outside, 'renderer');
let server: WebServer;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outside, 'package.json'), '{"name": "outside"}');
  writeFileSync(join(folder, '.env'), '"name"');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'probe-0123abcd.js'), '"probe"');
  server = await startWebServer({
    engineAt: () => ({
      attach: () => false,
      isRunning: true,
      isRemote: false,
      link: { call: () => Promise.resolve(null) },
      linkOf: () => ({ call: () => Promise.resolve(null) }),
    }),
    token: 'the-token',
    host: '127.0.0.1',
    port: 0,
    defaultPort: 0,
    folder,
    version: '0',
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
  });
});
afterAll(() => server.close());

/** Sends a request without the normalization of path and headers that fetch does. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const { port } = new URL(server.address);
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => (text += chunk));
        response.on('end', () =>
          resolve({
            ...(response.statusCode === undefined ? {} : { status: response.statusCode }),
            headers: response.headers,
            text,
          }),
        );
      });
      sent.on('error', reject).end();
    },
  );
}

describe('the web server', () => {
  it('serves the built files with a strict content security policy, and caches hashed ones without expiry', async () => {
    const { status, headers, text } = await raw('/assets/probe-0123abcd.js');
    expect({ status, text }).toEqual({ status: 200, text: '"probe"' });
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'self';/),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const page = await raw('/');
    expect(page).toMatchObject({
      status: 200,
      text: '<!doctype html>',
      headers: { 'cache-control': 'no-cache' },
    });
  });

  it.each([
    '/../package.json',
    '/assets/../../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/assets/..\\..\\..\\package.json',
    '//etc/passwd',
    '/.env',
    '/assets',
    '/assets/probe-0123abcd.js%00.html',
    'http://evil.example/index.html',
  ])('serves only its own files: %s', async path => {
    const { status, text } = await raw(path);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('"name"');
  });

  it('allows only reading files', async () => {
    expect((await raw('/index.html', {}, 'POST')).status).toBe(405);
    expect((await raw('/assets/probe-0123abcd.js', {}, 'HEAD')).text).toBe('');
  });

  it('refuses another site’s name and pages before any other check', async () => {
    const authorization = 'Bearer the-token';
    for (const path of ['/', '/api/store']) {
      expect((await raw(path, { host: 'evil.example', authorization })).status).toBe(403);
      expect((await raw(path, { origin: 'http://evil.example', authorization })).status).toBe(403);
    }
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const foreign = await raw('/rpc', { ...upgrade, ...key, origin: 'http://evil.example' });
    expect(foreign.status).toBe(403);
  });

  it('accepts a ticket once, and an invalid one never', async () => {
    const { pathname, search } = new URL(server.openingAddress());
    const open = async (path: string) => {
      const { status, headers } = await raw(path);
      return { status, location: headers.location };
    };
    expect(await open(pathname + search)).toEqual({ status: 303, location: '/#token=the-token' });
    expect(await open(pathname + search)).toEqual({ status: 303, location: '/' });
    expect(await open('/open?ticket=made-up')).toEqual({ status: 303, location: '/' });
  });

  it('uses any free port if the default one is in use, but not instead of a requested one', async () => {
    const options = {
      engineAt: () => ({
        attach: () => false,
        isRunning: true,
        isRemote: false,
        link: { call: () => Promise.resolve(null) },
        linkOf: () => ({ call: () => Promise.resolve(null) }),
      }),
      token: 'x',
      host: '127.0.0.1',
      defaultPort: Number(new URL(server.address).port),
      folder,
      version: '0',
      clock: systemClock,
      log: createLogger('silent', systemClock.now),
    };
    const other = await startWebServer({ ...options, port: undefined });
    expect(new URL(other.address).port).not.toBe(String(options.defaultPort));
    await other.close();
    await expect(startWebServer({ ...options, port: options.defaultPort })).rejects.toThrow('EADDRINUSE');
  });
});

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Permission } from '../../../shared/contract/permissions.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

const MIB = 1024 * 1024;
const documents = '/api/collections/things/documents';
let host: ServedHost;
let tokens: { read: string; write: string };

beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
  const token = async (permission: Permission) => {
    const made = await fetchFrom(
      host,
      'POST',
      '/api/tokens',
      JSON.stringify({ name: permission, permission }),
    );
    return String(JSON.parse(made.text).token);
  };
  tokens = { read: await token('read'), write: await token('write') };
});
afterAll(() => host.stop());

/** Returns the head of a request, without its body. */
function head(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: new URL(host.origin).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Opens a connection that sends `text` and collects the response. */
function send(text: string): { socket: Socket; heard: () => string; closed: Promise<void> } {
  const { port } = new URL(host.origin);
  const socket = connect(Number(port), '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', part => (heard += part));
  socket.on('error', () => {});
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return { socket, heard: () => heard, closed };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('[P1] a token without the permission', () => {
  it.each([
    ['POST', '/api/collections/things/imports', 'application/x-ndjson'],
    ['POST', documents, 'application/x-ndjson'],
    ['POST', documents, 'application/json'],
    ['PUT', `${documents}/a`, 'application/json'],
    ['POST', '/api/collections', 'application/json'],
    ['PATCH', '/api/settings', 'application/json'],
  ])('[P1] is refused before its body is read: %s %s as %s', async (method, path, type) => {
    const common = { ...bearer(tokens.read), 'content-type': type };
    const sized = send(head(method, path, { ...common, 'content-length': 300 * MIB }));
    const chunked = send(head(method, path, { ...common, 'transfer-encoding': 'chunked' }));
    const asking = send(head(method, path, { ...common, 'content-length': 5, expect: '100-continue' }));
    for (const { heard } of [sized, chunked, asking])
      await expect.poll(heard, { timeout: 4_000 }).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a body', () => {
  it('is refused by its length, and without a length once it is too large', async () => {
    const preview = '/api/collections/things/ttl-indexes/preview';
    const said = send(head('POST', preview, { ...bearer(tokens.read), 'content-length': 2 * MIB }));
    await expect.poll(said.heard, { timeout: 4_000 }).toMatch(/^HTTP\/1\.1 413 [\s\S]*"limitBytes":1048576/);
    const { status, text } = await fetchFrom(
      host,
      'POST',
      documents,
      `[${'{"_id":"x"},'.repeat(6e6).slice(0, -1)}]`,
    );
    expect([status, JSON.parse(text).data]).toEqual([413, { limitBytes: 64 * MIB }]);
  });

  it('is requested with 100 Continue if the sender expects that', async () => {
    const { socket, heard } = send(
      head('POST', '/api/collections', {
        ...bearer(tokens.write),
        'content-length': 19,
        expect: '100-continue',
      }),
    );
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 100 Continue/);
    socket.write('{"name": "patient"}');
    await expect.poll(heard).toMatch(/HTTP\/1\.1 201 /);
  });

  it('that continues after its refusal ends with a closed connection', async () => {
    const dripping = send(head('POST', '/api/collections', { 'transfer-encoding': 'chunked' }));
    await expect.poll(dripping.heard).toMatch(/^HTTP\/1\.1 401 /);
    const drip = setInterval(() => dripping.socket.write('1\r\nx\r\n'), 200);
    const flood = send(head('POST', '/api/collections', { 'content-length': 1024 * MIB }));
    await expect.poll(flood.heard).toMatch(/^HTTP\/1\.1 401 /);
    flood.socket.write(Buffer.alloc(40 * MIB));
    await Promise.all([dripping.closed, flood.closed]);
    clearInterval(drip);
  }, 15_000);
});

describe('a list of documents as JSON', () => {
  const list = (count: number, from = 0, text = 'x'.repeat(200)) =>
    JSON.stringify(
      Array.from({ length: count }, (_, n) => ({ _id: `d${from + n}`, n, text })),
      null,
      1,
    );

  it('of more than 1 MiB is written like a small one: exact digits, positions of rejected documents, atomic', async () => {
    const large = `[${'{"_id":"big","n":12345678901234567890}'}, 7, ${list(8_000).slice(1)}`;
    expect(large.length).toBeGreaterThan(MIB);
    const { status, text } = await fetchFrom(host, 'POST', documents, large);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      inserted: 8_001,
      ids: [],
      rejected: [{ line: 2, code: 'INVALID_DOCUMENT' }],
    });
    expect((await fetchFrom(host, 'GET', `${documents}/big`)).text).toContain('12345678901234567890');

    const again = await fetchFrom(host, 'POST', `${documents}?atomic=true`, list(8_000, 7_999));
    expect(again.status).toBe(400);
    expect((await fetchFrom(host, 'GET', `${documents}/d8001`)).status).toBe(404);
  });

  it('[C1] that holds a document of more than 16 MiB is written without it, and with `atomic` not at all', async () => {
    const body = (id: string) =>
      `[{"_id":"${id}1"},{"_id":"${id}2","text":"${'x'.repeat(16 * MIB)}"},{"_id":"${id}3"},7]`;
    const { status, text } = await fetchFrom(host, 'POST', documents, body('part'));
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      {
        inserted: 2,
        ids: ['part1', 'part3'],
        rejected: [
          { line: 2, code: 'DOCUMENT_TOO_LARGE' },
          { line: 4, code: 'INVALID_DOCUMENT' },
        ],
      },
    ]);
    const whole = await fetchFrom(host, 'POST', `${documents}?atomic=true`, body('whole'));
    expect([whole.status, JSON.parse(whole.text).code]).toEqual([413, 'DOCUMENT_TOO_LARGE']);
    expect((await fetchFrom(host, 'GET', `${documents}/whole1`)).status).toBe(404);
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, -1)],
    ['with a comma at its end', (text: string) => `${text.slice(0, -1)},]`],
    ['without a comma', (text: string) => text.replaceAll('},\n {\n  "_id": "e7', '}\n {\n  "_id": "e7')],
    ['with text after it', (text: string) => `${text} {}`],
    ['with a number that cannot be stored', (text: string) => text.replace('"n": 3999', '"n": 1e999')],
    ['that is not UTF-8', (text: string) => text.replace('"n": 3999', '"n": "\u{dcff}"')],
  ])('of more than 1 MiB is refused as a whole where it is invalid JSON: %s', async (what, damage) => {
    const text = damage(list(5_000).replaceAll('"d', '"e'));
    const body = Buffer.from(text, what === 'that is not UTF-8' ? 'latin1' : 'utf8');
    const response = await fetch(host.origin + documents, {
      method: 'POST',
      headers: bearer(tokens.write),
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: expect.stringMatching(/^The body is not JSON: /), data: {} },
    ]);
    expect((await fetchFrom(host, 'GET', `${documents}/e1`)).status).toBe(404);
  });

  it('of many MiB does not delay other calls, and is parsed one at a time', async () => {
    const document = (n: number) => `{"_id":"m${n}","values":[${'0,'.repeat(MIB / 8)}0]}`;
    const body = `[${Array.from({ length: 32 }, (_, n) => document(n)).join(',')}]`;
    expect(body.length).toBeGreaterThan(8 * MIB);
    const sending = Promise.all(
      Array.from({ length: 3 }, () => fetchFrom(host, 'POST', `${documents}?mode=upsert`, body)),
    );
    let isOver = false;
    void sending.finally(() => {
      isOver = true;
    });
    const waits: number[] = [];
    while (!isOver) {
      const before = performance.now();
      expect((await fetchFrom(host, 'GET', '/api/store')).status).toBe(200);
      waits.push(performance.now() - before);
    }
    expect((await sending).map(({ status }) => status)).toEqual([200, 200, 200]);
    // Parsed in one piece, a body of this size blocked other calls for seconds.
    expect(waits.length).toBeGreaterThan(10);
    expect(Math.max(...waits)).toBeLessThan(2_000);
  }, 60_000);
});

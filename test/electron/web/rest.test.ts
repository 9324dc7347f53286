import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { limitLeftoverBody } from '../../../electron/web/body/leftover-body.ts';
import { createRest } from '../../../electron/web/rest/rest.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
});
afterAll(() => host.stop());

const NDJSON = { 'content-type': 'application/x-ndjson' };
const documents = '/api/collections/things/documents';

async function json(method: string, path: string, body?: string, headers?: Record<string, string>) {
  const { status, text } = await fetchFrom(host, method, path, body, headers);
  const parsed: unknown = JSON.parse(text);
  return { status, body: parsed };
}

/** Sends a body as a stream, without its length. */
async function upload(url: string, body: Readable, headers: Record<string, string>) {
  const sent = request(url, { method: 'POST', headers });
  const answer = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.on('error', reject).on('response', response => {
      readText(response).then(
        text => resolve({ status: response.statusCode, body: JSON.parse(text) }),
        reject,
      );
    });
  });
  await pipeline(body, sent);
  return answer;
}

describe('REST', () => {
  it('requires the token', async () => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${host.token}`]) {
      const { status, text, headers } = await fetchFrom(host, 'GET', '/api/store', undefined, {
        authorization,
      });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(JSON.parse(text)).toMatchObject({ code: 'UNAUTHORIZED', data: {} });
    }
    for (const path of ['/api/openapi.json', '/api/nothing', '/_api/index/ttl', '/_fabric/_system/x']) {
      expect((await fetchFrom(host, 'GET', path, undefined, { authorization: '' })).status).toBe(401);
    }
    expect((await fetchFrom(host, 'GET', '/api/store')).status).toBe(200);
  });

  it('creates with 201, and answers a typed error with its status, code, message and data', async () => {
    expect(await json('POST', '/api/collections', '{"name": "twice"}')).toMatchObject({
      status: 201,
      body: { name: 'twice' },
    });
    expect(await json('POST', '/api/collections', '{"name": "twice"}')).toEqual({
      status: 409,
      body: { code: 'COLLECTION_EXISTS', message: expect.any(String), data: { collection: 'twice' } },
    });
    expect(await json('GET', '/api/collections/nowhere')).toMatchObject({
      status: 404,
      body: { code: 'COLLECTION_NOT_FOUND' },
    });
  });

  it('names the field of a refused input', async () => {
    expect(await json('GET', `${documents}?limit=0`)).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: expect.stringMatching(/^limit: /),
        data: { problems: [{ field: 'limit' }] },
      },
    });
    const index = '{"source": {"kind": "field", "field": "t", "expireAfter": -1}}';
    expect(await json('POST', '/api/collections/things/ttl-indexes', index)).toMatchObject({
      body: { code: 'BAD_REQUEST', message: 'source.expireAfter: expireAfter is 0 or more seconds.' },
    });
    const twoFields = '{"type": "ttl", "fields": ["a", "b"], "expireAfter": 1}';
    expect(await json('POST', '/_api/index/ttl?collection=things', twoFields)).toMatchObject({
      status: 400,
      body: { message: 'fields: Exactly one attribute path has to be given.' },
    });
  });

  it('[C1] keeps all digits of integers beyond 2^53, in requests and responses', async () => {
    const big =
      '{"_id":"big","n":12345678901234567890,"deep":[{"m":-9007199254740993}],"f":0.1,"s":"9007199254740993"}';
    expect((await fetchFrom(host, 'POST', documents, big)).status).toBe(200);
    expect((await fetchFrom(host, 'GET', `${documents}/big`)).text).toContain(`"document":${big}`);
    const line = '{"_id":"line","n":98765432109876543210}';
    expect((await fetchFrom(host, 'POST', documents, line, NDJSON)).status).toBe(200);
    expect((await fetchFrom(host, 'GET', `${documents}/line`)).text).toContain(`"document":${line}`);
  });

  it('reaches a document whose _id needs escaping', async () => {
    await fetchFrom(host, 'POST', documents, '{"_id":"a/b ü?%"}');
    const { status, body } = await json('GET', `${documents}/${encodeURIComponent('a/b ü?%')}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { _id: 'a/b ü?%' } });
  });

  it('accepts JSON with the default types of curl, and no other type', async () => {
    const type = 'application/x-www-form-urlencoded';
    const write = (contentType: string) =>
      json('POST', `${documents}?mode=upsert`, '{"_id":"curl"}', { 'content-type': contentType });
    expect(await write(type)).toMatchObject({ status: 200 });
    expect(await write('application/xml')).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
  });

  it('reports why a body is not JSON', async () => {
    expect(await json('POST', '/api/collections', '{"name": ')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining('The body is not JSON: ') },
    });
    const latin = await fetch(host.origin + documents, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.token}` },
      body: new Uint8Array([0x22, 0xe9, 0x22]),
    });
    expect(await latin.json()).toMatchObject({ message: 'The body is not JSON: it is not UTF-8' });
  });

  it('refuses a call with an argument in the wrong place', async () => {
    expect(await json('POST', '/api/reaper/pause?collection=things')).toMatchObject({
      status: 400,
      body: {
        message: 'POST /api/reaper/pause expects its arguments as JSON in the body, not in the address.',
      },
    });
    expect(await json('GET', '/api/reaper')).toMatchObject({ body: { paused: null } });
  });

  it('answers an unknown address with 404 and the list of routes', async () => {
    expect(await json('PATCH', '/api/store')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: expect.stringContaining('/api/openapi.json') },
    });
  });

  it('describes every route in /api/openapi.json', async () => {
    const { body } = await json('GET', '/api/openapi.json');
    const described = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
      .parse(body);
    expect(described.openapi).toMatch(/^3\.1/);
    expect(Object.keys(described.paths)).toEqual(
      expect.arrayContaining([
        '/api/collections/{collection}/documents/{id}',
        '/api/collections/{collection}/ttl-indexes/preview',
        '/api/timeline',
        '/_api/index/ttl',
        '/_fabric/_system/_api/index/ttl',
        '/metrics',
        '/api/openapi.json',
      ]),
    );
    expect(JSON.stringify(described.paths['/api/collections/{collection}/documents'])).toContain(
      'application/x-ndjson',
    );
    expect(Object.keys(described.paths).some(path => path.startsWith('/imports'))).toBe(false);
  });

  it('describes patches, documents, routes that need a token, and required bodies', async () => {
    const { body } = await json('GET', '/api/openapi.json');
    const schemas: unknown[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inside] of Object.entries(value)) {
        if (name === 'patch' || name === 'document') schemas.push(inside);
        collect(inside);
      }
    };
    collect(z.record(z.string(), z.unknown()).parse(body).paths);
    // PATCH of a path is an operation, not a schema.
    const shapes = schemas.filter(one => !(typeof one === 'object' && one !== null && 'responses' in one));
    expect(shapes.length).toBeGreaterThan(5);
    for (const shape of shapes) expect(shape).toEqual({ type: 'object' });
    const required = { requestBody: { required: true } };
    expect(body).toMatchObject({
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: {
        '/api/collections/{collection}/ttl-indexes/preview': { post: required },
        '/api/collections/{collection}/documents': { post: required },
        '/api/collections/{collection}/documents/{id}': {
          put: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    });
    await json('POST', '/api/collections', '{"name": "shapes"}');
    for (const path of ['documents', 'ttl-indexes/preview'])
      expect((await json('POST', `/api/collections/shapes/${path}`)).status).toBe(400);
    expect((await json('POST', '/api/reaper/resume')).status).toBe(200);
  });

  it('streams live updates as server-sent events', async () => {
    const stop = new AbortController();
    const response = await fetch(`${host.origin}/api/live`, {
      headers: { authorization: `Bearer ${host.token}` },
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('"first":true')) break;
    }
    expect(text).toContain('event: message\ndata: {');
    stop.abort();
  });
});

describe('Macrometa’s call', () => {
  it('ensures an index at Macrometa’s address and at ArangoDB’s', async () => {
    await fetchFrom(host, 'POST', '/api/collections', '{"name": "fabric"}');
    const index = '{"type": "ttl", "fields": ["creationDate"], "expireAfter": 600}';
    const made = await json('POST', '/_fabric/_system/_api/index/ttl?collection=fabric', index);
    expect(made).toMatchObject({ status: 201, body: { isNewlyCreated: true, fields: ['creationDate'] } });
    expect(await json('POST', '/_api/index/ttl?collection=fabric', index)).toMatchObject({
      status: 200,
      body: { isNewlyCreated: false, name: z.object({ name: z.string() }).parse(made.body).name },
    });
  });
});

describe('NDJSON', () => {
  it('is read as a stream, and invalid lines are reported by number', async () => {
    const lines = ['{"_id":"n1"}', '', '{bad', '{"_id":"n2"}', '{"_id":"n1"}'].join('\n');
    const { status, body } = await json('POST', documents, lines, NDJSON);
    expect(status).toBe(200);
    expect(body).toMatchObject({ inserted: 2, updated: 0, committedLines: 5, rejectedCount: 2 });
    const { rejected } = z.object({ rejected: z.array(z.object({ line: z.number() })) }).parse(body);
    expect(rejected.map(({ line }) => line)).toEqual([3, 5]);
  });

  it('of many pieces, cut anywhere, is written completely and with little memory', async () => {
    const file = join(host.folder, 'many.ndjson');
    const line = (n: number) => JSON.stringify({ _id: `many-${n}`, text: 'ü√'.repeat(40) });
    await writeFile(file, Array.from({ length: 20_000 }, (_, n) => line(n)).join('\n'));
    const { body } = await upload(
      `${host.origin + documents}?mode=upsert`,
      createReadStream(file, { highWaterMark: 7_777 }),
      { authorization: `Bearer ${host.token}`, ...NDJSON },
    );
    expect(body).toMatchObject({ inserted: 20_000, rejected: [], committedLines: 20_000 });
    expect((await fetchFrom(host, 'GET', `${documents}/many-19999`)).text).toContain('ü√ü√');
  });

  it('is refused with atomic, and for a missing collection', async () => {
    expect(await json('POST', `${documents}?atomic=true`, '{}', NDJSON)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^atomic: /) },
    });
    expect(await json('POST', '/api/collections/nowhere/documents', '{}', NDJSON)).toMatchObject({
      status: 404,
      body: { code: 'COLLECTION_NOT_FOUND' },
    });
  });
});

describe('a body beyond the limit', () => {
  it('is refused with 413 and the limit, with or without a length', async () => {
    const rest = createRest({
      admit: async () => ({
        engine: { linkOf: () => ({ call: () => Promise.resolve(null) }) },
        caller: { user: 'ada', permission: 'configure', from: 'network' },
      }),
      version: '0',
      clock: systemClock,
      log: createLogger('silent', systemClock.now),
    });
    const server = createServer((request, response) => {
      limitLeftoverBody(request, response, systemClock);
      void rest(new URL(`http://here${request.url}`), request, response);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/collections`;
    const text = '1'.repeat(5_000_000);
    const refused = {
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', message: expect.any(String), data: { limitBytes: 1024 * 1024 } },
    };
    expect(await upload(url, Readable.from([text]), {})).toEqual(refused);
    expect(await upload(url, Readable.from([text]), { 'content-length': String(text.length) })).toEqual(
      refused,
    );
    server.closeAllConnections();
    server.close();
  });
});

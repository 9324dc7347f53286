import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
  await fetchFrom(
    host,
    'POST',
    '/api/collections/things/documents',
    '[{"_id": "a", "at": 1e12}, {"_id": "b"}]',
  );
  const source = { kind: 'field', field: 'at', expireAfter: 1e9 };
  await fetchFrom(host, 'POST', '/api/collections/things/ttl-indexes', JSON.stringify({ name: 'i', source }));
  mkdirSync(join(host.folder, 'folder.sandglass'));
  writeFileSync(join(host.folder, 'text.sandglass'), 'This is no store.');
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(host.folder, 'pipe.sandglass')]);
});
afterAll(() => host.stop());

const parameter = z.object({ name: z.string(), in: z.string() });
const operation = z.object({
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional() })
    .optional(),
});
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Invalid values for any field, and some that are almost valid. */
const HOSTILE: readonly unknown[] = [
  '',
  'x',
  '\u0000',
  'a\u0000b',
  '../../etc/passwd',
  '/dev/null',
  '/etc',
  '~/x',
  '__proto__',
  'constructor',
  '\ud800',
  'x'.repeat(5_000),
  '9'.repeat(400),
  '1e999',
  '-1',
  'NaN',
  'things',
  'i',
  'home',
  'folder.sandglass',
  'text.sandglass',
  'pipe.sandglass',
  'missing.sandglass',
  '%',
  '2030-02-30',
  'doc.x +',
  0,
  -1,
  1.5,
  1e300,
  -1e300,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  null,
  [],
  [[]],
  [null],
  {},
  { constructor: 1 },
  { kind: 'file', file: '/dev/null' },
  { kind: 'file', file: 'folder.sandglass' },
  { kind: 'field', field: '\u0000', expireAfter: 1e300 },
  { kind: 'expression', expression: 'doc.a.b(' },
  { after: 1e300 },
  { at: -1e300 },
  { never: false },
  { mode: 'cron', cron: '* * * *' },
  { action: 'move', to: '\u0000' },
  { action: 'patch', patch: null },
  { ids: ['\u0000'] },
  { collection: {} },
];
const BODIES: readonly string[] = [
  '',
  'null',
  '0',
  '"text"',
  'true',
  '[]',
  '[[]]',
  '[1,null,"x",{}]',
  '{}',
  '{"_id":null}',
  '{"_id":"\\u0000"}',
  '{"__proto__":{}}',
  '{"a":1e999}',
  '{',
  '\u0000',
  '"\\ud800"',
  '9'.repeat(400),
  '{"body":{}}',
  '{"json":{},"meta":[[1,"x"]]}',
];
const IN_THE_ADDRESS = [
  '%00',
  '%',
  '%2e%2e',
  '..',
  'x',
  'things',
  'a',
  'i',
  'home',
  '-1',
  '%ff',
  'a%2fb',
  'x'.repeat(3_000),
];

/** Streams, which do not end by themselves. */
const STREAMS = ['/api/live', '/api/events'];
/** Each field is tested with the next five values; with all values in `npm run test:all`. */
const VALUES_A_FIELD = Number(process.env.HOSTILE_VALUES ?? 5);
let turn = 0;
function some<Value>(values: readonly Value[]): Value[] {
  const from = turn % values.length;
  turn += VALUES_A_FIELD;
  return [...values.slice(from), ...values.slice(0, from)].slice(0, VALUES_A_FIELD);
}

/** Calls that would stop the host under test, or take long. */
const LEFT_OUT = /^(delete|post) \/api\/(connections\/\{id\}(\/(close|open))?|sample-data)$/;

async function describedOperations() {
  const { text } = await fetchFrom(host, 'GET', '/api/openapi.json');
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method =>
      item[method] === undefined || STREAMS.includes(path) || LEFT_OUT.test(`${method} ${path}`)
        ? []
        : [{ method: method.toUpperCase(), path, ...operation.parse(item[method]) }],
    ),
  );
}

/** Returns the names of fields at any depth of a body's schema. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inside]) =>
    name === 'properties' && typeof inside === 'object' && inside !== null
      ? [...Object.keys(inside), ...fieldsOf(inside)]
      : fieldsOf(inside),
  );
}

/** Sends a call. Returns the faults of the response: a defect's status, a stack, a path of the machine. */
async function wrongWith(method: string, path: string, body?: string): Promise<string | undefined> {
  const { status, text } = await fetchFrom(
    host,
    method,
    path,
    body,
    body === undefined ? {} : { 'content-type': 'application/json' },
  );
  const leak = /\n\s+at |node_modules|\.(ts|js|mjs):\d+/.test(text) ? 'a stack' : undefined;
  const what = status >= 500 && status !== 503 ? `status ${status}` : leak;
  return (
    what && `${method} ${path.slice(0, 120)} ${(body ?? '').slice(0, 120)}: ${what}: ${text.slice(0, 200)}`
  );
}

const address = (path: string, value = 'things') => path.replace(/\{[^}]+\}/g, value);

describe('every route, called with invalid input', () => {
  it('answers with a 4xx status, without internal details', async () => {
    const calls: [string, string, (string | undefined)?][] = [];
    for (const { method, path, parameters, requestBody } of await describedOperations()) {
      for (const value of some(IN_THE_ADDRESS))
        calls.push([method, address(path, value), method === 'GET' ? undefined : '{}']);
      const queries = parameters.filter(one => one.in === 'query').map(({ name }) => name);
      for (const name of queries)
        for (const value of some(HOSTILE))
          calls.push([
            method,
            `${address(path)}?${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`,
          ]);
      if (method === 'GET') continue;
      for (const body of BODIES) calls.push([method, address(path), body]);
      for (const name of new Set(fieldsOf(requestBody?.content)))
        for (const value of some(HOSTILE))
          calls.push([method, address(path), JSON.stringify({ [name]: value })]);
    }
    expect(calls.length).toBeGreaterThan(1_000);
    const wrong: string[] = [];
    const next = calls[Symbol.iterator]();
    const work = async () => {
      for (const call of next) {
        const found = await wrongWith(...call);
        if (found !== undefined) wrong.push(found);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(wrong).toEqual([]);
    expect((await fetchFrom(host, 'GET', '/api/store')).status).toBe(200);
  }, 600_000);

  it('refuses a body that is not an object', async () => {
    for (const { method, path } of await describedOperations()) {
      if (method === 'GET') continue;
      for (const body of ['[{}]', '"text"', '7', 'true', 'null']) {
        if (body === '[{}]' && path.endsWith('/documents')) continue;
        if (path.endsWith('/imports')) continue;
        const { status, text } = await fetchFrom(host, method, address(path), body);
        expect([method, path, body, status]).toEqual([method, path, body, 400]);
        expect(JSON.parse(text).message).toMatch(/JSON object/);
      }
    }
  });

  it.each(['folder.sandglass', 'text.sandglass', 'pipe.sandglass', 'none/x.sandglass'])(
    '[P2] refuses to connect %s with a 4xx status',
    async file => {
      const body = JSON.stringify({ name: 'x', target: { kind: 'file', file } });
      const { status, text } = await fetchFrom(host, 'POST', '/api/connections', body);
      expect([file, status]).toEqual([file, 400]);
      expect(JSON.parse(text).code).toBe('INVALID_CONNECTION');
    },
  );

  it('[P1] ends a waiting call with 401 when its token is revoked', async () => {
    const made = await fetchFrom(host, 'POST', '/api/tokens', '{"name": "short", "permission": "read"}');
    const token = String(JSON.parse(made.text).token);
    const waiting = fetchFrom({ origin: host.origin, token }, 'GET', '/api/changes?waitMs=20000');
    await fetchFrom({ origin: host.origin, token }, 'GET', '/api/store');
    await fetchFrom(host, 'DELETE', '/api/tokens/short');
    const { status, text } = await waiting;
    expect([status, JSON.parse(text).code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('Macrometa’s call', () => {
  it.each([
    [{ unique: true }, 'unique: A TTL index is not unique.'],
    [{ sparse: false }, 'sparse: A TTL index is sparse.'],
    [{ deduplicate: true }, 'Unrecognized key: "deduplicate"'],
    [{ type: 'hash' }, 'type: type is "ttl".'],
  ])('refuses unsupported options: %j', async (option, message) => {
    const body = JSON.stringify({ type: 'ttl', fields: ['f'], expireAfter: 1, ...option });
    const { status, text } = await fetchFrom(host, 'POST', '/_api/index/ttl?collection=things', body);
    expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(message)]);
  });
});

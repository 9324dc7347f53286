import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "c"}');
  await fetchFrom(host, 'POST', '/api/collections/c/documents', '{"_id": "a"}');
});
afterAll(() => host.stop());

const source = { kind: 'field', field: 'at', expireAfter: 60 };
async function post(path: string, body: object, method = 'POST') {
  const { status, text } = await fetchFrom(host, method, `/api/collections/c/${path}`, JSON.stringify(body));
  return { status, message: JSON.parse(text).message };
}

describe('a body with an unknown field', () => {
  it('creates no index, which could delete where another action was meant [A1]', async () => {
    const made = await post('ttl-indexes', { source, onExpires: { action: 'move', to: 'archive' } });
    expect(made).toEqual({ status: 400, message: 'Unrecognized key: "onExpires"' });
    expect((await fetchFrom(host, 'GET', '/api/collections/c/ttl-indexes')).text).toBe('[]');
  });

  it('is not previewed without that field [X3]', async () => {
    expect(await post('ttl-indexes/preview', { index: 'i', source })).toMatchObject({ status: 400 });
  });

  it('reverts nothing [X5]', async () => {
    expect(await post('ttl-indexes/i/revert', { change: 1, preview: true })).toEqual({
      status: 400,
      message: 'Unrecognized key: "preview"',
    });
  });
});

describe('a body of the wrong kind', () => {
  it.each([['"60"'], ['null'], ['true'], ['[5]']])(
    'is refused with the valid sources: expireAfter %s [D1]',
    async value => {
      const body = { source: { ...source, expireAfter: JSON.parse(value) } };
      expect(await post('ttl-indexes', body)).toMatchObject({
        status: 400,
        message: expect.stringContaining('expireAfter (a number of seconds)'),
      });
    },
  );

  it.each([['{"after": "60"}'], ['{"at": "2030-01-01"}'], ['{}']])(
    'is refused with the valid expirations: %s [E1]',
    async value => {
      expect(await post('documents/a/expiration', JSON.parse(value), 'PUT')).toMatchObject({
        status: 400,
        message: expect.stringContaining('{"after": seconds from now}'),
      });
    },
  );
});

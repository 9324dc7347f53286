import { expect, it, onTestFinished } from 'vitest';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import { SOCKET_CLOSED } from '../../../shared/model/transport/window-socket.ts';
import { fetchFrom, startServedHost } from '../../support/served-host.ts';

const NOWHERE = 'c-000000000000';

/** Starts a served host in a process of its own, with a second connection. */
async function twoStores() {
  const host = await startServedHost();
  onTestFinished(async () => void (await host.stop()));
  const json = async (method: string, path: string, body?: object, token = host.token) => {
    const { status, text } = await fetchFrom({ ...host, token }, method, path, body && JSON.stringify(body));
    return { status, body: JSON.parse(text) };
  };
  const file = 'other.sandglass';
  const added = await json('POST', '/api/connections', { name: 'Other', target: { kind: 'file', file } });
  expect(added.status).toBe(201);
  const id = String(added.body.id);
  const at = (path: string, connection = id) =>
    `${path}${path.includes('?') ? '&' : '?'}${CONNECTION_PARAMETER}=${connection}`;
  return { host, json, id, at, file };
}

/** Resolves to the code that a socket is closed with; undefined where it stays open. */
function socketEnds(origin: string, token: string, query: string): Promise<number | undefined> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc${query}`, [`sandglass.${token}`]);
  onTestFinished(() => socket.close());
  return new Promise(resolve => {
    socket.addEventListener('close', ({ code }) => resolve(code));
    socket.addEventListener('open', () => {
      // A message that is not a call closes the port with the engine's code, not with that of a refusal.
      socket.send('nonsense');
    });
  });
}

it('every route, upload, scrape and stream reaches the store of ?connection, home by default', async () => {
  const { host, json, id, at } = await twoStores();
  // The only argument allowed in the address of every route.
  expect((await json('POST', at('/api/collections'), { name: 'c' })).status).toBe(201);
  expect((await json('PUT', at('/api/collections/c/documents/a'), { n: 1 })).status).toBe(200);
  const lines = await fetchFrom(
    host,
    'POST',
    at('/api/collections/c/documents?mode=upsert'),
    '{"_id":"b"}\n',
    {
      'content-type': 'application/x-ndjson',
    },
  );
  expect(JSON.parse(lines.text)).toMatchObject({ inserted: 1 });
  const job = await fetchFrom(host, 'POST', at('/api/collections/c/imports?format=ndjson'), '{"_id":"x"}\n', {
    'content-type': 'application/x-ndjson',
  });
  expect(job.status).toBe(202);
  expect((await json('GET', '/api/collections')).body).toEqual([]);
  expect((await json('GET', at('/api/collections'))).body).toMatchObject([{ name: 'c' }]);
  expect((await json('GET', at('/api/store'))).body).toMatchObject({ connection: id });
  expect((await json('GET', at('/api/store', 'home'))).body).toMatchObject({ connection: 'home' });
  expect((await fetchFrom(host, 'GET', at('/metrics'))).text).toContain('collection="c"');
  expect((await fetchFrom(host, 'GET', '/metrics')).text).not.toContain('collection="c"');
  const stream = await fetch(`${host.origin}${at('/api/events?from=0')}`, {
    headers: { authorization: `Bearer ${host.token}` },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  while (!received.includes('"c"')) received += (await reader?.read())?.value ?? '"c" never came';
  await reader?.cancel();
  expect(received).toContain('"kind":"definition"');
  const { body } = await json('GET', '/api/openapi.json');
  expect(body.paths['/api/store'].parameters).toMatchObject([{ name: 'connection', in: 'query' }]);
}, 120_000);

it('a connection that is unknown or not open is reported as such to callers with a valid token', async () => {
  const { host, json, id, at } = await twoStores();
  expect(await json('GET', at('/api/store', NOWHERE))).toMatchObject({
    status: 404,
    body: { code: 'CONNECTION_NOT_FOUND' },
  });
  expect((await json('GET', at('/api/store', NOWHERE), undefined, 'wrong')).status).toBe(401);
  expect((await json('GET', at('/api/store', '../x'))).status).toBe(404);
  await json('POST', `/api/connections/${id}/close`);
  expect(await json('GET', at('/api/store'))).toMatchObject({
    status: 503,
    body: { code: 'CONNECTION_NOT_OPEN', message: expect.stringContaining('Other is closed') },
  });
  const { origin, token } = host;
  expect(await socketEnds(origin, token, at(''))).toBe(SOCKET_CLOSED.CONNECTION_NOT_OPEN);
  expect(await socketEnds(origin, token, at('', NOWHERE))).toBe(SOCKET_CLOSED.CONNECTION_NOT_FOUND);
  expect(await socketEnds(origin, 'wrong', at('', NOWHERE))).toBe(SOCKET_CLOSED.TOKEN_REFUSED);
  await json('POST', `/api/connections/${id}/open`);
  expect(await socketEnds(origin, token, at(''))).toBe(SOCKET_CLOSED.ENGINE_STOPPED);
}, 120_000);

it('[P1, P2] a token is valid for the store it was created in only, and changes connections only from home', async () => {
  const { host, json, id, at, file } = await twoStores();
  const made = async (path: string, permission: string) =>
    String((await json('POST', path, { name: permission, permission })).body.token);
  const [homes, reader] = [await made('/api/tokens', 'configure'), await made('/api/tokens', 'read')];
  const others = await made(at('/api/tokens'), 'configure');
  expect((await json('GET', '/api/store', undefined, homes)).status).toBe(200);
  expect((await json('GET', at('/api/store'), undefined, homes)).status).toBe(401);
  expect((await json('GET', at('/api/store'), undefined, others)).status).toBe(200);
  expect((await json('GET', '/api/store', undefined, others)).status).toBe(401);
  expect(await socketEnds(host.origin, homes, at(''))).toBe(SOCKET_CLOSED.TOKEN_REFUSED);
  expect(await socketEnds(host.origin, others, at(''))).toBe(SOCKET_CLOSED.ENGINE_STOPPED);

  const seen = async (path: string, token: string) =>
    (await json('GET', path, undefined, token)).body.map((one: { id: string }) => one.id);
  expect(await seen('/api/connections', homes)).toEqual(['home', id]);
  expect(await seen('/api/connections', reader)).toEqual(['home']);
  expect(await seen(at('/api/connections'), others)).toEqual([id]);
  const denied = { status: 403, body: { code: 'PERMISSION_DENIED' } };
  const target = { kind: 'file', file };
  expect(await json('POST', at('/api/connections/test'), target, others)).toMatchObject(denied);
  expect(await json('PATCH', at(`/api/connections/${id}`), { readOnly: false }, others)).toMatchObject(
    denied,
  );
  expect(await json('DELETE', at('/api/connections/home'), undefined, others)).toMatchObject(denied);
  expect(await json('PATCH', `/api/connections/${id}`, { name: 'x' }, reader)).toMatchObject(denied);
  expect((await json('PATCH', `/api/connections/${id}`, { name: 'Renamed' }, homes)).body.name).toBe(
    'Renamed',
  );

  // While its store is not open, a token cannot be checked: a 503, and not a refusal.
  await json('POST', `/api/connections/${id}/close`);
  const away = await json('GET', at('/api/store'), undefined, others);
  expect(away).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(away.body.message).not.toContain('Renamed');
  expect(await socketEnds(host.origin, others, at(''))).toBe(SOCKET_CLOSED.ENGINE_STOPPED);
  expect((await json('GET', at('/api/store', NOWHERE), undefined, others)).status).toBe(401);
}, 120_000);

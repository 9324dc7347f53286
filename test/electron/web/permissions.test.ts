import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/contract/index.ts';
import type { Permission } from '../../../shared/contract/permissions.ts';
import { REPLICATION_VERSIONS } from '../../../shared/model/replication-protocol.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

let host: ServedHost;
beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "things"}');
  await fetchFrom(host, 'PUT', '/api/collections/things/documents/a', '{"n": 1}');
});
afterAll(() => host.stop());

const asOwner = (method: string, path: string, body?: unknown) => askAs(host.token, method, path, body);

async function askAs(token: string, method: string, path: string, body?: unknown) {
  const { status, text } = await fetchFrom(
    { origin: host.origin, token },
    method,
    path,
    body === undefined ? undefined : JSON.stringify(body),
    body === undefined ? {} : { 'content-type': 'application/json' },
  );
  return { status, body: JSON.parse(text) as { [name: string]: unknown } };
}

let made = 0;
/** Creates a token; returns its name and text. */
async function token(permission: Permission): Promise<{ name: string; text: string }> {
  const name = `${permission} ${++made}`;
  const { status, body } = await asOwner('POST', '/api/tokens', { name, permission });
  expect(status).toBe(201);
  return { name, text: String(body.token) };
}

function socket(text: string): WebSocket {
  return new WebSocket(`${host.origin.replace('http', 'ws')}/rpc`, [`sandglass.${text}`]);
}

async function connect(text: string): Promise<{ client: Client; socket: WebSocket }> {
  const opened = socket(text);
  await once(opened, 'open');
  return { client: createORPCClient(new RPCLink({ websocket: opened })), socket: opened };
}

const closing = async (one: WebSocket) => {
  const [event] = (await once(one, 'close')) as [CloseEvent];
  return event.code;
};

/** One call of each kind of change. */
const CHANGES: readonly [string, string, unknown?][] = [
  ['PUT', '/api/collections/things/documents/b', { n: 2 }],
  ['POST', '/api/collections/things/documents', { _id: 'c' }],
  ['DELETE', '/api/collections/things/documents/a'],
  ['PUT', '/api/collections/things/documents/a/expiration', { never: true }],
  ['POST', '/api/collections', { name: 'more' }],
];
const CONFIGURATIONS: readonly [string, string, unknown?][] = [
  ['POST', '/api/collections/things/ttl-indexes', { source: { kind: 'field', field: 'at', expireAfter: 0 } }],
  ['POST', '/_api/index/ttl?collection=things', { type: 'ttl', fields: ['at'], expireAfter: 1 }],
  ['POST', '/api/reaper/pause', {}],
  ['GET', '/api/tokens'],
  ['POST', '/api/tokens', { name: 'own', permission: 'configure' }],
  ['DELETE', '/api/collections/things'],
];

describe('[P1] a token over REST', () => {
  it('[P1] with read can read everything and change nothing', async () => {
    const { name, text } = await token('read');
    expect(await askAs(text, 'GET', '/api/store')).toMatchObject({
      status: 200,
      body: { user: name, permission: 'read' },
    });
    expect((await askAs(text, 'GET', '/api/collections/things/documents')).status).toBe(200);
    expect((await askAs(text, 'GET', '/api/openapi.json')).status).toBe(200);
    for (const [method, path, body] of [...CHANGES, ...CONFIGURATIONS]) {
      expect([path, await askAs(text, method, path, body)]).toEqual([
        path,
        {
          status: 403,
          body: {
            code: 'PERMISSION_DENIED',
            message: expect.stringContaining(`${name} has read`),
            data: { needed: expect.stringMatching(/write|configure/), has: 'read', user: name },
          },
        },
      ]);
    }
    expect((await askAs(text, 'GET', '/api/collections/things')).body).toMatchObject({ documents: 1 });
  });

  it('[P1] requires write for NDJSON and imports as well', async () => {
    const { text } = await token('read');
    for (const path of ['documents', 'imports']) {
      const { status } = await fetchFrom(
        { origin: host.origin, token: text },
        'POST',
        `/api/collections/things/${path}`,
        '{"_id": "x"}\n',
        { 'content-type': 'application/x-ndjson' },
      );
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it('[P1] with write can change documents, and configure nothing', async () => {
    const { name, text } = await token('write');
    expect((await askAs(text, 'PUT', '/api/collections/things/documents/w', { n: 1 })).status).toBe(200);
    for (const [method, path, body] of CONFIGURATIONS) {
      expect(await askAs(text, method, path, body)).toMatchObject({
        status: 403,
        body: { data: { needed: 'configure', has: 'write', user: name } },
      });
    }
  });

  it('[P1, V5, X4] with follow acts for followers that it registered, and for those of a removed token', async () => {
    const [first, second] = [await token('follow'), await token('follow')];
    const one = await connect(first.text);
    const other = await connect(second.text);
    const register = { follower: 'bound', ...REPLICATION_VERSIONS };
    await one.client.replication.register(register);
    const refused = { code: 'PERMISSION_DENIED', data: { follower: 'bound' } };
    for (const call of [
      () => other.client.replication.register(register),
      () => other.client.replication.snapshot({ follower: 'bound', after: null }),
      // The call would confirm every purge up to that one.
      () => other.client.replication.log({ follower: 'bound', after: 0, purged: 1_000 }),
    ])
      await expect(call()).rejects.toMatchObject(refused);
    const { revision } = await one.client.replication.register(register);
    expect(await one.client.replication.log({ follower: 'bound', after: revision })).toMatchObject({
      entries: [],
    });
    expect((await asOwner('DELETE', `/api/tokens/${encodeURIComponent(first.name)}`)).status).toBe(200);
    await other.client.replication.register(register);
    await asOwner('DELETE', '/api/followers/bound');
    other.socket.close();
  });

  it('[P1, V5] with follow can read the replication stream, and nothing else', async () => {
    const { text } = await token('follow');
    for (const [method, path, body] of [
      ['GET', '/api/store'],
      ['GET', '/api/collections/things/documents'],
      ['GET', '/api/followers'],
      ...CHANGES,
      ...CONFIGURATIONS,
    ] as const) {
      expect([path, await askAs(text, method, path, body)]).toMatchObject([
        path,
        { status: 403, body: { code: 'PERMISSION_DENIED', data: { has: 'follow' } } },
      ]);
    }
    const { client, socket: follower } = await connect(text);
    const { storeId } = await client.replication.register({ follower: 'mirror', ...REPLICATION_VERSIONS });
    expect(storeId).toMatch(/./);
    expect((await client.replication.snapshot({ follower: 'mirror', after: null })).revision).toBeGreaterThan(
      0,
    );
    await expect(
      client.replication.register({ follower: 'a\nb', ...REPLICATION_VERSIONS }),
    ).rejects.toMatchObject({
      code: 'INVALID_NAME',
    });
    for (let n = 1; n < 100; n++)
      await client.replication.register({ follower: `mirror ${n}`, ...REPLICATION_VERSIONS });
    await expect(
      client.replication.register({ follower: 'one more', ...REPLICATION_VERSIONS }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(client.replication.forget({ follower: 'mirror' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    follower.close();

    const writer = await connect((await token('write')).text);
    await expect(
      writer.client.replication.register({ follower: 'w', ...REPLICATION_VERSIONS }),
    ).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      data: { needed: 'follow', has: 'write' },
    });
    writer.socket.close();
  });

  it('[P1] with configure can do everything, recorded under its name', async () => {
    const { name, text } = await token('configure');
    const { status, body } = await askAs(text, 'POST', '/api/reaper/pause', { collection: 'things' });
    expect({ status, paused: body.pausedCollections }).toMatchObject({
      status: 200,
      paused: [{ collection: 'things', by: name }],
    });
    await asOwner('POST', '/api/reaper/resume', { collection: 'things' });
  });

  it('[P1] that is revoked or unknown is refused at once', async () => {
    const { name, text } = await token('write');
    expect((await askAs(text, 'GET', '/api/store')).status).toBe(200);
    expect((await asOwner('DELETE', `/api/tokens/${encodeURIComponent(name)}`)).status).toBe(200);
    expect(await askAs(text, 'GET', '/api/store')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
    expect((await askAs('x'.repeat(2000), 'GET', '/api/store')).status).toBe(401);
  });

  it('[P1] ends its open stream when it is revoked', async () => {
    const { name, text } = await token('read');
    const response = await fetch(`${host.origin}/api/live`, { headers: { authorization: `Bearer ${text}` } });
    const reader = response.body?.getReader();
    await reader?.read();
    await asOwner('DELETE', `/api/tokens/${encodeURIComponent(name)}`);
    const drained = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    await drained.catch(() => {});
    expect((await askAs(text, 'GET', '/api/live')).status).toBe(401);
  });
});

describe('[P1] a token on a socket', () => {
  it('[P1] applies its permission to every call', async () => {
    const { name, text } = await token('read');
    const { client, socket: open } = await connect(text);
    expect(await client.store.info()).toMatchObject({ user: name, permission: 'read' });
    await expect(client.collections.create({ name: 'no' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(client.tokens.list()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    open.close();
  });

  it('[P1] is closed when it is revoked, and refused with 4401 from then on', async () => {
    const { name, text } = await token('configure');
    const { client, socket: open } = await connect(text);
    const closed = closing(open);
    const other = await connect((await token('read')).text);
    // A token can revoke itself.
    await client.tokens.revoke({ name }).catch(() => {});
    expect(await closed).toBe(1012);
    expect(await closing(socket(text))).toBe(4401);
    expect(await other.client.store.info()).toMatchObject({ permission: 'read' });
    other.socket.close();
  });

  it('[P1] has configure if it is the launch token', async () => {
    const { client, socket: open } = await connect(host.token);
    expect((await client.store.info()).permission).toBe('configure');
    open.close();
  });
});

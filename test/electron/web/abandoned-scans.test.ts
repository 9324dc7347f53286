import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/contract/index.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';

/** An expression that takes some 30 ms per document. */
const COSTLY = 'doc.a.all(x, doc.a.all(y, x + y > 0.5))';
const DOCUMENTS = 300;
const LISTS = 120;
const source = (expression: string) => ({ kind: 'expression', expression }) as const;
const costly = { collection: 'c', source: source(`${COSTLY} ? updatedAt : null`) };
const cheap = { collection: 'c', source: source('updatedAt') };
const filtered = (cel: string) => `/api/collections/c/documents?limit=1000&cel=${encodeURIComponent(cel)}`;

let host: ServedHost;
let reader: { origin: string; token: string };

beforeAll(async () => {
  host = await startServedHost();
  await fetchFrom(host, 'POST', '/api/collections', '{"name": "c"}');
  const a = Array.from({ length: 300 }, () => 1);
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: `${n}`, a }));
  await fetchFrom(host, 'POST', '/api/collections/c/documents', JSON.stringify(documents));
  const made = await fetchFrom(host, 'POST', '/api/tokens', '{"name": "reader", "permission": "read"}');
  reader = { origin: host.origin, token: String(JSON.parse(made.text).token) };
});
afterAll(() => host.stop());

/** Requests a preview over HTTP. */
function preview(token: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${host.origin}/api/collections/c/ttl-indexes/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function socket(): Promise<{ client: Client; socket: WebSocket }> {
  const opened = new WebSocket(`${host.origin.replace('http', 'ws')}/rpc`, [`sandglass.${reader.token}`]);
  await once(opened, 'open');
  return { client: createORPCClient(new RPCLink({ websocket: opened })), socket: opened };
}

/** Returns the duration of `read`, ms. */
async function timed(read: () => Promise<{ status: number }>): Promise<number> {
  const before = performance.now();
  expect((await read()).status).toBe(200);
  return performance.now() - before;
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
/** Less than half the duration of one costly preview of DOCUMENTS. */
const AT_ONCE_MS = 4_000;

describe('[X3] scans of a caller that has disconnected', () => {
  it('end at once and release their slots: previews over HTTP', async () => {
    const controller = new AbortController();
    const scans = Array.from({ length: 6 }, () => preview(reader.token, costly, controller.signal));
    const ended = Promise.allSettled(scans);
    await pause(500);
    controller.abort();
    await ended;
    expect(await timed(() => preview(host.token, cheap))).toBeLessThan(AT_ONCE_MS);
  });

  it('end at once and release their slots: previews over a WebSocket', async () => {
    const { client, socket: opened } = await socket();
    const ended = Promise.allSettled(Array.from({ length: 6 }, () => client.ttlIndexes.preview(costly)));
    await pause(500);
    opened.close();
    await ended;
    expect(await timed(() => preview(host.token, cheap))).toBeLessThan(AT_ONCE_MS);
  });

  it('end at once and release their slots: filtered lists', async () => {
    const controller = new AbortController();
    const scans = Array.from({ length: LISTS }, () =>
      fetch(host.origin + filtered(COSTLY), {
        headers: { authorization: `Bearer ${reader.token}` },
        signal: controller.signal,
      }),
    );
    const ended = Promise.allSettled(scans);
    await pause(500);
    controller.abort();
    await ended;
    expect(await timed(() => fetchFrom(host, 'GET', filtered('doc.a[0] == 1')))).toBeLessThan(AT_ONCE_MS);
  });
});

describe('[X3] scans of one token', () => {
  it('leave a slot to other callers while they run: previews', async () => {
    const controller = new AbortController();
    const scans = Array.from({ length: 6 }, () => preview(reader.token, costly, controller.signal));
    const ended = Promise.allSettled(scans);
    await pause(500);
    const took = await timed(() => preview(host.token, cheap));
    controller.abort();
    await ended;
    expect(took).toBeLessThan(AT_ONCE_MS);
  });
});

import { createServer, request } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import { RPCLink } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { router } from '../../../electron/engine/api/router.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import type { EngineLink } from '../../../electron/web/engine/running-engine.ts';
import { createRest } from '../../../electron/web/rest/rest.ts';
import { changeEvent } from '../../../shared/contract/events.ts';
import { write } from '../../support/documents.ts';
import { DAY, openTestEngine, type TestEngine } from '../../support/engine.ts';
import { type ServerSentEvent, serverSentEvents } from '../../support/server-sent-events.ts';
import { short } from '../../support/watching.ts';

interface Served {
  origin: string;
  /** Paths of the calls that reached the engine. */
  calledPaths: string[];
}

/** Serves the REST routes over an engine on a manual clock. */
async function serve({ engine }: TestEngine): Promise<Served> {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(router).upgrade(port2, {
    context: { engine, caller: { user: 'ada', permission: 'read', from: 'network' } },
  });
  port2.start();
  port1.start();
  const link: EngineLink = new RPCLink({ port: port1 });
  const calledPaths: string[] = [];
  const watched: EngineLink = {
    call(path, input, options) {
      calledPaths.push(path.join('.'));
      return link.call(path, input, options);
    },
  };
  const served = { linkOf: () => watched };
  const rest = createRest({
    admit: async () => ({
      engine: served,
      caller: { user: 'ada', permission: 'read', from: 'network' },
    }),
    version: '0',
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
  });
  const server = createServer((incoming, response) => {
    void rest(new URL(`http://here${incoming.url}`), incoming, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    port1.close();
  });
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, calledPaths };
}

/** Requests a stream as a browser's EventSource does. */
async function open(
  url: string,
  headers: Record<string, string> = {},
): Promise<AsyncGenerator<ServerSentEvent>> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(url, { headers, signal: controller.signal });
  expect(response.status).toBe(200);
  return serverSentEvents(response);
}

async function take(events: AsyncGenerator<ServerSentEvent>, count: number): Promise<[string, string][]> {
  const received: [string, string][] = [];
  while (received.length < count) {
    const { value } = await events.next();
    if (value === undefined) throw new Error('the stream ended');
    received.push([value.id ?? '', short({ id: value.id ?? '', event: changeEvent.parse(value.data) })]);
  }
  return received;
}

async function withDocuments() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  const { revision } = await write(test.client, 'c', [{ _id: 'a' }, { _id: 'b' }]);
  return { test, revision };
}

describe('GET /api/events', () => {
  it('[V2, V3] sends revisions with their markers, past and future, each event with its id', async () => {
    const { test, revision } = await withDocuments();
    const { origin } = await serve(test);
    const events = await open(`${origin}/api/events?from=${revision}.1&collection=c`);
    expect(await take(events, 2)).toEqual([
      [`${revision}.1`, 'insert c/b'],
      [`${revision}.2`, `end ${revision}`],
    ]);
    await write(test.client, 'c', [{ _id: 'd' }]);
    expect(await take(events, 1)).toEqual([[`${revision + 1}.0`, 'insert c/d']]);
  });

  it('[V3] continues after Last-Event-ID instead of `from`, also after a restart', async () => {
    const { test, revision } = await withDocuments();
    const again = await test.reopen();
    const { origin } = await serve(again);
    for (const query of ['', `?from=${revision}`]) {
      const events = await open(`${origin}/api/events${query}`, { 'last-event-id': `${revision}.0` });
      expect(await take(events, 2)).toEqual([
        [`${revision}.1`, 'insert c/b'],
        [`${revision}.2`, `end ${revision}`],
      ]);
    }
  });

  it('[V3] answers 410 with the oldest revision below it, and refuses an invalid name or id before any event', async () => {
    const { test, revision } = await withDocuments();
    await test.advance(2 * DAY);
    const { origin } = await serve(test);
    const refusal = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${origin}/api/events${query}`, { headers });
      return { status: response.status, body: await response.json() };
    };
    const compacted = {
      status: 410,
      body: { code: 'REVISION_COMPACTED', data: { oldest: revision + 1 } },
    };
    expect(await refusal(`?from=${revision}`)).toMatchObject(compacted);
    expect(await refusal('', { 'last-event-id': `${revision}.1` })).toMatchObject(compacted);
    expect(await refusal('?collection=nowhere')).toMatchObject({ status: 404 });
    expect(await refusal('?from=yesterday')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await refusal('', { 'last-event-id': 'x' })).toMatchObject({ status: 400 });
  });

  it('[V3] reads no more than its reader consumes, and a slow reader misses nothing', async () => {
    const { test } = await withDocuments();
    const { engine } = test;
    const from = engine.backend.revision + 1;
    const BATCHES = 50;
    for (let i = 0; i < BATCHES; i++) {
      engine.backend.write(
        'c',
        Array.from({ length: 500 }, (_, n) => ({ value: { _id: `${'x'.repeat(480)}${i}-${n}` }, line: n })),
        { mode: 'insert', atomic: false },
      );
    }
    const { origin, calledPaths } = await serve(test);
    const sent = request(`${origin}/api/events?from=${from}`);
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject).end();
    });
    response.pause();
    let before = -1;
    while (calledPaths.length > before) {
      before = calledPaths.length;
      await systemClock.sleep(300);
    }
    // The pages that fit the buffers of both sockets, of more than 50.
    expect(calledPaths.length).toBeLessThan(35);
    const chunks: string[] = [];
    response.setEncoding('utf8');
    for await (const chunk of response) {
      const end = (chunks.at(-1) ?? '').slice(-100) + chunk;
      chunks.push(chunk);
      if (end.includes(`id: ${from + BATCHES - 1}.500\n`)) break;
    }
    const ids = [...chunks.join('').matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    expect(ids).toEqual(
      Array.from({ length: BATCHES }, (_, i) =>
        Array.from({ length: 501 }, (_, position) => `${from + i}.${position}`),
      ).flat(),
    );
  }, 60_000);
});

describe('many readers of GET /api/events', () => {
  it('[V3] cost one read of each page, and each receives every event', async () => {
    const { test } = await withDocuments();
    const { engine } = test;
    const from = engine.backend.revision + 1;
    for (let i = 0; i < 4; i++) {
      const documents = Array.from({ length: 500 }, (_, n) => ({ value: { _id: `${i}-${n}` }, line: n }));
      engine.backend.write('c', documents, { mode: 'insert', atomic: false });
    }
    const { origin, calledPaths } = await serve(test);
    const READERS = 20;
    const received = await Promise.all(
      Array.from({ length: READERS }, async () =>
        take(await open(`${origin}/api/events?from=${from}`), 4 * 501),
      ),
    );
    for (const one of received) expect(one).toEqual(received[0]);
    // Five pages, and a few reads at other positions; without sharing it was a hundred.
    expect(calledPaths.length).toBeLessThan(READERS * 2);
  });
});

describe('GET /api/changes', () => {
  it('[V3] returns the same events in pages', async () => {
    const { test, revision } = await withDocuments();
    const { origin } = await serve(test);
    const page = await (await fetch(`${origin}/api/changes?from=${revision}&limit=1&waitMs=0`)).json();
    expect(page).toMatchObject({
      events: [{ id: `${revision}.0`, event: { kind: 'insert', _id: 'a' } }],
      next: `${revision}.1`,
      revision,
    });
  });
});

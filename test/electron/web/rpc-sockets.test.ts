import { once } from 'node:events';
import { createServer } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { eventIterator, oc } from '@orpc/contract';
import { implement, type RouterClient } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket as SlowSocket } from 'ws';
import { z } from 'zod';
import type { Caller } from '../../../electron/engine/access/caller.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { answerCalls } from '../../../electron/engine/protocol/call-port.ts';
import { createRpcSockets } from '../../../electron/web/sockets/rpc-sockets.ts';
import type { ProcedureMeta } from '../../../shared/contract/procedure-builder.ts';

const contract = {
  echo: oc.input(z.unknown()).output(z.unknown()),
  fail: oc.errors({ TAKEN: { status: 409, data: z.object({ name: z.string() }) } }).output(z.unknown()),
  count: oc.output(eventIterator(z.number())),
  hang: oc.input(z.unknown()).output(z.unknown()),
  flood: oc.output(eventIterator(z.string())),
  documents: { write: oc.input(z.unknown()).output(z.unknown()) },
};

let streamsEnded = 0;
let flooded = 0;
let parsed = 0;
const on = implement(contract);
const router = on.router({
  echo: on.echo.handler(({ input }) => input),
  fail: on.fail.handler(({ errors }) => {
    throw errors.TAKEN({ message: 'It is taken.', data: { name: 'x' } });
  }),
  count: on.count.handler(async function* ({ signal }) {
    try {
      for (let n = 1; !signal?.aborted; n++) {
        yield n;
        await systemClock.sleep(5, signal);
      }
    } finally {
      streamsEnded++;
    }
  }),
  documents: {
    write: on.documents.write.handler(() => {
      parsed += 1;
      return 'written';
    }),
  },
  hang: on.hang.handler(() => new Promise(() => {})),
  flood: on.flood.handler(async function* () {
    for (flooded = 1; flooded <= 500; flooded++) {
      yield 'x'.repeat(100_000);
      // The relay runs in this thread too, and needs a turn of the event loop.
      await new Promise(resolve => setImmediate(resolve));
    }
  }),
});

const handler = new StandardRPCHandler(router, {});

/** Procedures of the test beside those of the contract that the tests call. */
const procedures = new Map<string, ProcedureMeta>([
  ...['echo', 'hang', 'documents.write'].map(
    name => [name, { permission: 'write', writes: true, feature: null, body: 'documents' }] as const,
  ),
  ['documents.deleteMany', { permission: 'write', writes: true, feature: null, body: 'ids' }],
  ['settings.update', { permission: 'configure', writes: true, feature: null }],
]);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const CALLERS: Readonly<Record<string, Caller>> = {
  'the-token': { user: 'ada', permission: 'configure', from: 'network' },
  'a-writer': { user: 'bob', permission: 'write', from: 'network' },
  'a-reader': { user: 'eve', permission: 'read', from: 'network' },
};

async function serve(options: { away?: boolean; mostWaitingBytes?: number; mostWaitingInAll?: number } = {}) {
  const ports: MessagePort[] = [];
  /** Large messages without an answer yet; each is answered with itself. */
  const waiting = { now: 0, most: 0 };
  const log: string[] = [];
  const refused: string[] = [];
  const engine = {
    attach(port: MessagePort) {
      if (options.away) return false;
      const { port1: near, port2: far } = new MessageChannel();
      ports.push(near);
      // As the engine's client does: another pair of ports, relayed both ways.
      port.on('message', message => {
        if (String(message).length > 1_000_000) waiting.most = Math.max(waiting.most, ++waiting.now);
        near.postMessage(message);
      });
      near.on('message', message => {
        if (String(message).length > 1_000_000) waiting.now -= 1;
        port.postMessage(message);
      });
      port.on('close', () => near.close());
      near.on('close', () => port.close());
      answerCalls(
        far,
        createServerPeerHandleRequestFn(handler, { context: {} }),
        () => {},
        () => {},
      );
      return true;
    },
  };
  const sockets = createRpcSockets({
    admit: async (token = '') => {
      const caller = CALLERS[token];
      return caller === undefined ? null : { engine, caller };
    },
    clock: systemClock,
    procedures,
    onRefused: (address, reason) => void refused.push(`${address}: ${reason}`),
    log: createLogger('warn', systemClock.now, line => void log.push(line)),
    ...(options.mostWaitingBytes === undefined ? {} : { mostWaitingBytes: options.mostWaitingBytes }),
    ...(options.mostWaitingInAll === undefined ? {} : { mostWaitingInAll: options.mostWaitingInAll }),
  });
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) =>
    sockets.upgrade(request, socket, head, { address: '127.0.0.1', connection: undefined }),
  );
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : undefined;
  cleanups.push(
    () => server.close(),
    () => sockets.close(),
  );
  const address = `ws://127.0.0.1:${port}/rpc`;
  const open = (token = 'the-token') => {
    const socket = new WebSocket(address, [`sandglass.${token}`]);
    cleanups.push(() => socket.close());
    return socket;
  };
  return { open, address, ports, log, sockets, waiting, refused };
}

/** The window's client, on the same WebSocket class as in a browser. */
function clientOn(socket: WebSocket): RouterClient<typeof router> {
  return createORPCClient(new RPCLink({ websocket: socket }));
}

function closing(socket: WebSocket): Promise<number> {
  return new Promise(resolve => socket.addEventListener('close', event => resolve(event.code)));
}

describe('the WebSocket between page and engine', () => {
  it('transfers values unchanged in both directions', async () => {
    const { open } = await serve();
    const value = {
      text: '√ “ü”',
      big: 12345678901234567890n,
      at: new Date(0),
      list: [1, null, { a: true }],
    };
    expect(await clientOn(open()).echo(value)).toEqual(value);
  });

  it('transfers bytes', async () => {
    const { open } = await serve();
    const answer = await clientOn(open()).echo({ file: new Blob([new Uint8Array([0, 255, 1])]) });
    const { file } = z.object({ file: z.instanceof(Blob) }).parse(answer);
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 255, 1]);
  });

  it('transfers typed errors with their code, status, message and data', async () => {
    const { open } = await serve();
    await expect(clientOn(open()).fail()).rejects.toMatchObject({
      defined: true,
      code: 'TAKEN',
      status: 409,
      message: 'It is taken.',
      data: { name: 'x' },
    });
  });

  it('transfers streams, and ends them in the engine when the page disconnects', async () => {
    const { open } = await serve();
    const socket = open();
    const seen: number[] = [];
    const endedBefore = streamsEnded;
    for await (const n of await clientOn(socket).count()) {
      seen.push(n);
      if (n === 3) break;
    }
    expect(seen).toEqual([1, 2, 3]);
    await expect.poll(() => streamsEnded).toBe(endedBefore + 1);

    const stream = await clientOn(socket).count();
    await stream.next();
    socket.close();
    await expect.poll(() => streamsEnded).toBe(endedBefore + 2);
  });

  it('transfers large messages and many calls at once', async () => {
    const { open } = await serve();
    const client = clientOn(open());
    const large = 'x'.repeat(5_000_000);
    expect(await client.echo(large)).toBe(large);
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => client.echo(n)));
    expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  it('is closed with 4401 for a wrong or missing token, before any message is relayed', async () => {
    const { open, ports } = await serve();
    expect(await closing(open('wrong'))).toBe(4401);
    expect(ports).toHaveLength(0);
  });

  it('is closed with 1012 when the engine stops, or does not run yet', async () => {
    const { open, ports } = await serve();
    const socket = open();
    await clientOn(socket).echo(1);
    const closed = closing(socket);
    ports[0]?.close();
    expect(await closed).toBe(1012);
    const away = await serve({ away: true });
    expect(await closing(away.open())).toBe(1012);
  });

  it('is closed with 1001 when the host stops', async () => {
    const { open, sockets } = await serve();
    const socket = open();
    await clientOn(socket).echo(1);
    const closed = closing(socket);
    await sockets.close();
    expect(await closed).toBe(1001);
  });

  it('refuses a message larger than any document', async () => {
    const { open } = await serve();
    const socket = open();
    await new Promise(resolve => socket.addEventListener('open', resolve));
    const closed = closing(socket);
    socket.send(Buffer.alloc(25 * 1024 * 1024));
    expect(await closed).toBe(1009);
  });

  it('[P1] refuses messages of more than 1 MiB from a token without write, and logs that', async () => {
    const { open, log } = await serve();
    const socket = open('a-reader');
    const client = clientOn(socket);
    expect(await client.echo('x'.repeat(900_000))).toHaveLength(900_000);
    const closed = closing(socket);
    client.echo('x'.repeat(1_200_000)).catch(() => {});
    expect(await closed).toBe(1009);
    expect(log.join()).toContain('larger than its token permits');
  });

  it('passes two large messages to the engine at once, and later messages of a page after the answer to its large one', async () => {
    const { open, waiting } = await serve();
    const large = 'x'.repeat(2_000_000);
    const clients = Array.from({ length: 5 }, () => clientOn(open()));
    const order: string[] = [];
    await Promise.all(
      clients.flatMap(client => [
        client.echo(large).then(answer => {
          expect(answer).toBe(large);
          order.push('large');
        }),
        client.echo('small').then(() => order.push('small')),
        client.echo(large),
      ]),
    );
    expect(waiting).toEqual({ now: 0, most: 1 });
    expect(order).toHaveLength(10);
  });

  it('releases the slot of a large message when its page disconnects, and refuses one that is not a call', async () => {
    const { open } = await serve();
    for (let i = 0; i < 3; i++) {
      const socket = open();
      await once(socket, 'open');
      const closed = closing(socket);
      clientOn(socket)
        .hang('x'.repeat(2_000_000))
        .catch(() => {});
      await new Promise(resolve => setTimeout(resolve, 50));
      socket.close();
      await closed;
    }
    const large = 'x'.repeat(2_000_000);
    expect(await clientOn(open()).echo(large)).toBe(large);
    // The second is not a call but part of an unknown stream, and has no answer.
    for (const text of [large, `{"i":"9","t":3,"p":{"d":"${large}"}}`]) {
      const nonsense = open();
      await once(nonsense, 'open');
      const closed = closing(nonsense);
      nonsense.send(text);
      expect(await closed).toBe(1008);
    }
  });

  it('[P1, P3] answers large calls that are forbidden, unknown, oversized or lists, and forwards none', async () => {
    const { address, waiting, refused } = await serve();
    const json = `"${'x'.repeat(2_000_000)}"`;
    const before = parsed;
    const asks = {
      'settings/update': [`{"a":${json}}`, 403, 'PERMISSION_DENIED'],
      'documents/deleteMany': [`{"ids":[${Array(9).fill(json)}]}`, 413, 'PAYLOAD_TOO_LARGE'],
      nothing: [json, 404, 'NOT_FOUND'],
      'documents/write': [`{"params":{"collection":"{\\"}"},"body":[${json}]}`, 413, 'PAYLOAD_TOO_LARGE'],
    } as const;
    const socket = new SlowSocket(address, ['sandglass.a-writer']);
    await once(socket, 'open');
    cleanups.push(() => socket.terminate());
    const ask = async (path: string, input: string) => {
      const answered = once(socket, 'message');
      socket.send(`{"i":"7","p":{"u":"/${path}","b":{"json":${input}}}}`);
      const [bytes] = await answered;
      return z.object({ i: z.string(), p: z.looseObject({}) }).parse(JSON.parse(String(bytes)));
    };
    for (const [path, [input, status, code]] of Object.entries(asks)) {
      expect(await ask(path, input), path).toMatchObject({ i: '7', p: { s: status, b: { json: { code } } } });
    }
    expect(waiting.most).toBe(0);
    expect(refused).toEqual(['127.0.0.1: bob has write, settings.update needs configure']);
    const one = `{"params":{"collection":"{\\"}"},"query":{},"body":{"a":${json}}}`;
    expect(await ask('documents/write', one)).toMatchObject({ p: { b: { json: 'written' } } });
    expect(parsed - before).toBe(1);
  });

  it('[V2] pauses the streams of a page that reads nothing, and sends all of them when it reads again', async () => {
    const { address, log } = await serve();
    const socket = new SlowSocket(address, ['sandglass.the-token']);
    await once(socket, 'open');
    cleanups.push(() => socket.terminate());
    let events = 0;
    socket.on('message', message => (events += String(message).includes('"t":3,"p":{"e":"message"') ? 1 : 0));
    socket.send('{"i":"1","p":{"u":"/flood"}}');
    socket.pause();
    let before: number;
    do {
      before = flooded;
      await new Promise(resolve => setTimeout(resolve, 200));
    } while (flooded !== before);
    // The system's buffers of a local socket hold some megabytes; the whole stream is 50 MB.
    expect(flooded).toBeLessThan(200);
    socket.resume();
    await expect.poll(() => events, { timeout: 10_000 }).toBe(500);
    expect(log).toEqual([]);
  });

  it('has a lower limit of its output buffer when all buffers together are large', async () => {
    const { address, log } = await serve({ mostWaitingInAll: 1_000_000 });
    const socket = new SlowSocket(address, ['sandglass.the-token']);
    await once(socket, 'open');
    cleanups.push(() => socket.terminate());
    socket.pause();
    for (let n = 0; n < 300; n++)
      socket.send(`{"i":"${n}","p":{"u":"/echo","b":{"json":"${'x'.repeat(100_000)}"}}}`);
    await expect.poll(() => log.join(), { timeout: 10_000 }).toContain('reads too slowly');
    expect(Number(/waitingBytes\D+(\d+)/.exec(log.join())?.[1])).toBeLessThan(2_000_000);
  });

  it('is closed when the output buffer of a slow page exceeds its limit', async () => {
    const { address, log } = await serve({ mostWaitingBytes: 1_000_000 });
    const socket = new SlowSocket(address, ['sandglass.the-token']);
    await once(socket, 'open');
    cleanups.push(() => socket.terminate());
    socket.pause();
    for (let n = 0; n < 300; n++)
      socket.send(`{"i":"${n}","p":{"u":"/echo","b":{"json":"${'x'.repeat(100_000)}"}}}`);
    await expect.poll(() => log.join(), { timeout: 10_000 }).toContain('reads too slowly');
  });
});

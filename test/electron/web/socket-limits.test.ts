import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createManualClock } from '../../../electron/engine/platform/clock.ts';
import { endDeadSockets, SocketCounter } from '../../../electron/web/sockets/socket-limits.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const one of cleanups.splice(0).reverse()) one();
});

describe('sockets', () => {
  it('are so many at most, as a whole and of one address, and give their place back', () => {
    const counter = new SocketCounter({ mostSockets: 3, mostOfOneAddress: 2 });
    const leave = counter.enter('a');
    expect(counter.enter('a')).toBeDefined();
    expect(counter.enter('a')).toBeUndefined();
    expect(counter.enter('b')).toBeDefined();
    expect(counter.enter('c')).toBeUndefined();
    leave?.();
    expect(counter.enter('c')).toBeDefined();
  });

  it('that answer no ping are ended, and those that answer stay', async () => {
    const clock = createManualClock(0);
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const server = new WebSocketServer({ server: http });
    const stop = endDeadSockets(server, clock);
    cleanups.push(
      () => http.close(),
      () => server.close(),
      stop,
    );
    const bound = http.address();
    const port = typeof bound === 'object' ? bound?.port : undefined;
    const open = async (autoPong: boolean) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
      cleanups.push(() => socket.terminate());
      await once(socket, 'open');
      return socket;
    };
    const [alive, dead] = [await open(true), await open(false)];
    const pinged = Promise.all([once(alive, 'ping'), once(dead, 'ping')]);
    clock.advance(30_000);
    await pinged;
    await expect.poll(() => [...server.clients].map(one => one.listenerCount('pong')).sort()).toEqual([0, 1]);
    const ended = once(dead, 'close');
    clock.advance(30_000);
    await ended;
    await expect.poll(() => server.clients.size).toBe(1);
    expect(alive.readyState).toBe(WebSocket.OPEN);
  });
});

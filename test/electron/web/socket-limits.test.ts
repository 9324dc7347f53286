import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { endDeadSockets, SocketCounter } from '../../../electron/web/sockets/socket-limits.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const one of cleanups.splice(0).reverse()) one();
});

describe('sockets', () => {
  it('are limited in total and per address, and are subtracted when they close', () => {
    const counter = new SocketCounter({ mostSockets: 3, mostPerAddress: 2 });
    const leave = counter.take('a');
    expect(counter.take('a')).toBeDefined();
    expect(counter.take('a')).toBeUndefined();
    expect(counter.take('b')).toBeDefined();
    expect(counter.take('c')).toBeUndefined();
    leave?.();
    expect(counter.take('c')).toBeDefined();
  });

  it('that answer no ping are terminated, the others stay open', async () => {
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

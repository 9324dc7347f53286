import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { startWebServer, type WebServer } from '../../../electron/web/server.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../../electron/web/sockets/connection-limits.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** Size of an answer that exceeds the buffers of a loopback connection, bytes. */
const LARGE_BYTES = 32 * 1024 * 1024;

async function serve(limits: Partial<ConnectionLimits>): Promise<WebServer> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'large-0123abcd.js'), Buffer.alloc(LARGE_BYTES, ' '));
  const server = await startWebServer({
    engineAt: () => ({
      attach: () => false,
      isRunning: true,
      isRemote: false,
      link: { call: () => Promise.resolve(null) },
      linkOf: () => ({ call: () => Promise.resolve(null) }),
    }),
    token: 'the-token',
    host: '127.0.0.1',
    port: 0,
    defaultPort: 0,
    folder,
    version: '0',
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
    limits: { ...CONNECTION_LIMITS, ...limits },
  });
  onTestFinished(() => server.close());
  return server;
}

/** A connection, what arrived on it, and its end. Reads unless it is paused. */
function open({ address }: WebServer): { socket: Socket; text(): string; closed: Promise<void> } {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  // A reset ends it as a close does.
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', chunk => (text += chunk));
  return { socket, text: () => text, closed: new Promise(resolve => socket.once('close', () => resolve())) };
}

const get = ({ address }: WebServer, path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(address).host}\r\n\r\n`;

describe('a connection to the served host', () => {
  it('that has not sent its headers in time is closed with 408, even if it sends steadily', async () => {
    const server = await serve({ headersWithinMs: 400 });
    const slow = open(server);
    slow.socket.write('GET / HTTP/1.1\r\n');
    const drip = setInterval(() => slow.socket.write('x: y\r\n'), 50);
    onTestFinished(() => clearInterval(drip));
    const inTime = open(server);
    inTime.socket.write(get(server, '/'));
    await slow.closed;
    expect(slow.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(inTime.text()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('whose reader does not read the answer is closed, and one that is read slowly is not', async () => {
    const server = await serve({ unreadAnswerMs: 400 });
    const unread = open(server);
    unread.socket.pause();
    unread.socket.write(get(server, '/assets/large-0123abcd.js'));
    const slow = open(server);
    slow.socket.write(get(server, '/assets/large-0123abcd.js'));
    // Three pauses, each shorter than the limit, and together longer.
    for (let pause = 0; pause < 3; pause++) {
      slow.socket.pause();
      await wait(200);
      slow.socket.resume();
      await wait(20);
    }
    await wait(300);
    unread.socket.resume();
    await unread.closed;
    expect(unread.text().length).toBeLessThan(LARGE_BYTES);
    await expect.poll(() => slow.text().length, { timeout: 10_000 }).toBeGreaterThan(LARGE_BYTES);
  });

  it('beyond the limit is closed at once, and another is accepted when one ends', async () => {
    const server = await serve({ mostConnections: 3 });
    const held = [open(server), open(server), open(server)];
    for (const { socket } of held) await new Promise(resolve => socket.once('connect', resolve));
    const refused = open(server);
    refused.socket.write(get(server, '/'));
    await refused.closed;
    expect(refused.text()).toBe('');
    held[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const next = open(server);
        next.socket.write(get(server, '/'));
        await Promise.race([next.closed, new Promise(resolve => next.socket.once('data', resolve))]);
        const text = next.text();
        next.socket.destroy();
        return text;
      })
      .toMatch(/^HTTP\/1\.1 200 /);
    expect(held.slice(1).every(({ socket }) => !socket.destroyed)).toBe(true);
  });

  it('has the limits: 1,024 at once, 20 s for its headers, and 60 s without a read', () => {
    expect(CONNECTION_LIMITS).toEqual({
      mostConnections: 1_024,
      headersWithinMs: 20_000,
      unreadAnswerMs: 60_000,
    });
  });
});

import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEEDS_LINUX, runsHere } from '../support/runs-here.ts';
import { type ServedHost, startServedHost } from '../support/served-host.ts';

/** Time for the grace period and for closing the store on a busy machine, ms. Docker kills after 10 s. */
const ENDS_WITHIN_MS = 9_000;

/** Opens a TCP connection that never closes its half, like a hostile or sleeping peer. */
function openConnection(host: ServedHost, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(host.origin);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', reject);
    socket.on('connect', () => {
      if (text === '') resolve(socket);
      else socket.write(text);
    });
    socket.once('data', () => resolve(socket));
  });
}

function get(host: ServedHost, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ host: new URL(host.origin).host, ...headers }).map(([k, v]) => `${k}: ${v}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Returns the number of a process's open sockets. */
function socketsOf(host: ServedHost): number {
  return readdirSync(`/proc/${host.process.pid}/fd`).length;
}

async function started(): Promise<ServedHost> {
  const host = await startServedHost();
  onTestFinished(() => void host.process.kill('SIGKILL'));
  return host;
}

const isRun = runsHere('connections of the served host', NEEDS_LINUX);
describe.runIf(isRun)('connections of the served host', () => {
  it('are closed when an upgrade is refused, also where the peer keeps them open', async () => {
    const host = await started();
    const before = socketsOf(host);
    for (const [path, headers] of [
      ['/elsewhere', UPGRADE],
      ['/rpc', { ...UPGRADE, origin: 'http://evil.example' }],
      ['/rpc', { ...UPGRADE, 'sec-websocket-key': 'short' }],
    ] as const) {
      await Promise.all(Array.from({ length: 40 }, () => openConnection(host, get(host, path, headers))));
    }
    await expect.poll(() => socketsOf(host) - before, { timeout: 3_000 }).toBeLessThan(5);
    expect(await host.stop()).toBe(0);
  });

  it('do not delay its end: refused upgrades, streams, sockets, idle and slow senders', async () => {
    const host = await started();
    const authorization = `Bearer ${host.token}`;
    await Promise.all([
      ...Array.from({ length: 100 }, () => openConnection(host, get(host, '/elsewhere', UPGRADE))),
      openConnection(host, get(host, '/api/live', { authorization })),
      openConnection(host, get(host, '/api/events', { authorization })),
      openConnection(host, get(host, '/api/store', { authorization })),
      openConnection(host, get(host, '/rpc', UPGRADE)),
      openConnection(
        host,
        get(host, '/rpc', { ...UPGRADE, 'sec-websocket-protocol': `sandglass.${host.token}` }),
      ),
      openConnection(host, ''),
    ]);
    const slow = await openConnection(host, '');
    slow.write(
      get(host, '/api/collections', { authorization, 'content-length': '100' }).replace('GET', 'POST'),
    );
    const { promise: late, reject } = Promise.withResolvers<never>();
    late.catch(() => {});
    const timer = setTimeout(() => reject(new Error('the process did not end')), ENDS_WITHIN_MS);
    expect(await Promise.race([host.stop(), late])).toBe(0);
    clearTimeout(timer);
  });
});

import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TcpProxy {
  readonly port: number;
  /** Cuts the connection after so many bytes of replies. */
  cutAfter(bytes: number): void;
  /** Delays each reply, ms. */
  delay(ms: number): void;
}

/** Forwards to a port of this machine, for the running test: a network that is slow, or fails. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  let left = Infinity;
  let delayMs = 0;
  const proxy = createServer(client => {
    const server = connect(port, '127.0.0.1');
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    client.pipe(server);
    server.on('data', data => {
      left -= data.length;
      if (left > 0) {
        setTimeout(() => client.write(data), delayMs);
        return;
      }
      left = Infinity;
      client.destroy();
      server.destroy();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => setTimeout(() => client.destroy(), delayMs));
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cutAfter(bytes) {
      left = bytes;
    },
    delay(ms) {
      delayMs = ms;
    },
  };
}

/** Accepts connections for the running test, and never sends a byte: a server that hangs. Returns its port. */
export async function silentServer(): Promise<number> {
  const server = createServer(client => client.on('error', () => client.destroy()).resume());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

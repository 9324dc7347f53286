import { rmSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import { SOCKET_CLOSED } from '../../../shared/model/transport/window-socket.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import { http } from '../../engine/platform/node-http.ts';
import { LARGEST_MESSAGE_BYTES, relay } from './message-relay.ts';
import { newSocketPath, removeStaleSockets } from './socket-path.ts';

/** Time for clients to complete the closing handshake. */
const CLOSE_TIMEOUT_MS = 500;

export interface LocalSocketOptions {
  path: string;
  /**
   * Passes a port to the engine, with the permission of this machine's user. Returns false while no engine runs.
   * `connection`: the id that the client names, of another connection of the same host.
   */
  attach(port: MessagePort, connection: string | undefined): boolean;
  clock: Pick<Clock, 'sleep'>;
  log: Logger;
}

/** Returns an unused socket path; undefined if there is no folder for it; the reason is logged. */
export function localSocketPath(log: Logger): string | undefined {
  try {
    return newSocketPath();
  } catch (error) {
    log.warn('the command line cannot reach this store while it is open here', errorFields(error));
    return undefined;
  }
}

/**
 * Listens for other processes of this user, and relays the messages of `/rpc` to the engine, undecoded. File
 * permissions are the access check, so there is no token. Disposing closes the socket. Rejects if it cannot listen.
 */
export async function listenOnLocalSocket({
  path,
  attach,
  clock,
  log,
}: LocalSocketOptions): Promise<AsyncDisposable> {
  await removeStaleSockets();
  const server = http.createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server, maxPayload: LARGEST_MESSAGE_BYTES });
  sockets.on('error', error => log.warn('the local socket failed', { error: error.message }));
  sockets.on('connection', (socket, request) => {
    const { searchParams } = new URL(request.url ?? '/', 'ws://localhost');
    const connection = searchParams.get(CONNECTION_PARAMETER) ?? undefined;
    socket.on('error', error => log.debug('a local client’s connection failed', { error: error.message }));
    relay(socket, { attach: port => attach(port, connection), pausesStreams: true, log });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    async [Symbol.asyncDispose]() {
      const closing = [...sockets.clients].map(
        socket => new Promise<void>(resolve => socket.once('close', () => resolve())),
      );
      for (const socket of sockets.clients) socket.close(SOCKET_CLOSED.GOING_AWAY);
      await Promise.race([Promise.all(closing), clock.sleep(CLOSE_TIMEOUT_MS)]);
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      if (process.platform !== 'win32') rmSync(path, { force: true });
    },
  };
}

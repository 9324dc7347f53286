import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../engine/platform/clock.ts';

/** Time for running requests to be answered while the server closes, ms. */
const GRACE_MS = 2_000;

/**
 * The TCP sockets of a server. Node's `closeAllConnections` leaves upgraded ones open, and a server with an open socket
 * never closes. Create it before the server listens.
 */
export class OpenSockets {
  readonly #server: Server;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<ServerResponse>();

  constructor(server: Server, clock: Pick<Clock, 'sleep'>) {
    this.#server = server;
    this.#clock = clock;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (_request, response) => {
      response.once('pipe', () => this.#streams.add(response));
      response.once('close', () => this.#streams.delete(response));
    });
  }

  /** Closes the server: streams at once, other responses after GRACE_MS. Resolves when no socket is open. */
  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    for (const response of this.#streams) response.destroy();
    const waiting = new AbortController();
    await Promise.race([closed, this.#clock.sleep(GRACE_MS, waiting.signal)]);
    waiting.abort();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../engine/platform/clock.ts';

/** What requests under way get to be answered once the server is closing, in ms. */
const GRACE_MS = 2_000;

/**
 * The TCP connections of a server. Node forgets a connection when it is upgraded, and `closeAllConnections` leaves it
 * open; a server with such a connection never closes. Made before the server listens.
 */
export class OpenConnections {
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

  /** Accepts nothing more. Answers without an end are cut at once, all others after the grace. Resolves when no socket is left. */
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

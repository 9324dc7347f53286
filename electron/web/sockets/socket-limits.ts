import type { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../engine/platform/clock.ts';

/** A page whose machine sleeps or whose network is gone says no goodbye: it is asked as often, and has as long to answer. */
const PING_EVERY_MS = 30_000;
/** Each is a port of the engine and its streams. */
const MOST_SOCKETS = 256;
const MOST_OF_ONE_ADDRESS = 64;

export interface SocketLimits {
  mostSockets?: number;
  mostOfOneAddress?: number;
}

/** Counts sockets as a whole and by the address they come from. */
export class SocketCounter {
  readonly #byAddress = new Map<string, number>();
  readonly #limits: Required<SocketLimits>;
  #all = 0;

  constructor({ mostSockets = MOST_SOCKETS, mostOfOneAddress = MOST_OF_ONE_ADDRESS }: SocketLimits = {}) {
    this.#limits = { mostSockets, mostOfOneAddress };
  }

  /** Takes a place until the returned function is called; undefined: there is none. */
  enter(address: string): (() => void) | undefined {
    const of = this.#byAddress.get(address) ?? 0;
    if (this.#all >= this.#limits.mostSockets || of >= this.#limits.mostOfOneAddress) return undefined;
    this.#all += 1;
    this.#byAddress.set(address, of + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    };
  }
}

/** Pings every socket, and ends those that did not answer the ping before. Returns what stops it. */
export function endDeadSockets(server: WebSocketServer, clock: Pick<Clock, 'setTimer'>): () => void {
  const silent = new WeakSet<WebSocket>();
  const look = () => {
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.once('pong', () => silent.delete(socket));
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    cancel = clock.setTimer(PING_EVERY_MS, look);
  };
  let cancel = clock.setTimer(PING_EVERY_MS, look);
  return () => cancel();
}

import type { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../engine/platform/clock.ts';

/**
 * Interval of pings, and the longest time to answer one. Pings detect pages whose machine is suspended or whose network
 * is down.
 */
const PING_EVERY_MS = 30_000;
/** Most sockets: each needs a port of the engine, and its streams. */
const MOST_SOCKETS = 256;
const MOST_PER_ADDRESS = 64;

export interface SocketLimits {
  mostSockets?: number;
  mostPerAddress?: number;
}

/** Limits the number of sockets, in total and per client address. */
export class SocketCounter {
  readonly #byAddress = new Map<string, number>();
  readonly #limits: Required<SocketLimits>;
  #all = 0;

  constructor({ mostSockets = MOST_SOCKETS, mostPerAddress = MOST_PER_ADDRESS }: SocketLimits = {}) {
    this.#limits = { mostSockets, mostPerAddress };
  }

  /** Counts a socket until the returned function is called. Returns undefined if a limit is reached. */
  take(address: string): (() => void) | undefined {
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (this.#all >= this.#limits.mostSockets || ofAddress >= this.#limits.mostPerAddress) return undefined;
    this.#all += 1;
    this.#byAddress.set(address, ofAddress + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    };
  }
}

/** Pings every socket, and terminates those that did not answer the previous ping. Returns a function that stops it. */
export function endDeadSockets(server: WebSocketServer, clock: Pick<Clock, 'setTimer'>): () => void {
  const silent = new WeakSet<WebSocket>();
  const tick = () => {
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.once('pong', () => silent.delete(socket));
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    cancel = clock.setTimer(PING_EVERY_MS, tick);
  };
  let cancel = clock.setTimer(PING_EVERY_MS, tick);
  return () => cancel();
}

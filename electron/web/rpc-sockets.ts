import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../shared/model/socket.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';
import type { RunningEngine } from './running-engine.ts';
import type { TokenCheck } from './token.ts';

/** The largest message taken: a document of 16 MiB, with room for its escapes. */
export const LARGEST_MESSAGE_BYTES = 48 * 1024 * 1024;
/** What may wait for a page that reads slowly; live updates have no other brake. */
export const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** How long a page has to answer a goodbye. */
const GOODBYE_MS = 500;

export interface RpcSockets {
  /** Takes over a request to upgrade whose path, Host and Origin are in order. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye to every page. */
  close(): Promise<void>;
}

export interface RpcSocketNeeds {
  engine: Pick<RunningEngine, 'attach'>;
  mayEnter: TokenCheck;
  clock: Pick<Clock, 'sleep'>;
  log: Logger;
  /** For tests; a page is dropped when more than this waits for it. */
  mostWaitingBytes?: number;
}

/** The pages' line to the engine. */
export function createRpcSockets(needs: RpcSocketNeeds): RpcSockets {
  const { clock } = needs;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    // The one protocol a page offers carries its token; a browser wants to hear it back.
    handleProtocols: offered => [...offered][0] ?? false,
  });
  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, accepted => relay(accepted, needs));
    },
    async close() {
      const gone = [...server.clients].map(
        socket => new Promise<void>(resolve => socket.once('close', () => resolve())),
      );
      for (const socket of server.clients) socket.close(SOCKET_CLOSED.GOING_AWAY);
      await Promise.race([Promise.all(gone), clock.sleep(GOODBYE_MS)]);
      for (const socket of server.clients) socket.terminate();
    },
  };
}

function givenToken(socket: WebSocket): string | undefined {
  const { protocol } = socket;
  return protocol.startsWith(SOCKET_PROTOCOL_PREFIX)
    ? protocol.slice(SOCKET_PROTOCOL_PREFIX.length)
    : undefined;
}

/**
 * Passes messages between a socket and a port of the engine, undecoded, until either closes. Text stays text: oRPC
 * writes the same words on both, strings for JSON and bytes for JSON with a blob.
 */
function relay(socket: WebSocket, needs: RpcSocketNeeds): void {
  const { engine, mayEnter, log, mostWaitingBytes = MOST_WAITING_BYTES } = needs;
  socket.on('error', error => log.debug('a page’s socket failed', { error: error.message }));
  // Only now, and not by refusing the upgrade: a page cannot see why an upgrade was refused.
  if (!mayEnter(givenToken(socket))) {
    socket.close(SOCKET_CLOSED.TOKEN_REFUSED, 'token refused');
    return;
  }

  const { port1: near, port2: far } = new MessageChannel();
  if (!engine.attach(far)) {
    socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped');
    return;
  }
  socket.on('message', (message: Buffer, isBinary: boolean) =>
    near.postMessage(isBinary ? new Uint8Array(message) : message.toString('utf8')),
  );
  socket.on('close', () => near.close());
  near.on('message', (message: string | Uint8Array) => {
    if (socket.bufferedAmount <= mostWaitingBytes) return socket.send(message);
    log.warn('a page reads too slowly and is dropped', { waitingBytes: socket.bufferedAmount });
    // Without a goodbye, which would wait behind all that it does not read.
    socket.terminate();
  });
  near.on('close', () => socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped'));
}

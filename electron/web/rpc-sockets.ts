import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SandglassError } from '../../shared/model/errors.ts';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../shared/model/socket.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { LARGEST_MESSAGE_BYTES, relay } from '../local/relay.ts';
import type { Admit } from './admission.ts';
import type { RunningEngine } from './running-engine.ts';
import { endDeadSockets, SocketCounter, type SocketLimits } from './socket-limits.ts';

/** How long a page has to answer a goodbye. */
const GOODBYE_MS = 500;

/** Where a socket comes from, and the connection it asks for. */
export interface SocketOrigin {
  address: string;
  connection: string | undefined;
}

export interface RpcSockets {
  /** Takes over a request to upgrade whose path, Host and Origin are in order. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: SocketOrigin): void;
  /** Says goodbye to every page. */
  close(): Promise<void>;
}

export interface RpcSocketNeeds {
  admit: Admit<Pick<RunningEngine, 'attach'>>;
  clock: Pick<Clock, 'sleep' | 'setTimer'>;
  limits?: SocketLimits;
  /** Told of a socket that brought no token that is taken. */
  onRefused?: (address: string) => void;
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
  const counter = new SocketCounter(needs.limits);
  const stopPinging = endDeadSockets(server, clock);
  return {
    upgrade(request, socket, head, from) {
      const leave = counter.enter(from.address);
      if (leave === undefined) {
        const refusal = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
        socket.end(refusal, () => socket.destroy());
        return;
      }
      socket.once('close', leave);
      server.handleUpgrade(request, socket, head, accepted => void letIn(accepted, from, needs));
    },
    async close() {
      stopPinging();
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

type Closing = Exclude<keyof typeof SOCKET_CLOSED, 'GOING_AWAY'>;

/** Whoever opens a socket says nothing to the engine before it is known whose token they brought [P1]. */
async function letIn(
  socket: WebSocket,
  { address, connection }: SocketOrigin,
  { admit, log, mostWaitingBytes, onRefused }: RpcSocketNeeds,
): Promise<void> {
  socket.on('error', error => log.debug('a page’s socket failed', { error: error.message }));
  socket.pause();
  const admitted = await admit(givenToken(socket), connection).catch((error: unknown): Closing => {
    if (error instanceof SandglassError)
      return error.code === 'CONNECTION_NOT_FOUND' ? error.code : 'CONNECTION_NOT_OPEN';
    log.debug('an engine that is away cannot say whose token it is', errorFields(error));
    return 'ENGINE_STOPPED';
  });
  // A socket that stays paused would never hear the goodbye answered.
  socket.resume();
  if (socket.readyState !== socket.OPEN) return;
  // Only now, and not by refusing the upgrade: a page cannot see why an upgrade was refused.
  const why = admitted ?? 'TOKEN_REFUSED';
  if (typeof why === 'string') {
    if (why === 'TOKEN_REFUSED') onRefused?.(address);
    socket.close(SOCKET_CLOSED[why], why.toLowerCase().replaceAll('_', ' '));
    return;
  }
  relay(socket, {
    attach: port => why.engine.attach(port, why.caller),
    log,
    ...(mostWaitingBytes === undefined ? {} : { mostWaitingBytes }),
  });
}

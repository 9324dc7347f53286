import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../../shared/model/socket.ts';
import { Slots } from '../../engine/access/slots.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import { SMALL_MESSAGE_BYTES } from '../../host/local-socket/large-messages.ts';
import { LARGEST_MESSAGE_BYTES, MOST_WAITING_BYTES, relay } from '../../host/local-socket/message-relay.ts';
import type { Admit } from '../access/admission.ts';
import type { RunningEngine } from '../engine/running-engine.ts';
import { endDeadSockets, SocketCounter, type SocketLimits } from './socket-limits.ts';

/** How long a page has to answer a goodbye. */
const GOODBYE_MS = 500;

/** What may wait for all pages together; beyond it a page that has more than a little waiting is dropped. */
const MOST_WAITING_IN_ALL_BYTES = 128 * 1024 * 1024;
const MOST_IN_A_CROWD_BYTES = 1024 * 1024;

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
  /** For tests; when more waits for all pages together, each may have MOST_IN_A_CROWD_BYTES waiting. */
  mostWaitingInAll?: number;
}

/** The pages' line to the engine. */
export function createRpcSockets(needs: RpcSocketNeeds): RpcSockets {
  const { admit, clock, log, onRefused } = needs;
  const servers = { writers: webSockets(LARGEST_MESSAGE_BYTES), others: webSockets(SMALL_MESSAGE_BYTES) };
  const clients = () => [...servers.writers.clients, ...servers.others.clients];
  const counter = new SocketCounter(needs.limits);
  const stopPinging = Object.values(servers).map(server => endDeadSockets(server, clock));
  const mostWaitingBytes = () => {
    const waiting = clients().reduce((sum, socket) => sum + socket.bufferedAmount, 0);
    return waiting > (needs.mostWaitingInAll ?? MOST_WAITING_IN_ALL_BYTES)
      ? MOST_IN_A_CROWD_BYTES
      : (needs.mostWaitingBytes ?? MOST_WAITING_BYTES);
  };
  const largeMessages = new Slots({ most: 2, mostWaiting: 64, what: 'large messages' });
  let isClosing = false;

  /** Whoever opens a socket says nothing to the engine before it is known whose token they brought [P1]. */
  async function letIn(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    from: SocketOrigin,
  ): Promise<void> {
    const admitted = await admit(givenToken(request), from.connection).catch((error: unknown): Closing => {
      if (error instanceof SandglassError)
        return error.code === 'CONNECTION_NOT_FOUND' ? error.code : 'CONNECTION_NOT_OPEN';
      log.debug('an engine that is away cannot say whose token it is', errorFields(error));
      return 'ENGINE_STOPPED';
    });
    if (isClosing || socket.destroyed) {
      socket.destroy();
      return;
    }
    // The upgrade is not refused: a page cannot see why one was.
    const why = admitted ?? 'TOKEN_REFUSED';
    const mayWrite = typeof why !== 'string' && permits(why.caller.permission, 'write');
    const server = mayWrite ? servers.writers : servers.others;
    server.handleUpgrade(request, socket, head, accepted => {
      accepted.on('error', error => tellOfFailure(error, from.address, log));
      if (typeof why !== 'string') {
        relay(accepted, {
          attach: port => why.engine.attach(port, why.caller),
          log,
          mostWaitingBytes,
          ...(mayWrite ? { largeMessages } : {}),
        });
        return;
      }
      if (why === 'TOKEN_REFUSED') onRefused?.(from.address);
      accepted.close(SOCKET_CLOSED[why], why.toLowerCase().replaceAll('_', ' '));
    });
  }

  return {
    upgrade(request, socket, head, from) {
      const leave = counter.enter(from.address);
      if (leave === undefined) {
        const refusal = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
        socket.end(refusal, () => socket.destroy());
        return;
      }
      socket.once('close', leave);
      letIn(request, socket, head, from).catch((error: unknown) => {
        log.error('a socket could not be let in', errorFields(error));
        socket.destroy();
      });
    },
    async close() {
      isClosing = true;
      for (const stop of stopPinging) stop();
      const gone = clients().map(
        socket => new Promise<void>(resolve => socket.once('close', () => resolve())),
      );
      for (const socket of clients()) socket.close(SOCKET_CLOSED.GOING_AWAY);
      await Promise.race([Promise.all(gone), clock.sleep(GOODBYE_MS)]);
      for (const socket of clients()) socket.terminate();
    },
  };
}

function webSockets(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    // The one protocol a page offers carries its token; a browser wants to hear it back.
    handleProtocols: offered => [...offered][0] ?? false,
  });
}

/** The token in the first protocol that is offered, which is the one that is agreed on. */
function givenToken(request: IncomingMessage): string | undefined {
  const [protocol = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  const offered = protocol.trim();
  return offered.startsWith(SOCKET_PROTOCOL_PREFIX)
    ? offered.slice(SOCKET_PROTOCOL_PREFIX.length)
    : undefined;
}

type Closing = 'CONNECTION_NOT_FOUND' | 'CONNECTION_NOT_OPEN' | 'ENGINE_STOPPED' | 'TOKEN_REFUSED';

function tellOfFailure(error: Error, address: string, log: Logger): void {
  const isTooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  if (isTooLarge) log.warn('a message larger than its token may send closed its socket', { address });
  else log.debug('a page’s socket failed', { error: error.message });
}

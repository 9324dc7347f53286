import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../../shared/model/transport/window-socket.ts';
import { Slots } from '../../engine/access/concurrency-limit.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import { SMALL_MESSAGE_BYTES } from '../../host/local-socket/large-messages.ts';
import { MOST_WAITING_BYTES, relay } from '../../host/local-socket/message-relay.ts';
import type { Admit } from '../authentication/request-admission.ts';
import type { RunningEngine } from '../engine/running-engine.ts';
import { LARGEST_PAGE_MESSAGE_BYTES, type Procedures, refusalOfLargeCall } from './message-limits.ts';
import { endDeadSockets, SocketCounter, type SocketLimits } from './socket-limits.ts';

/** Time for pages to complete the closing handshake. */
const CLOSE_TIMEOUT_MS = 500;

/** Limit of all output buffers together; beyond it, the lower limit per page applies. */
const MOST_WAITING_IN_ALL_BYTES = 128 * 1024 * 1024;
const LOWER_MOST_WAITING_BYTES = 1024 * 1024;

/** Address of a socket's client, and the connection that it requests. */
export interface SocketOrigin {
  address: string;
  connection: string | undefined;
}

export interface RpcSockets {
  /** Handles a request to upgrade whose path, Host and Origin are valid. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: SocketOrigin): void;
  /** Closes every socket with GOING_AWAY. */
  close(): Promise<void>;
}

export interface RpcSocketOptions {
  admit: Admit<Pick<RunningEngine, 'attach'>>;
  clock: Pick<Clock, 'sleep' | 'setTimer'>;
  limits?: SocketLimits;
  /** Called with the reason of each refusal and the address of its socket [P3]. */
  onRefused?: (address: string, reason: string) => void;
  log: Logger;
  /** Limit of one page's output buffer; MOST_WAITING_BYTES by default. A page beyond it is disconnected. */
  mostWaitingBytes?: number;
  /** Limit of all output buffers together; MOST_WAITING_IN_ALL_BYTES by default. */
  mostWaitingInAll?: number;
  /** By default those of the contract. */
  procedures?: Procedures;
}

/** Creates the WebSockets between pages and the engine. */
export function createRpcSockets(options: RpcSocketOptions): RpcSockets {
  const { admit, clock, log, onRefused } = options;
  const servers = {
    writers: webSockets(LARGEST_PAGE_MESSAGE_BYTES),
    others: webSockets(SMALL_MESSAGE_BYTES),
  };
  const clients = () => [...servers.writers.clients, ...servers.others.clients];
  const counter = new SocketCounter(options.limits);
  const stopPinging = Object.values(servers).map(server => endDeadSockets(server, clock));
  const mostWaitingBytes = () => {
    const waiting = clients().reduce((sum, socket) => sum + socket.bufferedAmount, 0);
    return waiting > (options.mostWaitingInAll ?? MOST_WAITING_IN_ALL_BYTES)
      ? LOWER_MOST_WAITING_BYTES
      : (options.mostWaitingBytes ?? MOST_WAITING_BYTES);
  };
  const largeMessages = new Slots({ most: 1, mostWaiting: 64, what: 'large messages' });
  let isClosing = false;

  /** Accepts a socket once its token has been checked; no message reaches the engine before [P1]. */
  async function admitSocket(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    from: SocketOrigin,
  ): Promise<void> {
    const admitted = await admit(givenToken(request), from.connection).catch((error: unknown): Closing => {
      if (error instanceof SandglassError)
        return error.code === 'CONNECTION_NOT_FOUND' ? error.code : 'CONNECTION_NOT_OPEN';
      log.debug('no engine runs to check the token of a socket', errorFields(error));
      return 'ENGINE_STOPPED';
    });
    if (isClosing || socket.destroyed) {
      socket.destroy();
      return;
    }
    // Refused with a close code after the upgrade: a page cannot see why an upgrade fails.
    const outcome = admitted ?? 'TOKEN_REFUSED';
    const mayWrite = typeof outcome !== 'string' && permits(outcome.caller.permission, 'write');
    const server = mayWrite ? servers.writers : servers.others;
    server.handleUpgrade(request, socket, head, accepted => {
      accepted.on('error', error => logFailure(error, from.address, log));
      if (typeof outcome !== 'string') {
        relay(accepted, {
          attach: port => outcome.engine.attach(port, outcome.caller),
          pausesStreams: true,
          log,
          mostWaitingBytes,
          ...(mayWrite
            ? {
                largeMessages: {
                  slots: largeMessages,
                  refusalOf: call =>
                    refusalOfLargeCall(call, outcome.caller, {
                      onDenied: reason => onRefused?.(from.address, reason),
                      ...(options.procedures && { procedures: options.procedures }),
                    }),
                },
              }
            : {}),
        });
        return;
      }
      if (outcome === 'TOKEN_REFUSED') onRefused?.(from.address, 'unknown token');
      accepted.close(SOCKET_CLOSED[outcome], outcome.toLowerCase().replaceAll('_', ' '));
    });
  }

  return {
    upgrade(request, socket, head, from) {
      const release = counter.take(from.address);
      if (release === undefined) {
        const refusal = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
        socket.end(refusal, () => socket.destroy());
        return;
      }
      socket.once('close', release);
      admitSocket(request, socket, head, from).catch((error: unknown) => {
        log.error('a socket could not be accepted', errorFields(error));
        socket.destroy();
      });
    },
    async close() {
      isClosing = true;
      for (const stop of stopPinging) stop();
      const closing = clients().map(
        socket => new Promise<void>(resolve => socket.once('close', () => resolve())),
      );
      for (const socket of clients()) socket.close(SOCKET_CLOSED.GOING_AWAY);
      await Promise.race([Promise.all(closing), clock.sleep(CLOSE_TIMEOUT_MS)]);
      for (const socket of clients()) socket.terminate();
    },
  };
}

function webSockets(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    // The only protocol that a page offers contains its token; browsers require it in the response.
    handleProtocols: offered => [...offered][0] ?? false,
  });
}

/** Returns the token in the first offered protocol, which is the selected one. */
function givenToken(request: IncomingMessage): string | undefined {
  const [protocol = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  const offered = protocol.trim();
  return offered.startsWith(SOCKET_PROTOCOL_PREFIX)
    ? offered.slice(SOCKET_PROTOCOL_PREFIX.length)
    : undefined;
}

type Closing = 'CONNECTION_NOT_FOUND' | 'CONNECTION_NOT_OPEN' | 'ENGINE_STOPPED' | 'TOKEN_REFUSED';

function logFailure(error: Error, address: string, log: Logger): void {
  const isTooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  if (isTooLarge) log.warn('closed a socket for a message larger than its token permits', { address });
  else log.debug('a page’s socket failed', { error: error.message });
}

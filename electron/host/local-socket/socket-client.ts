import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { WebSocket } from 'ws';
import type { Client } from '../../../shared/contract/index.ts';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import {
  SOCKET_CLOSED,
  SOCKET_PATH,
  SOCKET_PROTOCOL_PREFIX,
} from '../../../shared/model/transport/window-socket.ts';
import { createLogger } from '../../engine/platform/logger.ts';
import { LARGEST_MESSAGE_BYTES, relay } from './message-relay.ts';
import { checkSocketIsPrivate } from './socket-path.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Reason why a connection closed, from the code of its WebSocket; `gone` for every other code. */
export type CloseReason = 'token refused' | 'engine stopped' | 'gone';

/** A connection to the engine of another process. `closed` resolves when it has closed, for any reason. */
export interface EngineConnection {
  readonly client: Client;
  readonly closed: Promise<CloseReason>;
  close(): void;
}

/**
 * Connects to the owner of a store on this machine, or to another connection of its host by id. Rejects if no process
 * listens, or if other users can reach the socket.
 */
export async function connectToLocalSocket(path: string, connection?: string): Promise<EngineConnection> {
  checkSocketIsPrivate(path);
  const url = addressed(new URL(`ws://localhost${SOCKET_PATH}`), connection);
  return open(new WebSocket(url, [], { ...OPTIONS, createConnection: () => connect(path) }));
}

/** Connects to a served host, `http://server:7263/`. A refused token is reported by `closed`. */
export function connectToServedHost(
  address: string,
  token: string,
  connection?: string,
): Promise<EngineConnection> {
  const url = new URL(SOCKET_PATH.slice(1), address);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search = '';
  return open(new WebSocket(addressed(url, connection), [SOCKET_PROTOCOL_PREFIX + token], OPTIONS));
}

function addressed(url: URL, connection: string | undefined): URL {
  if (connection !== undefined) url.searchParams.set(CONNECTION_PARAMETER, connection);
  return url;
}

/** The relay only logs slow readers; here `closed` reports them. */
const SILENT = createLogger('silent', () => 0);
const OPTIONS = { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, maxPayload: LARGEST_MESSAGE_BYTES };

function open(socket: WebSocket): Promise<EngineConnection> {
  const closed = new Promise<CloseReason>(resolve =>
    socket.once('close', code => resolve(closeReasonOf(code))),
  );
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.off('error', reject);
      // A later error closes the socket, which `closed` reports.
      socket.on('error', () => {});
      relay(socket, {
        attach(port) {
          port.start();
          const client: Client = createORPCClient(new RPCLink({ port }));
          resolve({ client, closed, close: () => socket.close() });
          return true;
        },
        log: SILENT,
      });
    });
  });
}

function closeReasonOf(code: number): CloseReason {
  if (code === SOCKET_CLOSED.TOKEN_REFUSED) return 'token refused';
  return code === SOCKET_CLOSED.ENGINE_STOPPED ? 'engine stopped' : 'gone';
}

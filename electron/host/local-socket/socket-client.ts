import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { WebSocket } from 'ws';
import type { Client } from '../../../shared/contract/index.ts';
import { SOCKET_CLOSED, SOCKET_PATH, SOCKET_PROTOCOL_PREFIX } from '../../../shared/model/socket.ts';
import { createLogger } from '../../engine/platform/logger.ts';
import { LARGEST_MESSAGE_BYTES, relay } from './message-relay.ts';
import { checkDoorIsOurs } from './socket-path.ts';

/** How long an address may stay silent before it counts as not answering. */
const OPEN_WITHIN_MS = 10_000;

/** Why a line ended, as far as it tells. */
export type LineEnding = 'token refused' | 'engine stopped' | 'gone';

/** One connection to an engine of another process. `closed` settles when it is over, however it ended. */
export interface Line {
  readonly client: Client;
  readonly closed: Promise<LineEnding>;
  close(): void;
}

/** To the owner of a store on this machine. Rejects where nobody listens, and where the socket is not this user's alone. */
export async function lineToDoor(path: string): Promise<Line> {
  checkDoorIsOurs(path);
  return open(
    new WebSocket(`ws://localhost${SOCKET_PATH}`, [], { ...OPTIONS, createConnection: () => connect(path) }),
  );
}

/** To a served host, `http://server:7263/`. A refused token shows as the line's ending. */
export function lineToHost(address: string, token: string): Promise<Line> {
  const url = new URL(SOCKET_PATH.slice(1), address);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search = '';
  return open(new WebSocket(url, [SOCKET_PROTOCOL_PREFIX + token], OPTIONS));
}

/** What a relay has to say is of readers that are too slow; whoever holds a line sees it end. */
const SILENT = createLogger('silent', () => 0);
const OPTIONS = { handshakeTimeout: OPEN_WITHIN_MS, maxPayload: LARGEST_MESSAGE_BYTES };

function open(socket: WebSocket): Promise<Line> {
  const closed = new Promise<LineEnding>(resolve => socket.once('close', code => resolve(endingOf(code))));
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.off('error', reject);
      // What goes wrong later ends the line, and that is told by `closed`.
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

function endingOf(code: number): LineEnding {
  if (code === SOCKET_CLOSED.TOKEN_REFUSED) return 'token refused';
  return code === SOCKET_CLOSED.ENGINE_STOPPED ? 'engine stopped' : 'gone';
}

import type { ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { CONNECTION_PARAMETER, HOME_CONNECTION } from '../../shared/model/connection-id.ts';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../shared/model/socket.ts';

type Context = Record<never, never>;
export type Link = ClientLink<Context>;

/** Why a connection ended, as far as it tells. */
export type Ending = 'token refused' | 'engine stopped' | 'gone';

/** One life of a connection. `closed` settles when it is over, however it ended. */
export interface Connection {
  readonly link: Link;
  readonly closed: Promise<Ending>;
  close(): void;
}

/** The seam between the window and its host: opens a connection, or rejects. Each kind of host has one of these. */
export type Connect = () => Promise<Connection>;

/** How long an address may stay silent before it counts as not answering. */
const OPEN_WITHIN_MS = 10_000;

function endingOf({ code }: CloseEvent): Ending {
  if (code === SOCKET_CLOSED.TOKEN_REFUSED) return 'token refused';
  return code === SOCKET_CLOSED.ENGINE_STOPPED ? 'engine stopped' : 'gone';
}

/** The served host. The token travels as a subprotocol: a browser can set no header, and addresses end up in logs. */
export function connectBySocket(url: string, token: string | null): Connect {
  return () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, token === null ? [] : [SOCKET_PROTOCOL_PREFIX + token]);
      const timeout = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
      const closed = new Promise<Ending>(over => {
        socket.addEventListener('close', event => over(endingOf(event)));
      });
      socket.addEventListener('open', () => {
        clearTimeout(timeout);
        resolve({ link: new RPCLink({ websocket: socket }), closed, close: () => socket.close() });
      });
      socket.addEventListener('close', () => {
        clearTimeout(timeout);
        reject(new Error('The engine does not answer.'));
      });
    });
}

/** Beside the page, so that it works behind any path and over TLS. */
export function socketUrl(page: string, connection: string): string {
  const url = new URL('rpc', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search =
    connection === HOME_CONNECTION ? '' : `?${new URLSearchParams({ [CONNECTION_PARAMETER]: connection })}`;
  return url.href;
}

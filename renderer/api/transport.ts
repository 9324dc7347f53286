import { t } from '@lingui/core/macro';
import type { ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { CONNECTION_PARAMETER, HOME_CONNECTION } from '../../shared/model/transport/connection-id.ts';
import { SOCKET_CLOSED, SOCKET_PROTOCOL_PREFIX } from '../../shared/model/transport/window-socket.ts';

type Context = Record<never, never>;
export type Link = ClientLink<Context>;

/** Reason for the end of a transport, if known. */
export type EndReason = 'token refused' | 'engine stopped' | 'gone';

/** An open transport to a connection's engine. `closed` settles when it ends, for any reason. */
export interface Transport {
  readonly link: Link;
  readonly closed: Promise<EndReason>;
  close(): void;
}

/** Opens a transport, or rejects. One implementation per kind of host. */
export type OpenTransport = () => Promise<Transport>;

/** Timeout for opening a transport, ms. */
const OPEN_WITHIN_MS = 10_000;

function endReasonOf({ code }: CloseEvent): EndReason {
  if (code === SOCKET_CLOSED.TOKEN_REFUSED) return 'token refused';
  return code === SOCKET_CLOSED.ENGINE_STOPPED ? 'engine stopped' : 'gone';
}

/** The served host. The token is sent as a subprotocol: a browser cannot set headers here, and URLs appear in logs. */
export function connectBySocket(url: string, token: string | null): OpenTransport {
  return () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, token === null ? [] : [SOCKET_PROTOCOL_PREFIX + token]);
      const timeout = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
      const closed = new Promise<EndReason>(over => {
        socket.addEventListener('close', event => over(endReasonOf(event)));
      });
      socket.addEventListener('open', () => {
        clearTimeout(timeout);
        resolve({ link: new RPCLink({ websocket: socket }), closed, close: () => socket.close() });
      });
      socket.addEventListener('close', () => {
        clearTimeout(timeout);
        reject(new Error(t`No answer from the engine.`));
      });
    });
}

/** Relative to the page, so that it works behind any path and over TLS. */
export function socketUrl(page: string, connection: string): string {
  const url = new URL('rpc', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search =
    connection === HOME_CONNECTION ? '' : `?${new URLSearchParams({ [CONNECTION_PARAMETER]: connection })}`;
  return url.href;
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECTION_PARAMETER } from '../../shared/model/transport/connection-id.ts';
import { SOCKET_PATH } from '../../shared/model/transport/window-socket.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { http } from '../engine/platform/node-http.ts';
import { currentUser } from '../engine/platform/paths.ts';
import { answerFailure, SECURITY_HEADERS } from './answer/response.ts';
import { callerAddressOf } from './authentication/forwarded-headers.ts';
import { createRefusalLog } from './authentication/refusal-log.ts';
import { createRequestAdmission } from './authentication/request-admission.ts';
import { createOriginCheck } from './authentication/request-origin.ts';
import { Tickets } from './authentication/ticket.ts';
import { limitLeftoverBody } from './body/leftover-body.ts';
import type { RunningEngine } from './engine/running-engine.ts';
import { answerHealth, HEALTH_PATH } from './health.ts';
import { createRest, isRest } from './rest/rest.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  cutWhenUnread,
  headerTimeout,
  limitConnections,
} from './sockets/connection-limits.ts';
import { OpenSockets } from './sockets/open-sockets.ts';
import { createRpcSockets } from './sockets/rpc-sockets.ts';
import { answerFile } from './static-files.ts';

export interface WebServerOptions {
  /** Returns the engine of a connection, home by default. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  engineAt(connection?: string): RunningEngine;
  token: string;
  host: string;
  /** See OriginCheckOptions. */
  publicUrls?: readonly URL[];
  trustedProxies?: BlockList;
  onlyProxies?: boolean;
  /** PEM. With it, the server uses TLS. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  /** Undefined: `defaultPort`, or any free port if that is in use. */
  port: number | undefined;
  defaultPort: number;
  /** Folder of the built renderer. */
  folder: string;
  version: string;
  clock: Clock;
  log: Logger;
  limits?: ConnectionLimits;
}

export interface WebServer {
  /** `http://127.0.0.1:7263/`, without the token. */
  readonly address: string;
  /** Returns a single-use address of the app, for a command line that other users can read. */
  openingAddress(): string;
  close(): Promise<void>;
}

/** Starts the HTTP server. Rejects if it cannot listen on the address. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { engineAt, token, host, folder, version, clock, log, tls, trustedProxies } = options;
  const { limits = CONNECTION_LIMITS } = options;
  const checkOrigin = createOriginCheck(host, { ...options, isTls: tls !== undefined });
  const logRefusal = createRefusalLog({ engineAt, clock, log });
  const addressOf = (request: IncomingMessage) => callerAddressOf(request, trustedProxies).address;
  const onRefused = (request: IncomingMessage, reason: string) =>
    logRefusal({ reason, address: addressOf(request), path: request.url ?? '' });
  const admit = createRequestAdmission({ engineAt, launchToken: token, user: currentUser() });
  const tickets = new Tickets(clock.elapsed);
  const sockets = createRpcSockets({
    admit,
    clock,
    log,
    onRefused: (address, reason) => logRefusal({ reason, address, path: SOCKET_PATH }),
  });
  const rest = createRest({ admit, version, clock, log, onRefused });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (request.url === HEALTH_PATH) return answerHealth(response, engineAt);
    const refusal = checkOrigin(request);
    if (refusal !== 'ok') {
      onRefused(request, refusal);
      const message = `This request has a ${refusal.slice('wrong '.length)} that is not this server's, as from a page of another site. Start the server with --public-url for each address that it is reached at.`;
      return answerFailure(response, { status: 403, code: 'PERMISSION_DENIED', message });
    }
    const url = requestUrl(request);
    if (url === undefined) {
      return answerFailure(response, {
        status: 400,
        code: 'BAD_REQUEST',
        message: 'The path of the request is invalid.',
      });
    }
    if (isRest(url.pathname)) return rest(url, request, response);
    if (url.pathname === '/open')
      return redirect(response, tickets.use(url.searchParams.get('ticket') ?? '') ? token : '');
    return answerFile(folder, url.pathname, request, response);
  }

  const take = (request: IncomingMessage, response: ServerResponse) => {
    limitLeftoverBody(request, response, clock);
    cutWhenUnread(response, limits);
    answer(request, response).catch(error => {
      log.error('a request failed', errorFields(error));
      response.destroy();
    });
  };
  const httpOptions = headerTimeout(limits);
  const server =
    tls === undefined
      ? http.createServer(httpOptions, take)
      : createTlsServer({ ...httpOptions, ...tls }, take);
  limitConnections(server, limits);
  // `Expect: 100-continue` is answered where the body is read (see body-chunks.ts).
  server.on('checkContinue', take);
  const openSockets = new OpenSockets(server, clock);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', error => log.debug('an upgrade failed', { error: error.message }));
    const url = requestUrl(request);
    if (checkOrigin(request) === 'ok' && url?.pathname === SOCKET_PATH) {
      const connection = url.searchParams.get(CONNECTION_PARAMETER) ?? undefined;
      sockets.upgrade(request, socket, head, { address: addressOf(request), connection });
    } else {
      onRefused(request, 'socket of another site');
      // Destroyed: after an end of this side only, the socket would stay open until the peer closes it.
      const refusal = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
      socket.end(refusal, () => socket.destroy());
    }
  });

  let at: AddressInfo;
  try {
    at = await listen(server, options);
  } catch (error) {
    // The timer of the pings would keep the process running.
    await sockets.close();
    throw error;
  }
  const address = serverAddress(host, at, tls === undefined ? 'http' : 'https');
  return {
    address,
    openingAddress: () => `${address}open?ticket=${tickets.issue()}`,
    async close() {
      await sockets.close();
      await openSockets.close();
    },
  };
}

function requestUrl(request: IncomingMessage): URL | undefined {
  // The path is not resolved against a base: `//other/` and `http://other/` are invalid here.
  const path = request.url ?? '';
  return /^\/(?!\/)/.test(path) && URL.canParse(`http://here${path}`)
    ? new URL(`http://here${path}`)
    : undefined;
}

function redirect(response: ServerResponse, token: string): void {
  const location = token === '' ? '/' : `/#token=${token}`;
  response.writeHead(303, { location, 'cache-control': 'no-store' });
  response.end();
}

async function listen(server: Server, { host, port, defaultPort }: WebServerOptions): Promise<AddressInfo> {
  const on = (candidate: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(candidate, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  if (port !== undefined) await on(port);
  else await on(defaultPort).catch(() => on(0));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('a TCP server has an address and a port');
  return address;
}

/** Returns the address to show; loopback if the server listens on all addresses. */
function serverAddress(host: string, { port }: AddressInfo, scheme: 'http' | 'https'): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${shown}:${port}/`;
}

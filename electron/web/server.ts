import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECTION_PARAMETER } from '../../shared/model/connection-id.ts';
import { SOCKET_PATH } from '../../shared/model/socket.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { currentUser } from '../engine/platform/paths.ts';
import { createAdmission } from './access/admission.ts';
import { clientOf } from './access/forwarded-headers.ts';
import { createRefusals } from './access/refusal-log.ts';
import { callerCheck } from './access/request-origin.ts';
import { Tickets } from './access/ticket.ts';
import { answerFailure, SECURITY_HEADERS } from './answer/answer.ts';
import { boundLeftover } from './body/leftover-body.ts';
import type { RunningEngine } from './engine/running-engine.ts';
import { answerHealth, HEALTH_PATH } from './health.ts';
import { createRest, isRest } from './rest/rest.ts';
import { OpenConnections } from './sockets/open-sockets.ts';
import { createRpcSockets } from './sockets/rpc-sockets.ts';
import { answerFile } from './static-files.ts';

export interface WebServerNeeds {
  /** Home where no connection is named. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  engineAt(connection?: string): RunningEngine;
  token: string;
  host: string;
  /** Beside `host`; see CallerCheckOptions. */
  publicUrls?: readonly URL[];
  trustedProxies?: BlockList;
  onlyProxies?: boolean;
  /** PEM; with it the server speaks TLS. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  /** Undefined: `usualPort`, or any free one where that is taken. */
  port: number | undefined;
  usualPort: number;
  /** The built window. */
  folder: string;
  version: string;
  clock: Clock;
  log: Logger;
}

export interface WebServer {
  /** `http://127.0.0.1:7263/`, without the token. */
  readonly address: string;
  /** An address that opens the app once, for a command line that others can read. */
  openingAddress(): string;
  close(): Promise<void>;
}

/** A connection that has not sent the headers of a request by then is closed. */
const HEADERS_WITHIN_MS = 20_000;
/** More are closed at once: each may hold a small body, a socket's buffers and a stream. */
const MOST_CONNECTIONS = 1_024;

/** How long an answer may wait for a reader that takes nothing of it. */
const STALLED_AFTER_MS = 60_000;

/** Starts the HTTP server. Rejects where the address cannot be listened on. */
export async function startWebServer(needs: WebServerNeeds): Promise<WebServer> {
  const { engineAt, token, host, folder, version, clock, log, tls, trustedProxies } = needs;
  const callerIs = callerCheck(host, { ...needs, isTls: tls !== undefined });
  const refused = createRefusals({ engineAt, clock, log });
  const addressOfClient = (request: IncomingMessage) => clientOf(request, trustedProxies).address;
  const onRefused = (request: IncomingMessage, reason: string) =>
    refused({ reason, address: addressOfClient(request), path: request.url ?? '' });
  const admit = createAdmission({ engineAt, launchToken: token, user: currentUser() });
  const tickets = new Tickets(clock.elapsed);
  const sockets = createRpcSockets({
    admit,
    clock,
    log,
    onRefused: address => refused({ reason: 'unknown token', address, path: SOCKET_PATH }),
  });
  const rest = createRest({ admit, version, clock, log, onRefused });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (request.url === HEALTH_PATH) return answerHealth(response, engineAt);
    const refusal = callerIs(request);
    if (refusal !== 'ok') {
      onRefused(request, refusal);
      const message = `This request has a ${refusal.slice(6)} that is not this server's, as from a page of another site. An address that people or proxies use is named with --public-url.`;
      return answerFailure(response, { status: 403, code: 'PERMISSION_DENIED', message });
    }
    const url = requestUrl(request);
    if (url === undefined) {
      return answerFailure(response, { status: 400, code: 'BAD_REQUEST', message: 'This is no address.' });
    }
    if (isRest(url.pathname)) return rest(url, request, response);
    if (url.pathname === '/open')
      return redirect(response, tickets.use(url.searchParams.get('ticket') ?? '') ? token : '');
    return answerFile(folder, url.pathname, request, response);
  }

  const take = (request: IncomingMessage, response: ServerResponse) => {
    boundLeftover(request, response, clock);
    // A call may take longer than this to be answered; its answer may not take longer to be read.
    response.setTimeout(STALLED_AFTER_MS, () => {
      if (response.writableLength > 0) response.destroy();
    });
    answer(request, response).catch(error => {
      log.error('a request failed', errorFields(error));
      response.destroy();
    });
  };
  // A data set may take an hour to arrive (see body-chunks.ts for its pace); its headers may not.
  const options = {
    requestTimeout: 0,
    headersTimeout: HEADERS_WITHIN_MS,
    connectionsCheckingInterval: HEADERS_WITHIN_MS / 2,
  };
  const server =
    tls === undefined ? createServer(options, take) : createTlsServer({ ...options, ...tls }, take);
  server.maxConnections = MOST_CONNECTIONS;
  // A sender that asks first is told to go on only where its body is wanted.
  server.on('checkContinue', take);
  const connections = new OpenConnections(server, clock);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', error => log.debug('an upgrade failed', { error: error.message }));
    const url = requestUrl(request);
    if (callerIs(request) === 'ok' && url?.pathname === SOCKET_PATH) {
      const connection = url.searchParams.get(CONNECTION_PARAMETER) ?? undefined;
      sockets.upgrade(request, socket, head, { address: addressOfClient(request), connection });
    } else {
      onRefused(request, 'socket of another site');
      // The peer may keep its half open for ever: ending ours alone would keep the socket.
      const refusal = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
      socket.end(refusal, () => socket.destroy());
    }
  });

  let at: AddressInfo;
  try {
    at = await listen(server, needs);
  } catch (error) {
    // Pings of sockets are on a timer, which would keep the process alive.
    await sockets.close();
    throw error;
  }
  const address = addressOf(host, at, tls === undefined ? 'http' : 'https');
  return {
    address,
    openingAddress: () => `${address}open?ticket=${tickets.issue()}`,
    async close() {
      await sockets.close();
      await connections.close();
    },
  };
}

function requestUrl(request: IncomingMessage): URL | undefined {
  // Not resolved against anything: `//other/` and `http://other/` are no paths of ours.
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

async function listen(server: Server, { host, port, usualPort }: WebServerNeeds): Promise<AddressInfo> {
  const on = (candidate: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(candidate, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  if (port !== undefined) await on(port);
  else await on(usualPort).catch(() => on(0));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('a TCP server has an address and a port');
  return address;
}

/** Where all of this machine's addresses are listened on, the one shown is this machine's own. */
function addressOf(host: string, { port }: AddressInfo, scheme: 'http' | 'https'): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${shown}:${port}/`;
}

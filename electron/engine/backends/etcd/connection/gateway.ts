import type { Agent, ClientRequestArgs, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerNetwork } from '../../../network/server-network.ts';
import { http } from '../../../platform/node-http.ts';

/** A request of the JSON gateway, to one member. */
export interface GatewayRequest {
  /** `host:port`. */
  readonly endpoint: string;
  readonly path: string;
  readonly body: object;
  /** Undefined: not logged in. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** The member cannot be connected: no request was sent. The cause is the error of the network. */
export class NotConnected extends Error {}

/** Sends requests to the JSON gateways (`/v3/…`) of the members, over connections that are kept. */
export class Gateway {
  readonly #agent: Agent;

  constructor(network: ServerNetwork, tls: boolean) {
    this.#agent = new NetworkAgent(network, tls);
  }

  /** Resolves with the head of the answer; its body is then read from it. */
  post({ endpoint, path, body, token, signal }: GatewayRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const content = Buffer.from(JSON.stringify(body));
    const { hostname, port } = new URL(`http://${endpoint}`);
    const sent = http.request({
      agent: this.#agent,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? HTTP_PORT : port,
      path: `/v3/${path}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': content.length,
        ...(token === undefined ? {} : { authorization: token }),
      },
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(content);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** `URL` omits the port of its scheme. */
const HTTP_PORT = 80;

/** Node's agent over the network of the connection. */
class NetworkAgent extends http.Agent {
  readonly #network: ServerNetwork;
  readonly #tls: boolean;

  constructor(network: ServerNetwork, tls: boolean) {
    super({ keepAlive: true });
    this.#network = network;
    this.#tls = tls;
  }

  override createConnection({ host, port }: ClientRequestArgs, done?: Connected): null {
    const connecting = this.#tls
      ? this.#network.connectTls(String(host), Number(port))
      : this.#network.connect(String(host), Number(port));
    connecting.then(
      socket => done?.(null, socket),
      // Node ignores the socket of a failure.
      (cause: unknown) => done?.(new NotConnected('not connected', { cause }), new Socket()),
    );
    return null;
  }
}

type Connected = (error: Error | null, socket: Duplex) => void;

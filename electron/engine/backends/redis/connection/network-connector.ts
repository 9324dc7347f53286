import { Socket } from 'node:net';
import { AbstractConnector } from 'ioredis';
import type { ServerNetwork } from '../../../network/server-network.ts';
import type { HostAndPort } from './redis-uri.ts';

const DISCONNECT_TIMEOUT_MS = 2_000;

/** Returns the class with which ioredis connects; `connect` resolves with a connected socket. */
export function connectorBy(connect: () => Promise<Socket>) {
  return class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    /** Resolves with a destroyed socket after a failure: ioredis tries again after those, and not after a rejection. */
    override async connect(): Promise<Socket> {
      this.connecting = true;
      try {
        const socket = await connect();
        this.stream = socket;
        // Closed while it connected.
        if (!this.connecting) socket.destroy();
        return socket;
      } catch (error) {
        this.firstError = error instanceof Error ? error : new Error(String(error));
        return new Socket().destroy();
      }
    }
  };
}

/** Resolves with a socket that is connected to a server, with TLS if `tls`. */
export function connectTo(
  network: ServerNetwork,
  { host, port }: HostAndPort,
  tls: boolean,
): Promise<Socket> {
  return tls ? network.connectTls(host, port) : network.connect(host, port);
}

import { Socket } from 'node:net';
import { AbstractConnector } from 'ioredis';
import type { ServerNetwork } from '../../../network/server-network.ts';

const DISCONNECT_TIMEOUT_MS = 2_000;

/** Returns the class with which ioredis connects to one server over a network. */
export function networkConnector(
  network: ServerNetwork,
  { host, port, tls }: { host: string; port: number; tls: boolean },
) {
  return class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    /** Resolves with a destroyed socket after a failure: ioredis tries again after those, and not after a rejection. */
    override async connect(): Promise<Socket> {
      this.connecting = true;
      try {
        const socket = await (tls ? network.connectTls(host, port) : network.connect(host, port));
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

import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import {
  type ConnectionOptions,
  type SecureContextOptions,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import type { ServerTarget, SshTarget } from '../../../shared/contract/connections.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { SshTunnel } from './ssh-tunnel.ts';
import { readTlsFiles } from './tls-files.ts';

export interface ServerNetworkOptions {
  readonly target: Pick<ServerTarget, 'ssh' | 'tls'>;
  /** Passphrase of the SSH key; undefined: none. */
  readonly passphrase?: string | undefined;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly log: Logger;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The way to the servers of one connection: directly or through an SSH server, with its own certificates for TLS. */
export class ServerNetwork {
  readonly #options: ServerNetworkOptions;
  #tunnel: Promise<SshTunnel> | null = null;

  constructor(options: ServerNetworkOptions) {
    this.#options = options;
  }

  /** True if servers are connected directly, with the certificate authorities of this process. */
  get isDirect(): boolean {
    const { ssh, tls } = this.#options.target;
    return ssh === undefined && tls === undefined;
  }

  /** Resolves with a connected socket. Rejects with the system's error, or as `SshTunnel.connect` does. */
  async connect(host: string, port: number): Promise<Socket> {
    const { ssh } = this.#options.target;
    if (ssh !== undefined) {
      this.#tunnel ??= this.#createTunnel(ssh);
      return (await this.#tunnel).connect(host, port);
    }
    return this.#ready(tcpConnect({ host, port }), 'connect');
  }

  /** Resolves with a socket whose server has shown a valid certificate of its name. */
  async connectTls(host: string, port: number): Promise<TLSSocket> {
    const files = await this.tlsFiles();
    const socket = await this.connect(host, port);
    return this.#ready(tlsConnect({ ...files, ...nameOf(host), socket }), 'secureConnect');
  }

  /** Returns the certificates of this connection; they are read each time, since they are renewed. */
  tlsFiles(): Promise<SecureContextOptions> {
    return readTlsFiles(this.#options.target.tls);
  }

  close(): void {
    void this.#tunnel?.then(tunnel => tunnel.close());
  }

  /** Loads SSH on first use: most connections need none. */
  async #createTunnel(ssh: SshTarget): Promise<SshTunnel> {
    const { SshTunnel } = await import('./ssh-tunnel.ts');
    const { passphrase, clock, log } = this.#options;
    return new SshTunnel({ ssh, passphrase, clock, log });
  }

  async #ready<Connected extends Socket>(
    socket: Connected,
    event: 'connect' | 'secureConnect',
  ): Promise<Connected> {
    const { promise, resolve, reject } = Promise.withResolvers<Connected>();
    const cancel = this.#options.clock.setTimer(CONNECT_TIMEOUT_MS, () =>
      socket.destroy(new Error(`no answer in ${CONNECT_TIMEOUT_MS / 1_000} s`)),
    );
    socket.once(event, () => resolve(socket));
    // Permanent: an error before the client listens must not end the thread; the client sees the socket closed.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
    try {
      return await promise;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      cancel();
    }
  }
}

/** The name that the certificate must have: of an address, the address, which TLS cannot send. */
function nameOf(host: string): Pick<ConnectionOptions, 'host' | 'servername'> {
  return isIP(host) === 0 ? { host, servername: host } : { host };
}

import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import {
  type ConnectionOptions,
  type SecureContextOptions,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import type { ServerSecrets, ServerTarget, SshTarget } from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { ServerHost } from '../../../shared/model/transport/server-address.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { SshTunnel } from './ssh-tunnel.ts';
import { tlsFailure } from './tls-failure.ts';
import { readTlsFiles } from './tls-files.ts';

export interface ServerNetworkOptions {
  readonly target: Pick<ServerTarget, 'ssh' | 'tls'>;
  /** Passphrases of the SSH key and of the client key for TLS; absent: they have none. */
  readonly secrets?: Pick<ServerSecrets, 'passphrase' | 'tlsPassphrase'>;
  /** Throws for a server that may not be connected; absent: each one may. */
  readonly check?: ((server: ServerHost) => void) | undefined;
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

  /** Throws INVALID_CONNECTION for a server that may not be connected, such as one that another server names. */
  check(server: ServerHost): void {
    this.#options.check?.(server);
  }

  /**
   * Resolves with a connected socket. Rejects with the system's error, or as `SshTunnel.connect` does, and with
   * INVALID_CONNECTION if the server may not be connected.
   */
  async connect(host: string, port: number): Promise<Socket> {
    this.check({ host, port });
    const { ssh } = this.#options.target;
    if (ssh !== undefined) {
      this.#tunnel ??= this.#createTunnel(ssh);
      return (await this.#tunnel).connect(host, port);
    }
    return this.#ready(tcpConnect({ host, port }), 'connect');
  }

  /**
   * Resolves with a socket whose server has shown a valid certificate of its name. Rejects as `connect`, `tlsFiles` and
   * `tlsFailure` do.
   */
  async connectTls(host: string, port: number): Promise<TLSSocket> {
    const files = await this.tlsFiles();
    const socket = await this.connect(host, port);
    try {
      return await this.#ready(tlsConnect({ ...files, ...nameOf(host), socket }), 'secureConnect');
    } catch (error) {
      throw handshakeFailure(error, host);
    }
  }

  /** Returns the certificates of this connection; they are read each time, since they are renewed. */
  tlsFiles(): Promise<SecureContextOptions> {
    return readTlsFiles(this.#options.target.tls, this.#options.secrets?.tlsPassphrase);
  }

  close(): void {
    void this.#tunnel?.then(tunnel => tunnel.close());
  }

  /** Loads SSH on first use: most connections need none. */
  async #createTunnel(ssh: SshTarget): Promise<SshTunnel> {
    const { SshTunnel } = await import('./ssh-tunnel.ts');
    const { secrets, clock, log } = this.#options;
    return new SshTunnel({ ssh, passphrase: secrets?.passphrase, clock, log });
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

/** A server without TLS closes the connection, or waits for the rest of what it takes for a command, as Redis does. */
function handshakeFailure(error: unknown, host: string): unknown {
  const failure = tlsFailure(error, host);
  if (failure instanceof SandglassError || !(error instanceof Error)) return failure;
  return new Error(`${error.message} before TLS was ready; the port may be one without TLS`, {
    cause: error,
  });
}

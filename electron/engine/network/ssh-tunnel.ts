import type { Socket } from 'node:net';
import type { Client } from 'ssh2';
import type { SshTarget } from '../../../shared/contract/connections.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { KnownHosts } from './known-hosts.ts';
import { connectHop, type Hop, openChannel } from './ssh-hop.ts';
import { sshLogin } from './ssh-login.ts';
import { TunnelSocket } from './tunnel-socket.ts';

export interface SshTunnelOptions {
  readonly ssh: SshTarget;
  /** Passphrase of the key; undefined: none. */
  readonly passphrase: string | undefined;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly log: Logger;
}

/**
 * Connections to the servers behind an SSH server, all over one connection to it, which is made with the first of them and
 * again after it was lost. Keys and known hosts are read at each login.
 */
export class SshTunnel {
  readonly #options: SshTunnelOptions;
  readonly #hop: Hop;
  /** The SSH server; null: not connected. */
  #client: Promise<Client> | null = null;
  #isClosed = false;

  constructor(options: SshTunnelOptions) {
    this.#options = options;
    this.#hop = options.ssh;
  }

  /** Resolves with a connected socket. Rejects as `connectHop` and `openChannel` do. */
  async connect(host: string, port: number): Promise<Socket> {
    if (this.#isClosed) throw new Error('The SSH tunnel is closed.');
    this.#client ??= this.#logIn();
    const client = await this.#client;
    return new TunnelSocket(await openChannel(client, this.#hop, { host, port }, this.#options.clock));
  }

  /** Ends all connections. */
  close(): void {
    this.#isClosed = true;
    this.#client?.then(
      client => client.end(),
      () => {},
    );
    this.#client = null;
  }

  #logIn(): Promise<Client> {
    const client = this.#connectHops();
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    client.then(connected => {
      connected.on('close', forget);
      if (this.#isClosed) connected.end();
    }, forget);
    return client;
  }

  async #connectHops(): Promise<Client> {
    const { ssh, passphrase, clock, log } = this.#options;
    const login = await sshLogin(ssh.key, passphrase);
    const knownHosts = await KnownHosts.read(ssh.knownHosts);
    if (ssh.jump === undefined) return connectHop(this.#hop, { login, knownHosts, over: undefined });
    const jump = await connectHop(ssh.jump, { login, knownHosts, over: undefined });
    try {
      const over = await openChannel(jump, ssh.jump, this.#hop, clock);
      const client = await connectHop(this.#hop, { login, knownHosts, over });
      client.on('close', () => jump.end());
      log.debug('SSH connection made', { host: ssh.host, over: ssh.jump.host });
      return client;
    } catch (error) {
      jump.end();
      throw error;
    }
  }
}

import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { Client } from '../../../shared/contract/index.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import {
  SOCKET_CLOSED,
  SOCKET_PATH,
  SOCKET_PROTOCOL_PREFIX,
} from '../../../shared/model/transport/window-socket.ts';
import { type Leader, leaderOverContract } from './leader.ts';

export interface LeaderAddress {
  /** `http://host:port`, as the leader prints it, with any path; the socket is its `/rpc`. */
  url: string;
  token: string;
}

/** One connection to the leader. */
interface Connection {
  leader: Leader;
  socket: WebSocket;
  /** Rejects with the reason when the connection ends. */
  over: Promise<never>;
}

/**
 * A leader over the socket of its served host. A call connects if there is no connection, and rejects when the
 * connection ends: with UNAUTHORIZED if the leader refuses the token, with the system's error if no server answers.
 */
export class LeaderSocket implements Leader {
  readonly #address: LeaderAddress;
  #connection: Promise<Connection> | null = null;

  constructor(address: LeaderAddress) {
    this.#address = address;
  }

  register: Leader['register'] = (...args) => this.#call(leader => leader.register(...args));
  snapshot: Leader['snapshot'] = (...args) => this.#call(leader => leader.snapshot(...args));
  log: Leader['log'] = (...args) => this.#call(leader => leader.log(...args));

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => null);
    connection?.socket.close();
  }

  async #call<Answer>(call: (leader: Leader) => Promise<Answer>): Promise<Answer> {
    this.#connection ??= this.#open();
    const current = this.#connection;
    const clear = () => {
      if (this.#connection === current) this.#connection = null;
    };
    const connection = await current.catch((error: unknown) => {
      clear();
      throw error;
    });
    connection.over.catch(clear);
    return Promise.race([call(connection.leader), connection.over]);
  }

  #open(): Promise<Connection> {
    const { url, token } = this.#address;
    const socket = new WebSocket(socketAddress(url), SOCKET_PROTOCOL_PREFIX + token);
    const { promise: over, reject: end } = Promise.withResolvers<never>();
    // The rejection may be unused.
    over.catch(() => {});
    socket.addEventListener('error', () => end(silent(url)));
    socket.addEventListener('close', ({ code }) =>
      end(code === SOCKET_CLOSED.TOKEN_REFUSED ? refused(url) : gone(url)),
    );
    const client: Client = createORPCClient(new RPCLink({ websocket: socket }));
    const opened = new Promise<Connection>(resolve => {
      socket.addEventListener('open', () =>
        resolve({ leader: leaderOverContract(client.replication), socket, over }),
      );
    });
    return Promise.race([opened, over]);
  }
}

/** Resolved against the address of the leader's page, so that any path and TLS work. */
function socketAddress(url: string): string {
  const address = new URL(SOCKET_PATH.slice(1), url.endsWith('/') ? url : `${url}/`);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

function refused(url: string): SandglassError {
  return new SandglassError(
    'UNAUTHORIZED',
    `The leader at ${url} refuses this token. Create one there with the permission follow, and pass it with --follow-token-file.`,
    { leader: url },
  );
}

function silent(url: string): SandglassError {
  return new SandglassError('STALE', `The leader at ${url} does not answer.`, { leader: url });
}

function gone(url: string): SandglassError {
  return new SandglassError('STALE', `The leader at ${url} ended the connection.`, { leader: url });
}

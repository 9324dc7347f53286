import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { Client } from '../../../shared/contract/index.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { SOCKET_CLOSED, SOCKET_PATH, SOCKET_PROTOCOL_PREFIX } from '../../../shared/model/socket.ts';
import { type Leader, leaderOverContract } from './leader.ts';

export interface LeaderAddress {
  /** `http://host:port`, as the leader prints it, with any path; the socket is its `/rpc`. */
  url: string;
  token: string;
}

/** One connection to the leader. */
interface Line {
  leader: Leader;
  socket: WebSocket;
  /** Rejects with the reason when it ends. */
  over: Promise<never>;
}

/**
 * A leader over the socket of its served host. A call connects if there is no connection, and rejects when it ends:
 * with UNAUTHORIZED if the leader refuses the token, with the system's error if nobody answers.
 */
export class LeaderSocket implements Leader {
  readonly #address: LeaderAddress;
  #line: Promise<Line> | null = null;

  constructor(address: LeaderAddress) {
    this.#address = address;
  }

  register: Leader['register'] = (...args) => this.#call(leader => leader.register(...args));
  snapshot: Leader['snapshot'] = (...args) => this.#call(leader => leader.snapshot(...args));
  log: Leader['log'] = (...args) => this.#call(leader => leader.log(...args));

  async close(): Promise<void> {
    const line = await this.#line?.catch(() => null);
    line?.socket.close();
  }

  async #call<Answer>(ask: (leader: Leader) => Promise<Answer>): Promise<Answer> {
    this.#line ??= this.#open();
    const current = this.#line;
    const forget = () => {
      if (this.#line === current) this.#line = null;
    };
    const line = await current.catch((error: unknown) => {
      forget();
      throw error;
    });
    line.over.catch(forget);
    return Promise.race([ask(line.leader), line.over]);
  }

  #open(): Promise<Line> {
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
    const opened = new Promise<Line>(resolve => {
      socket.addEventListener('open', () =>
        resolve({ leader: leaderOverContract(client.replication), socket, over }),
      );
    });
    return Promise.race([opened, over]);
  }
}

/** Relative to the page of the leader, so that it works behind any path and over TLS. */
function socketAddress(url: string): string {
  const address = new URL(SOCKET_PATH.slice(1), url.endsWith('/') ? url : `${url}/`);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

function refused(url: string): SandglassError {
  return new SandglassError(
    'UNAUTHORIZED',
    `The leader at ${url} does not take this token. Make one there with the permission follow, and hand it over with --follow-token-file.`,
    { leader: url },
  );
}

function silent(url: string): SandglassError {
  return new SandglassError('STALE', `The leader at ${url} does not answer.`, { leader: url });
}

function gone(url: string): SandglassError {
  return new SandglassError('STALE', `The leader at ${url} ended the connection.`, { leader: url });
}

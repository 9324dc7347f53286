import { Redis } from 'ioredis';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { ServerNetwork } from '../../../network/server-network.ts';
import type { Logger } from '../../../platform/logger.ts';
import { networkConnector } from './network-connector.ts';
import { connectionLost, redisFailure } from './redis-failure.ts';
import type { RedisTarget } from './redis-uri.ts';
import { type Reply, replyOf } from './reply.ts';

export type Argument = string | number | Buffer;
export type Command = readonly [name: string, ...args: Argument[]];

/** Reply of one command of a pipeline. */
export type Outcome = { readonly reply: Reply } | { readonly error: Error };

export interface ConnectionOptions {
  readonly target: RedisTarget;
  readonly log: Logger;
  /** Absent: a direct one. */
  readonly network?: ServerNetwork | undefined;
  /** Purpose of the connection, as the server's CLIENT LIST shows it: `sandglass-scan`. */
  readonly name: string;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A reply that takes longer means that the server hangs or the network drops packets; the connection is then replaced.
 */
const SILENT_MS = 30_000;

/**
 * One connection to one server, which reconnects by itself. Nothing is queued while it is lost, and nothing is sent
 * twice: a command without a reply rejects with CONNECTION_NOT_OPEN.
 *
 * User, password and database are sent here and not by ioredis, which continues with database 0 if SELECT is refused,
 * and without a user if the server has no password.
 */
export class RedisConnection {
  readonly #options: ConnectionOptions;
  readonly #client: Redis;
  readonly #readyListeners = new Set<() => void>();
  readonly #lostListeners = new Set<(error: Error) => void>();
  #failures = 0;
  #isReady = false;
  #isClosed = false;
  #lastError: Error = new Error('not connected yet');

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    const { host, port, tls } = options.target;
    const { network } = options;
    this.#client = new Redis({
      host,
      port,
      ...(tls ? { tls: {} } : {}),
      ...(network && { Connector: networkConnector(network, options.target) }),
      protocol: 2,
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      connectionName: options.name,
      disableClientInfo: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 10)),
    });
    this.#client.on('error', (error: Error) => {
      this.#lastError = error;
    });
    this.#client.on('close', () => this.#lose());
    this.#client.on('ready', () => void this.#logIn());
  }

  /**
   * Opens a connection. Rejects if the server cannot be reached, or refuses the user, the password or the database; it
   * is then not tried again.
   */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const connection = RedisConnection.start(options);
    try {
      await connection.firstAttempt();
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Returns a connection that starts to connect, and tries again until it is closed. */
  static start(options: ConnectionOptions): RedisConnection {
    const connection = new RedisConnection(options);
    // A failure closes the stream, which is reported by #lose.
    connection.#client.connect().catch((error: unknown) => {
      connection.#lastError = redisFailure(error);
    });
    return connection;
  }

  /** Resolves when the connection can be used, and rejects when an attempt to connect has failed. */
  async firstAttempt(): Promise<void> {
    if (this.#isReady) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopReady = this.onReady(resolve);
    const stopLost = this.onLost(reject);
    try {
      await promise;
    } finally {
      stopReady();
      stopLost();
    }
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rejects with a typed error; see `redisFailure`. */
  async command(...[name, ...args]: Command): Promise<Reply> {
    if (!this.#isReady) throw connectionLost(this.#lastError.message);
    try {
      return replyOf(await this.#client.callBuffer(name, ...args));
    } catch (error) {
      throw redisFailure(error);
    }
  }

  /** Sends all commands at once. Never rejects: each command has its own outcome. */
  async pipeline(commands: readonly Command[]): Promise<Outcome[]> {
    if (!this.#isReady) return commands.map(() => ({ error: connectionLost(this.#lastError.message) }));
    const pipeline = this.#client.pipeline();
    for (const [name, ...args] of commands) pipeline.callBuffer(name, ...args);
    const results = (await pipeline.exec()) ?? [];
    return commands.map((_, i) => {
      const [error, value] = results[i] ?? [new Error('no reply')];
      return error === null ? { reply: replyOf(value) } : { error: redisFailure(error) };
    });
  }

  /** Subscribes to the channels of a pattern. From then on the connection takes no other commands. */
  async subscribe(pattern: string, listener: (channel: Buffer, message: Buffer) => void): Promise<void> {
    if (!this.#isReady) throw connectionLost(this.#lastError.message);
    this.#client.removeAllListeners('pmessageBuffer');
    this.#client.on('pmessageBuffer', (_: string, channel: Buffer, message: Buffer) =>
      listener(channel, message),
    );
    try {
      await this.#client.psubscribe(pattern);
    } catch (error) {
      throw redisFailure(error);
    }
  }

  /** Calls `listener` each time that the connection can be used again. Returns the function that unsubscribes. */
  onReady(listener: () => void): () => void {
    return this.#on(this.#readyListeners, listener);
  }

  /** Calls `listener` each time that the connection is lost. Returns the function that unsubscribes. */
  onLost(listener: (error: Error) => void): () => void {
    return this.#on(this.#lostListeners, listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#isReady = false;
    this.#client.disconnect();
  }

  async #logIn(): Promise<void> {
    const { user, password, database } = this.#options.target;
    try {
      if (password !== null) {
        await this.#client.callBuffer('AUTH', ...(user === null ? [password] : [user, password]));
      }
      await this.#client.callBuffer('SELECT', database);
    } catch (error) {
      // Closing the stream starts the next attempt, or ends the first one.
      this.#lastError = loginFailure(error, database);
      this.#client.disconnect(true);
      return;
    }
    if (this.#isClosed) return;
    this.#isReady = true;
    this.#failures = 0;
    for (const listener of this.#readyListeners) listener();
  }

  #lose(): void {
    this.#isReady = false;
    if (this.#isClosed) return;
    const error = redisFailure(this.#lastError);
    this.#options.log.debug('Redis connection lost', { name: this.#options.name, error: error.message });
    for (const listener of this.#lostListeners) listener(error);
  }

  #on<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
}

/** A permanent refusal, for example of a database that does not exist, is INVALID_CONNECTION. */
function loginFailure(error: unknown, database: number): Error {
  const failure = redisFailure(error);
  if (failure instanceof SandglassError) return failure;
  const problem = /^ERR unknown command/i.test(failure.message)
    ? 'It is no Redis server that holds keys; a Sentinel is none.'
    : `Database ${database} cannot be used.`;
  return new SandglassError('INVALID_CONNECTION', `${problem} The server replied: ${failure.message}`);
}

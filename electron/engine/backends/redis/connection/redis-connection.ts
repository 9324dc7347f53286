import { Redis } from 'ioredis';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatHost } from '../../../../../shared/model/transport/server-address.ts';
import type { ServerNetwork } from '../../../network/server-network.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Command, CommandConnection, Outcome } from './command-connection.ts';
import { Listeners } from './listeners.ts';
import { connectorBy, connectTo } from './network-connector.ts';
import { connectionLost, redisFailure, refusalOf } from './redis-failure.ts';
import type { ServerTarget } from './redis-uri.ts';
import { listOf, type Reply, replyOf, textOf } from './reply.ts';
import { serverFinder } from './sentinels.ts';

export interface ConnectionOptions {
  readonly target: ServerTarget;
  readonly log: Logger;
  readonly network: ServerNetwork;
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
 * One connection to one server, or to the master that sentinels name, which reconnects by itself.
 *
 * User, password and database are sent here and not by ioredis, which continues with database 0 if SELECT is refused,
 * and without a user if the server has no password.
 */
export class RedisConnection implements CommandConnection {
  readonly isRouted = false;
  readonly #options: ConnectionOptions;
  readonly #client: Redis;
  readonly #readyListeners = new Listeners<[]>();
  readonly #lostListeners = new Listeners<[Error]>();
  readonly #closedListeners = new Listeners<[]>();
  #failures = 0;
  #isReady = false;
  #isClosed = false;
  #lastError: Error = new Error('the server at this address has not answered as Redis does');
  #endpoint = '';

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    const { target, network, name } = options;
    const findServer = serverFinder(target, network);
    this.#client = new Redis({
      Connector: connectorBy(async () => {
        const server = await findServer();
        this.#endpoint = formatHost(server);
        return connectTo(network, server, target.tls);
      }),
      protocol: 2,
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENT_MS,
      connectionName: name,
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

  /** Resolves when the connection can be used. Rejects when an attempt to connect has failed, or it is closed. */
  async firstAttempt(): Promise<void> {
    if (this.#isReady) return;
    if (this.#isClosed) throw connectionLost('it is closed');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopReady = this.onReady(resolve);
    const stopLost = this.onLost(reject);
    const stopClosed = this.#closedListeners.add(() => reject(connectionLost('it is closed')));
    try {
      await promise;
    } finally {
      stopReady();
      stopLost();
      stopClosed();
    }
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** `host:port` of the server that the last attempt connected to. */
  get endpoint(): string {
    return this.#endpoint;
  }

  /** Returns whether the server is a master; true if the user may not read it. */
  async isToMaster(): Promise<boolean> {
    try {
      return textOf(listOf(await this.command('ROLE'))[0]) === 'master';
    } catch (error) {
      if (refusalOf(error) === 'NOPERM') return true;
      throw error;
    }
  }

  /** Closes the connection and connects again. */
  reconnect(): void {
    this.#client.disconnect(true);
  }

  async command(...[name, ...args]: Command): Promise<Reply> {
    if (!this.#isReady) throw connectionLost(this.#lastError.message);
    try {
      return replyOf(await this.#client.callBuffer(name, ...args));
    } catch (error) {
      throw redisFailure(error);
    }
  }

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

  onReady(listener: () => void): () => void {
    return this.#readyListeners.add(listener);
  }

  onLost(listener: (error: Error) => void): () => void {
    return this.#lostListeners.add(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#isReady = false;
    this.#client.disconnect();
    this.#closedListeners.call();
  }

  async #logIn(): Promise<void> {
    const { user, password, database } = this.#options.target;
    try {
      if (password !== null) {
        await this.#client.callBuffer('AUTH', ...(user === null ? [password] : [user, password]));
      }
      await this.#client.callBuffer('SELECT', database);
      await this.#checkRole();
    } catch (error) {
      // Closing the stream starts the next attempt, or ends the first one.
      this.#lastError = loginFailure(error, database);
      this.#client.disconnect(true);
      return;
    }
    if (this.#isClosed) return;
    this.#isReady = true;
    this.#failures = 0;
    this.#readyListeners.call();
  }

  /** Sentinels name the former master until the failover has ended. */
  async #checkRole(): Promise<void> {
    if (this.#options.target.place.is !== 'sentinel') return;
    const role = textOf(listOf(replyOf(await this.#client.callBuffer('ROLE')))[0]);
    if (role !== 'master') throw connectionLost(`the sentinels name a ${role}`);
  }

  #lose(): void {
    this.#isReady = false;
    if (this.#isClosed) return;
    const error = redisFailure(this.#lastError);
    this.#options.log.debug('Redis connection lost', { name: this.#options.name, error: error.message });
    this.#lostListeners.call(error);
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

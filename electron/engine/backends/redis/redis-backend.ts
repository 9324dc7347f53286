import type { RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { MeterRegistry } from '../../expiry/meters.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  Commit,
  PartOptions,
  PartResult,
  RemoteBackend,
  SetExpirationOptions,
  SettingsStore,
} from '../backend.ts';
import { RedisConnection } from './connection/redis-connection.ts';
import { parseRedisUri, publicRedisUri, type RedisTarget } from './connection/redis-uri.ts';
import { textOf } from './connection/reply.ts';
import { type FollowerSettings, RedisFollower } from './follow/redis-follower.ts';
import { KeyGrouping } from './keys/key-grouping.ts';
import { REDIS_CAPABILITIES } from './redis-capabilities.ts';
import { RedisReads } from './redis-reads.ts';
import { RedisSettings } from './redis-settings.ts';
import { RedisStatus } from './redis-status.ts';
import { RedisWrites } from './redis-writes.ts';
import { ServerClock } from './server/server-clock.ts';

export interface RedisOptions {
  readonly uri: string;
  /** Password, which outranks one in the URI. */
  readonly secret?: string | undefined;
  /** File of the mirror. */
  readonly mirrorFile: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly readOnly: boolean;
  readonly onListenerError?: (error: unknown) => void;
  readonly follower?: Partial<FollowerSettings>;
}

const FOLLOWER_SETTINGS: FollowerSettings = {
  scanKeysPerSecond: null,
  changedKeysPerSecond: 10_000,
  rescanEveryMs: 60_000,
};

/**
 * Opens a standalone server. One that cannot be reached is no failure: what the mirror holds is shown, as stale, until it can. Throws
 * INVALID_CONNECTION for an address or a database that cannot be used, and PERMISSION_DENIED where a password is missing or refused.
 */
export async function openRedis(options: RedisOptions): Promise<RedisBackend> {
  const given = parseRedisUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  const connect = (purpose: string) =>
    RedisConnection.start({ target, log: options.log, name: `sandglass-${purpose}` });
  const commands = connect('commands');
  try {
    await commands.firstAttempt();
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code !== 'CONNECTION_NOT_OPEN') {
      commands.close();
      throw error;
    }
  }
  return new RedisBackend(options, target, {
    commands,
    reading: connect('scan'),
    events: connect('notifications'),
  });
}

interface RedisConnections {
  readonly commands: RedisConnection;
  readonly reading: RedisConnection;
  readonly events: RedisConnection;
}

/** A database of a standalone Redis server, whose keys are documents and whose prefixes are collections. */
export class RedisBackend implements RemoteBackend {
  readonly capabilities = REDIS_CAPABILITIES;
  readonly reads: RedisReads;
  readonly settings: SettingsStore = new RedisSettings();
  readonly #options: RedisOptions;
  readonly #connections: RedisConnections;
  readonly #mirror: DeadlineMirror;
  readonly #follower: RedisFollower;
  readonly #status: RedisStatus;
  readonly #writes: RedisWrites;

  constructor(options: RedisOptions, target: RedisTarget, connections: RedisConnections) {
    const { clock, log, mirrorFile } = options;
    const { commands } = connections;
    this.#options = options;
    this.#connections = connections;
    this.#mirror = DeadlineMirror.open({ file: mirrorFile, clock, log });
    const serverClock = new ServerClock(clock);
    const serverNow = () => serverClock.now();
    this.#follower = new RedisFollower({
      ...connections,
      database: target.database,
      mirror: this.#mirror,
      serverClock,
      clock,
      log,
      grouping: new KeyGrouping(),
      settings: () => ({ ...FOLLOWER_SETTINGS, ...options.follower }),
      onState: () => this.#status.changed(),
    });
    this.#status = new RedisStatus({
      uri: publicRedisUri(target),
      commands,
      mirror: this.#mirror,
      watch: this.#follower.watch,
      clock,
      log,
      serverNow,
      onDrift: () => this.#follower.rescan('the server has another number of keys'),
    });
    this.reads = new RedisReads(this.#mirror, commands, serverNow);
    this.#writes = new RedisWrites({
      commands,
      mirror: this.#mirror,
      clock,
      log,
      serverNow,
      hasExpireTime: () => this.#follower.watch.hasExpireTime,
    });
    this.#mirror.onCommit(commit => this.#measure(commit));
    this.#follower.start();
  }

  get revision(): number {
    return this.#mirror.revision;
  }

  get remote(): RemoteStore {
    return this.#status.remote;
  }

  hasCollection(name: string): boolean {
    return this.#mirror.hasCollection(name);
  }

  collectionNames(): string[] {
    return this.#mirror.collectionNames();
  }

  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    this.#checkWritable();
    return this.#writes.put(collection, id, document);
  }

  async delete(collection: string, ids: readonly string[], options?: PartOptions): Promise<PartResult> {
    this.#checkWritable();
    return this.#writes.delete(collection, ids, options);
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options?: SetExpirationOptions,
  ): Promise<PartResult> {
    this.#checkWritable();
    return this.#writes.setExpiration(collection, ids, setting, options);
  }

  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: { by: number; isOver: () => boolean },
  ): { due: number; done: number } {
    return this.#writes.dueAfterSetting(collection, ids, setting, options);
  }

  /**
   * Turns on the notifications that keep the mirror true, until the server restarts. The server then sends a message for each write, to every
   * subscriber. Throws PERMISSION_DENIED.
   */
  async enableNotifications(): Promise<void> {
    this.#checkWritable();
    const { wanted } = this.#follower.watch.coverage;
    const { commands } = this.#connections;
    this.#options.log.info('notify-keyspace-events is set', {
      flags: wanted,
      reply: textOf(await commands.command('CONFIG', 'SET', 'notify-keyspace-events', wanted)),
    });
    this.#follower.rescan('notifications were turned on');
  }

  /** Stops scanning and reading until `resumeScanning`; the server's own expiry continues. */
  pauseScanning(): void {
    this.#follower.pause();
  }

  resumeScanning(): void {
    this.#follower.resume();
  }

  onRemoteChange(listener: () => void): () => void {
    return this.#status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#mirror.onCommit(listener);
  }

  async close(): Promise<void> {
    const { commands, reading, events } = this.#connections;
    for (const connection of [commands, reading, events]) connection.close();
    await this.#follower.stop();
    await this.#status.close();
    this.#mirror.close();
  }

  #checkWritable(): void {
    if (this.#options.readOnly) throw new SandglassError('READ_ONLY', 'This connection is read-only.');
  }

  /** Counts what the server expired, with its lag, and what applications wrote [M1]. */
  #measure({ changes }: Commit): void {
    const { meters, clock } = this.#options;
    const now = clock.now();
    for (const [collection, ofIt] of Map.groupBy(changes, change => change.collection)) {
      const expired = ofIt.filter(({ kind }) => kind === 'expire');
      const lagsMs = expired.flatMap(({ lagMs }) => (lagMs === undefined ? [] : [lagMs]));
      const written = ofIt.filter(({ kind }) => kind === 'insert' || kind === 'update').length;
      if (expired.length > 0) meters.removed(collection, expired.length, lagsMs, now);
      if (written > 0) meters.written(collection, written, now);
    }
  }
}

import type { KeyGroupingSetting, MirrorSettings } from '../../../../shared/contract/mirror.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { ServerNetwork } from '../../network/server-network.ts';
import type { MirrorControl } from '../backend.ts';
import { KeptMirrorSettings } from '../mirrored/kept-mirror-settings.ts';
import { MirroredBackend, type MirroredOptions } from '../mirrored/mirrored-backend.ts';
import { connectMasters } from './connection/connect-masters.ts';
import type { Masters } from './connection/masters.ts';
import { parseRedisUri, publicRedisUri, type RedisTarget } from './connection/redis-uri.ts';
import { OpenedKeys } from './follow/opened-keys.ts';
import { type FollowerSettings, RedisFollower } from './follow/redis-follower.ts';
import { KeyGrouping } from './keys/key-grouping.ts';
import { redisCapabilities } from './redis-capabilities.ts';
import { redisReads } from './redis-reads.ts';
import { RedisSettings } from './redis-settings.ts';
import { RedisStatus } from './redis-status.ts';
import { RedisWrites } from './redis-writes.ts';
import { ServerClock } from './server/server-clock.ts';
import { importKeys } from './values/import-key.ts';

export interface RedisOptions extends MirroredOptions {
  readonly follower?: Partial<FollowerSettings>;
  /** Most deadlines that are kept to undo bulk changes; default: a million. */
  readonly mostUndoable?: number;
}

const FOLLOWER_SETTINGS = { changedKeysPerSecond: 10_000, rescanEveryMs: 60_000 };
const DEFAULT_GROUPING: KeyGroupingSetting = { separator: null, patterns: [] };
const DEFAULT_MIRROR_SETTINGS: MirrorSettings = {
  paused: false,
  readsPerSecond: null,
  mostKeys: 20_000_000,
  grouping: DEFAULT_GROUPING,
};

/**
 * Opens a standalone server, the master of sentinels, or a cluster. An unreachable server is no failure: its mirror is
 * shown as stale until the server can be reached. Throws INVALID_CONNECTION for an address or a database that cannot be
 * used, and PERMISSION_DENIED if the password is missing or refused.
 */
export async function openRedis(options: RedisOptions): Promise<RedisBackend> {
  const given = parseRedisUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  const { clock, log, network = new ServerNetwork({ target: {}, clock, log }) } = options;
  const masters = connectMasters(target, { clock, log, network });
  try {
    await masters.firstAttempt();
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code !== 'CONNECTION_NOT_OPEN') {
      masters.close();
      throw error;
    }
  }
  return new RedisBackend(options, target, masters);
}

/** A database of Redis, whose keys are documents and whose prefixes are collections. */
export class RedisBackend extends MirroredBackend {
  readonly #options: RedisOptions;
  readonly #masters: Masters;
  readonly #follower: RedisFollower;

  constructor(options: RedisOptions, target: RedisTarget, masters: Masters) {
    const { clock, log, mirrorFile, mostUndoable } = options;
    const { commands } = masters;
    const mirror = DeadlineMirror.open({ file: mirrorFile, clock, log, mostUndoable });
    const serverClock = new ServerClock(clock);
    const serverNow = () => serverClock.now();
    const grouping = new KeyGrouping(DEFAULT_GROUPING);
    const opened = new OpenedKeys();
    const follower: RedisFollower = new RedisFollower({
      masters,
      database: target.database,
      mirror,
      serverClock,
      clock,
      log,
      grouping,
      opened,
      settings: () => ({
        ...FOLLOWER_SETTINGS,
        ...options.follower,
        scanKeysPerSecond: control.settings.readsPerSecond,
        mostKeys: control.settings.mostKeys ?? Number.POSITIVE_INFINITY,
      }),
      onState: () => status.changed(),
    });
    const { followed } = follower;
    const control: MirrorControl = new KeptMirrorSettings({
      mirror,
      defaults: DEFAULT_MIRROR_SETTINGS,
      onChange: (before, after) => applySettings(follower, grouping, before, after),
      enableNotifications: () => this.#enableNotifications(),
    });
    if (control.settings.grouping !== null) grouping.change(control.settings.grouping);
    if (control.settings.paused) follower.pause();
    const status = new RedisStatus({
      uri: publicRedisUri(target),
      masters,
      isWhole: target.place.is === 'cluster',
      mirror,
      followed,
      sampledOneIn: () => follower.sampledOneIn,
      clock,
      log,
      serverNow,
      onDrift: () => follower.rescan('the server has another number of keys'),
    });
    const writes = new RedisWrites({
      commands,
      mirror,
      clock,
      log,
      serverNow,
      hasExpireTime: () => followed.hasExpireTime,
    });
    super({
      capabilities: () => redisCapabilities(follower.sampledOneIn),
      settings: new RedisSettings(),
      mirror,
      reads: redisReads(mirror, commands, { serverNow, opened }),
      writes,
      setBack: (job, changed, given) => writes.setBack(job, changed, given),
      status,
      control,
      keyImport: {
        serverNow,
        keyIn: (collection, id) => grouping.keyIn(collection, id),
        writeKeys: (keys, mode) => importKeys(commands, keys, mode),
      },
      options,
    });
    this.#options = options;
    this.#masters = masters;
    this.#follower = follower;
    follower.start();
  }

  /**
   * Turns on the notifications that keep the mirror up to date, until the server restarts. The server then sends a
   * message for each write, to every subscriber. Throws PERMISSION_DENIED.
   */
  async #enableNotifications(): Promise<{ flags: string }> {
    this.checkWritable();
    const flags = await this.#follower.followed.turnOnNotifications();
    this.#options.log.info('notify-keyspace-events is set', { flags });
    this.#follower.rescan('notifications were turned on');
    return { flags };
  }

  override async close(): Promise<void> {
    this.#masters.close();
    await this.#follower.stop();
    await super.close();
  }
}

function applySettings(
  follower: RedisFollower,
  grouping: KeyGrouping,
  before: MirrorSettings,
  after: MirrorSettings,
): void {
  if (after.grouping !== null && JSON.stringify(after.grouping) !== JSON.stringify(before.grouping)) {
    grouping.change(after.grouping);
    follower.rescan('keys are grouped in another way');
  }
  if (after.mostKeys !== before.mostKeys) follower.rescan('another number of keys is mirrored');
  if (after.paused !== before.paused) after.paused ? follower.pause() : follower.resume();
}

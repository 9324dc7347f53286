import type { Clock } from '../../../platform/clock.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { type NotificationCoverage, notificationCoverage } from '../server/notify-flags.ts';
import type { ServerClock } from '../server/server-clock.ts';
import {
  type Fact,
  type IdentityFacts,
  readConfig,
  readIdentity,
  readSilentChanges,
} from '../server/server-facts.ts';

export interface ServerWatchOptions {
  readonly commands: CommandConnection;
  /** Connection for notifications; without polls on it, a lost network would not be noticed. */
  readonly events: CommandConnection;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
}

interface Observed {
  readonly runId: string;
  readonly role: IdentityFacts['role'];
  readonly source: string;
  readonly version: string;
  /** Null if the user has no permission to read them. */
  readonly flags: string | null;
  readonly silentChanges: number;
}

const CLOCK_EVERY_POLLS = 15;

/**
 * Polls changes that no notification reports: a restart, a failover, changed flags of notifications, and commands that
 * empty a database. Facts that the user may not read count as unchanged.
 */
export class ServerWatch {
  readonly #options: ServerWatchOptions;
  #seen: Observed = { runId: '', role: 'master', source: '', version: '7', flags: null, silentChanges: 0 };
  #pings: number[] = [];
  #polls = 0;

  constructor(options: ServerWatchOptions) {
    this.#options = options;
  }

  get role(): IdentityFacts['role'] {
    return this.#seen.role;
  }

  /** PEXPIRETIME and the class of notifications for new keys came with Redis 7.0. */
  get hasExpireTime(): boolean {
    return Number.parseInt(this.#seen.version, 10) >= 7;
  }

  get coverage(): NotificationCoverage {
    return notificationCoverage(this.#seen.flags ?? '', this.hasExpireTime);
  }

  /** True if notifications by event are on for some classes, or if that is unknown. */
  get hasEvents(): boolean {
    return this.#seen.flags?.includes('E') ?? true;
  }

  /** Median round trip of the last polls, ms; null: none yet. */
  get roundTripMs(): number | null {
    const sorted = [...this.#pings].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }

  /** Reads the state against which later polls are compared. */
  async begin(): Promise<void> {
    await this.#options.serverClock.measure(this.#options.commands);
    this.#seen = await this.#observe();
  }

  /** Returns what has changed since `begin`; null: nothing. */
  async poll(): Promise<string | null> {
    const { serverClock, commands } = this.#options;
    const now = await this.#observe();
    if (++this.#polls % CLOCK_EVERY_POLLS === 0) await serverClock.measure(commands);
    return changeOf(this.#seen, now);
  }

  async #observe(): Promise<Observed> {
    const { commands, events, clock } = this.#options;
    const sentAt = clock.elapsed();
    await commands.command('PING');
    this.#pings = [...this.#pings.slice(-9), clock.elapsed() - sentAt];
    if (events.isReady) await events.command('PING');
    const identity = await readIdentity(commands);
    const { runId, role, source, version } = valueOr<
      Pick<IdentityFacts, 'runId' | 'role' | 'source' | 'version'>
    >(identity, this.#seen);
    return {
      runId,
      role,
      source,
      version,
      flags: valueOr<string | null>(await readConfig(commands, 'notify-keyspace-events'), this.#seen.flags),
      silentChanges: valueOr(await readSilentChanges(commands), this.#seen.silentChanges),
    };
  }
}

function changeOf(seen: Observed, now: Observed): string | null {
  if (now.runId !== seen.runId) return 'the server was restarted';
  if (now.role !== seen.role) return `the server became a ${now.role}`;
  if (now.source !== seen.source) return 'the replica copied its master or lost it';
  if (now.flags !== seen.flags) return 'notify-keyspace-events was changed';
  if (now.silentChanges !== seen.silentChanges) return 'FLUSHALL, FLUSHDB or SWAPDB ran';
  return null;
}

function valueOr<Value>(fact: Fact<Value>, otherwise: Value): Value {
  return fact.is === 'known' ? fact.value : otherwise;
}

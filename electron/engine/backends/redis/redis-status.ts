import type { EngineFinding, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { isWritable, keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorFields, type Logger } from '../../platform/logger.ts';
import type { Masters } from './connection/masters.ts';
import { isConnectionLost } from './connection/redis-failure.ts';
import { integerOf } from './connection/reply.ts';
import type { FollowedMasters } from './follow/followed-masters.ts';
import { MOST_NAMED, type NeverExpiring, neverExpiring, redisFindings } from './redis-findings.ts';
import { combinedFacts } from './server/combined-facts.ts';
import { readServerFacts, serverName } from './server/server-facts.ts';
import { meanBytes } from './values/sampled-bytes.ts';

export interface RedisStatusOptions {
  /** Without secrets. */
  readonly uri: string;
  readonly masters: Masters;
  /** True for a cluster; false for one server, which may be a node of a cluster. */
  readonly isWhole: boolean;
  readonly mirror: DeadlineMirror;
  readonly followed: FollowedMasters;
  /** One key in so many is mirrored. */
  readonly sampledOneIn: () => number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverNow: () => number;
  /** Called when the server has far more or fewer keys than the mirror. */
  onDrift(): void;
}

const FACTS_EVERY_MS = 15_000;
/** Prefixes in which keys without a deadline are counted. */
const LARGEST_PREFIXES = 100;
/** Keys of a prefix whose memory is read. */
const SAMPLED_KEYS = 50;
/** A mirror that differs by more keys than both limits, twice in a row, has missed changes. */
const DRIFT_KEYS = 100;
const DRIFT_SHARE = 0.01;

/**
 * The reported state of the server: its name and round trip time, whether it can be reached, the state of the mirror,
 * and findings.
 */
export class RedisStatus {
  readonly #options: RedisStatusOptions;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  readonly #unsubscribe: (() => void)[];
  #server = 'Redis';
  #findings: EngineFinding[] = [];
  #unreachable: RemoteStore['unreachable'] = null;
  #hasDrifted = false;

  constructor(options: RedisStatusOptions) {
    this.#options = options;
    const { clock, masters } = options;
    const { commands } = masters;
    this.#unsubscribe = [
      commands.onLost(({ message }) => {
        this.#unreachable = { since: this.#unreachable?.since ?? clock.now(), reason: message };
        this.changed();
      }),
      commands.onReady(() => {
        this.#unreachable = null;
        this.changed();
      }),
    ];
    if (!commands.isReady) this.#unreachable = { since: clock.now(), reason: 'It has not answered yet.' };
    this.#done = this.#readUntilStopped();
  }

  get remote(): RemoteStore {
    const { uri, followed, mirror, sampledOneIn } = this.#options;
    const oneIn = sampledOneIn();
    return {
      uri,
      server: this.#server,
      roundTripMs: followed.roundTripMs,
      unreachable: this.#unreachable,
      mirror: mirror.state,
      ...(oneIn > 1 && { sampledOneIn: oneIn }),
      findings: this.#findings,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#done;
  }

  async #readUntilStopped(): Promise<void> {
    const { clock, log } = this.#options;
    const { commands } = this.#options.masters;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (commands.isReady) await this.#read();
      } catch (error) {
        if (!isConnectionLost(error))
          log.warn('Facts of a Redis server could not be read', errorFields(error));
      }
      await clock.sleep(commands.isReady ? FACTS_EVERY_MS : 1_000, signal);
    }
  }

  async #read(): Promise<void> {
    const { masters, mirror, followed, serverNow, isWhole } = this.#options;
    const servers = masters.known;
    const facts = await Promise.all(servers.map(({ commands }) => readServerFacts(commands)));
    // The counts of ten thousand prefixes take half a second, and findings name the largest only.
    const summaries = await mirror.reads.summaries(mirror.largestCollections(LARGEST_PREFIXES), serverNow());
    if (this.#stop.signal.aborted) return;
    const sizes = await Promise.all(servers.map(({ commands }) => commands.command('DBSIZE')));
    this.#compare(
      sizes.reduce<number>((sum, size) => sum + integerOf(size), 0),
      mirror.keys,
    );
    const combined = combinedFacts(facts);
    this.#server = serverName(combined, isWhole ? servers.length : null);
    const never = await this.#withBytes(neverExpiring(summaries));
    this.#findings = redisFindings({
      facts: combined,
      never,
      hasNewKeyClass: followed.hasExpireTime,
      isWhole,
    });
    this.changed();
  }

  /** Estimates the memory of the prefixes that are named, from a page of their keys. */
  async #withBytes(prefixes: readonly NeverExpiring[]): Promise<NeverExpiring[]> {
    const { masters, mirror, serverNow } = this.#options;
    const named = prefixes.slice(0, MOST_NAMED).map(async prefix => {
      const query = { collection: prefix.name, filter: { state: 'never' as const }, after: null };
      const { ids } = await mirror.reads.matchingIds(query, serverNow());
      const keys = ids.filter(isWritable).slice(0, SAMPLED_KEYS).map(keyOfId);
      const mean = await meanBytes(masters.commands, keys);
      return { ...prefix, bytes: mean === null ? null : mean * prefix.keys };
    });
    return [...(await Promise.all(named)), ...prefixes.slice(MOST_NAMED)];
  }

  #compare(keys: number, mirrored: number): void {
    // A sample has a number of keys that is random.
    if (this.#options.sampledOneIn() > 1) return;
    const difference = Math.abs(keys - mirrored);
    const drifts =
      this.#options.mirror.state.is === 'live' && difference > Math.max(DRIFT_KEYS, keys * DRIFT_SHARE);
    if (drifts && this.#hasDrifted) this.#options.onDrift();
    this.#hasDrifted = drifts && !this.#hasDrifted;
  }
}

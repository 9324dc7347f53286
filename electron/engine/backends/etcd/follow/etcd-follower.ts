import type { MirrorState } from '../../../../../shared/contract/capabilities.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';
import type { EtcdClient } from '../connection/etcd-client.ts';
import { isCode, isUnreachable } from '../connection/etcd-failure.ts';
import type { WatchMessage } from '../connection/replies.ts';
import type { LeaseTable } from '../leases/lease-table.ts';
import { scanKeys } from './key-scan.ts';
import { watchKeys } from './key-watch.ts';
import { MirroredKeys } from './mirrored-keys.ts';
import { type ServerChange, ServerWatch } from './server-watch.ts';

export interface FollowerOptions {
  readonly client: EtcdClient;
  readonly prefix: string;
  readonly mirror: DeadlineMirror;
  readonly leases: LeaseTable;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the most measurements of leases per second. */
  leasesPerSecond(): number;
  /** Called when the state of the mirror or of the server has changed. */
  onState(): void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
const MEASURE_EVERY_MS = 500;
const REMOVE_BUDGET_MS = 8;
/**
 * Without an event for this time, the watch has caught up: every 100 ms the server sends past events to watches that
 * are behind.
 */
const CAUGHT_UP_MS = 1_000;
/**
 * If a lease is measured within this time after an election and ends later than before, the new leader has extended it.
 */
const AFTER_NEW_LEADER_MS = 10_000;

/** A change of leader, and the leases that the new leader extended. */
export interface LeaderChange {
  readonly at: number;
  readonly extendedLeases: number;
}

/**
 * Keeps the mirror of one cluster up to date: reads all keys as of a revision, watches from the next revision on, and
 * measures leases within a limit per second, since a keep-alive raises no event. After a lost connection the watch
 * continues after the last revision; all keys are read again only if that revision was compacted, or if the address
 * leads to another cluster.
 */
export class EtcdFollower {
  readonly #options: FollowerOptions;
  readonly #keys: MirroredKeys;
  readonly #server: ServerWatch;
  readonly #stop = new AbortController();
  /** Aborted to end the current session; the loop then starts the next one. */
  #session = new AbortController();
  /** Revision up to which the mirror is complete; null: all keys have to be read. */
  #revision: number | null = null;
  /** Revision of the server when the watch was opened: events up to it happened before. */
  #openedAt = 0;
  #scannedAt = 0;
  #gap: { since: number; reason: string } | null = null;
  #unreachable: { since: number; reason: string } | null = null;
  #leaderChange: LeaderChange | null = null;
  #isPaused = false;
  #failures = 0;
  #done: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#keys = new MirroredKeys(options);
    this.#server = new ServerWatch(options.client, options.clock);
  }

  start(): void {
    this.#done = this.#followUntilStopped();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#session.abort();
    await this.#done;
  }

  get server(): ServerWatch {
    return this.#server;
  }

  /** Since when the server has not answered, epoch ms, and why; null: it answers. */
  get unreachable(): { since: number; reason: string } | null {
    return this.#unreachable;
  }

  get leaderChange(): LeaderChange | null {
    return this.#leaderChange;
  }

  /** Reads all keys again. */
  rescan(reason: string): void {
    this.#revision = null;
    this.#setGap(reason);
    this.#session.abort();
  }

  pause(): void {
    this.#isPaused = true;
    this.#session.abort();
  }

  resume(): void {
    this.#isPaused = false;
    this.#setGap('It was paused.');
    this.#session.abort();
  }

  /** Measures a lease now, for example after it was kept alive. */
  async measure(lease: string): Promise<void> {
    await this.#keys.measure([lease]);
  }

  /** Returns the key of an `_id` in a collection of this connection; null if no such key is. */
  keyIn(collection: string, id: string): Buffer | null {
    const key = this.#keys.keyIn(collection, id);
    const prefix = Buffer.from(this.#options.prefix);
    return key?.subarray(0, prefix.length).equals(prefix) === true ? key : null;
  }

  async #followUntilStopped(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stop.signal.aborted) {
      this.#session = new AbortController();
      try {
        await this.#follow(this.#session.signal);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (isCode(error, 'CANCELLED')) continue;
        this.#report(error);
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 10));
        await clock.sleep(waitMs, AbortSignal.any([this.#stop.signal, this.#session.signal]));
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { leases, clock } = this.#options;
    if (this.#isPaused) {
      this.#setState({ is: 'paused', since: clock.now() });
      return untilAborted(signal);
    }
    const change = await this.#server.poll();
    await this.#server.readCluster();
    this.#unreachable = null;
    const { revision = 0 } = this.#server.facts ?? {};
    if (change === 'another cluster' || revision < (this.#revision ?? 0)) {
      this.#revision = null;
      this.#setGap('The server has other data than before.');
    }
    if (change === 'new leader') this.#onNewLeader();
    if (this.#revision === null) await this.#scan(signal);
    else leases.measureAgain();
    this.#options.onState();
    await this.#together(signal, [
      this.#watch(signal),
      this.#measureUntilAborted(signal),
      this.#server.untilAborted(signal, polled => this.#onPoll(polled)),
    ]);
  }

  /** Rejects with the first failure, after all parts have ended. */
  async #together(signal: AbortSignal, parts: readonly Promise<void>[]): Promise<void> {
    const session = this.#session;
    const failures: unknown[] = [];
    await Promise.all(
      parts.map(part =>
        part.catch((error: unknown) => {
          failures.push(error);
          session.abort();
        }),
      ),
    );
    if (failures.length > 0) throw failures[0];
    if (signal.aborted) throw new SandglassError('CANCELLED', 'Following ended.');
  }

  async #scan(signal: AbortSignal): Promise<void> {
    const { client, clock, mirror, leases, prefix } = this.#options;
    const since = clock.now();
    const reason = this.#gap?.reason ?? null;
    this.#setState({ is: 'scanning', done: 0, total: null, since, reason });
    leases.clear();
    const scan = mirror.beginScan();
    const revision = await scanKeys({
      client,
      clock,
      prefix: Buffer.from(prefix),
      signal,
      onFolder: folder => this.#keys.setSharedFolder(folder),
      onPage: async (keys, progress) => {
        await this.#keys.put(keys, { hasValues: false });
        this.#setState({ is: 'scanning', ...progress, since, reason });
      },
    });
    while (!signal.aborted && mirror.endScan(scan, REMOVE_BUDGET_MS)) await clock.sleep(0, signal);
    if (signal.aborted) throw new SandglassError('CANCELLED', 'The scan of the keys was cancelled.');
    this.#scannedAt = since;
    this.#revision = revision;
  }

  /**
   * Watches keys. The mirror is live when the watch has passed the revision that the server had at its opening, or when
   * no event came for CAUGHT_UP_MS.
   */
  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, prefix } = this.#options;
    let cancel = () => {};
    const caughtUp = () => {
      cancel();
      if (!signal.aborted) this.#setLive();
    };
    try {
      await watchKeys({
        client,
        clock,
        prefix: Buffer.from(prefix),
        signal,
        after: () => this.#revision ?? 0,
        onMessage: async message => {
          await this.#onMessage(message);
          cancel();
          if ((this.#revision ?? 0) >= this.#openedAt) caughtUp();
          else cancel = clock.setTimer(CAUGHT_UP_MS, caughtUp);
        },
      });
    } finally {
      cancel();
    }
  }

  async #onMessage({ created, header, events }: WatchMessage): Promise<void> {
    if (created) this.#openedAt = header.revision;
    // A message contains all events of its last revision: the server splits a revision only on request.
    const first = events[0];
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    await this.#keys.apply(events, { isReplayed: first.kv.mod_revision <= this.#openedAt });
    this.#revision = last.kv.mod_revision;
  }

  async #measureUntilAborted(signal: AbortSignal): Promise<void> {
    const { clock, leases, leasesPerSecond } = this.#options;
    const limit = Math.max(1, Math.round((leasesPerSecond() * MEASURE_EVERY_MS) / 1_000));
    while (!signal.aborted) {
      const extended = await this.#keys.measure(leases.due(clock.now(), limit));
      const change = this.#leaderChange;
      if (change !== null && clock.now() - change.at < AFTER_NEW_LEADER_MS) {
        this.#leaderChange = { ...change, extendedLeases: change.extendedLeases + extended };
      }
      await clock.sleep(MEASURE_EVERY_MS, signal);
    }
  }

  #onPoll(change: ServerChange | null): void {
    if (change === 'another cluster') this.rescan('The server has other data than before.');
    else if (change === 'new leader') this.#onNewLeader();
    this.#options.onState();
  }

  /**
   * Measures all leases again: a new leader restarts the duration of each lease, unless lease checkpoints are turned
   * on.
   */
  #onNewLeader(): void {
    this.#leaderChange = { at: this.#options.clock.now(), extendedLeases: 0 };
    this.#options.leases.measureAgain();
  }

  #setLive(): void {
    if (this.#gap === null && this.#options.mirror.state.is === 'live') return;
    this.#gap = null;
    this.#failures = 0;
    this.#setState({ is: 'live', scannedAt: this.#scannedAt });
  }

  #report(error: unknown): void {
    const { clock, log } = this.#options;
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (isCode(error, 'REVISION_COMPACTED')) this.#revision = null;
    if (isUnreachable(error)) this.#unreachable ??= { since: clock.now(), reason: message };
    else if (!isCode(error, 'REVISION_COMPACTED')) log.warn('Mirroring etcd failed', errorFields(error));
    this.#setGap(message);
  }

  #setGap(reason: string): void {
    this.#gap = { since: this.#gap?.since ?? this.#options.clock.now(), reason };
    this.#setState({ is: 'stale', ...this.#gap });
  }

  #setState(state: MirrorState): void {
    this.#options.mirror.setState(state);
    this.#options.onState();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

import type { MirrorState } from '../../../../../shared/contract/capabilities.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';
import type { Masters } from '../connection/masters.ts';
import { isConnectionLost } from '../connection/redis-failure.ts';
import { integerOf } from '../connection/reply.ts';
import type { KeyGrouping } from '../keys/key-grouping.ts';
import { KeySample } from '../keys/key-sample.ts';
import { scanKeys } from '../scan/key-scan.ts';
import { ScanPace } from '../scan/scan-pace.ts';
import { separatorSample } from '../scan/separator-sample.ts';
import type { ServerClock } from '../server/server-clock.ts';
import { FollowedChanges } from './followed-changes.ts';
import { type FollowedMaster, FollowedMasters } from './followed-masters.ts';
import type { OpenedKeys } from './opened-keys.ts';
import { ShownState } from './shown-state.ts';

export interface FollowerOptions {
  readonly masters: Masters;
  readonly database: number;
  readonly mirror: DeadlineMirror;
  /** The clock of the first master. */
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly log: Logger;
  readonly grouping: KeyGrouping;
  readonly opened: OpenedKeys;
  readonly settings: () => FollowerSettings;
  /** Called when the state of the mirror has changed. */
  onState(): void;
}

export interface FollowerSettings {
  /** Most keys per second that a scan reads; null: limited by the server's latency only. */
  readonly scanKeysPerSecond: number | null;
  /** Keys of the database above which a sample of them is mirrored. */
  readonly mostKeys: number;
  /** Most changed keys per second that are read again. */
  readonly changedKeysPerSecond: number;
  /** Least time between two scans if the server sends no notifications, ms. */
  readonly rescanEveryMs: number;
}

/** Without notifications a server is scanned for at most a tenth of the time. */
const PAUSE_PER_SCAN = 9;
const FLUSH_EVERY_MS = 20;
const POLL_EVERY_MS = 2_000;
const REMOVE_BUDGET_MS = 8;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Keeps the mirror of one database up to date. Subscribes to the notifications of every master, then scans them one after
 * the other, then reads changed keys again. After a gap (a lost connection, a restart, a failover, moved slots, FLUSHALL,
 * changed flags, more changes than may be read) the mirror is stale at once, and all keys are scanned again: cursors of
 * SCAN are valid on one server only. Without notifications it scans at an interval.
 */
export class RedisFollower {
  readonly #options: FollowerOptions;
  readonly #changes: FollowedChanges;
  readonly #followed: FollowedMasters;
  readonly #sample = new KeySample();
  readonly #shown: ShownState;
  readonly #stop = new AbortController();
  /** Aborted when the mirror becomes stale. */
  #gap = new AbortController();
  #gapReason: string | null = null;
  #staleSince = 0;
  #isScanning = false;
  #isPaused = false;
  #failures = 0;
  #done: Promise<unknown> = Promise.resolve();
  #stopHearing: () => void = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#followed = new FollowedMasters(options);
    this.#shown = new ShownState(options);
    this.#changes = new FollowedChanges({
      ...options,
      sample: this.#sample,
      hasExpireTime: () => this.#followed.hasExpireTime,
      isScanning: () => this.#isScanning,
      onGap: reason => this.#setGap(reason),
      onFailure: error => this.#report(error),
    });
  }

  start(): void {
    this.#stopHearing = this.#options.masters.onLost(error => this.#setGap(error.message));
    this.#done = Promise.all([this.#followUntilStopped(), this.#readChangedUntilStopped()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#gap.abort();
    this.#stopHearing();
    await this.#done;
  }

  /** Scans everything again. */
  rescan(reason: string): void {
    this.#setGap(reason);
  }

  /** Stops scanning and reading, until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#setGap('it is paused');
  }

  resume(): void {
    this.#isPaused = false;
    this.#setGap('it was paused');
  }

  /** One key in so many is mirrored; 1: all of them. */
  get sampledOneIn(): number {
    return this.#sample.oneIn;
  }

  /** The facts of the masters found by polls. */
  get followed(): FollowedMasters {
    return this.#followed;
  }

  async #followUntilStopped(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow();
        this.#failures = 0;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#report(error);
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 10));
        await clock.sleep(waitMs, this.#stop.signal);
      }
    }
  }

  /** Resolves at the next gap, or when the next scan is due. */
  async #follow(): Promise<void> {
    const { masters, serverClock } = this.#options;
    const reachable = this.#isPaused ? [] : await masters.all(this.#stop.signal);
    if (this.#gap.signal.aborted) {
      this.#gap = new AbortController();
      this.#changes.clear();
    }
    const gap = this.#gap.signal;
    if (this.#isPaused) {
      this.#setState({ is: 'paused', since: serverClock.now() });
      return untilAborted(gap);
    }
    await this.#followed.begin(reachable);
    await this.#chooseSample();
    for (const master of this.#followed.all) await this.#subscribe(master);
    const ended = new AbortController();
    await Promise.all([
      this.#pollUntil(AbortSignal.any([gap, ended.signal])),
      this.#keepMirrored(gap).finally(() => ended.abort()),
    ]);
  }

  /** Scans, and waits for the next gap or, without notifications, until the next scan is due. */
  async #keepMirrored(gap: AbortSignal): Promise<void> {
    const { clock, serverClock } = this.#options;
    const startedAt = clock.elapsed();
    await this.#scan(gap);
    const tookMs = clock.elapsed() - startedAt;
    const scannedAt = serverClock.now();
    if (this.#followed.isCovered) {
      this.#setState({ is: 'live', scannedAt });
      return untilAborted(gap);
    }
    const pauseMs = Math.max(this.#options.settings().rescanEveryMs, tookMs * PAUSE_PER_SCAN);
    this.#setState({ is: 'as of', scannedAt, nextScanAt: scannedAt + Math.round(pauseMs) });
    await clock.sleep(pauseMs, gap);
  }

  /** Polls for what is notified to nobody, during scans too. */
  async #pollUntil(end: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!end.aborted) {
      await clock.sleep(POLL_EVERY_MS, end);
      if (end.aborted) return;
      try {
        const reason = await this.#shown.whileAwaited(this.#changeOfMasters());
        if (reason !== null && !end.aborted) this.#setGap(reason);
      } catch (error) {
        if (!end.aborted) this.#report(error);
      }
    }
  }

  /** Chooses the keys that are mirrored. They are chosen anew at each scan, by the number of keys of that time. */
  async #chooseSample(): Promise<void> {
    const sizes = await Promise.all(
      this.#followed.all.map(async ({ master }) => integerOf(await master.commands.command('DBSIZE'))),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (this.#sample.choose(total, this.#options.settings().mostKeys)) this.#options.onState();
  }

  async #changeOfMasters(): Promise<string | null> {
    return (await this.#followed.poll()) ?? (await this.#options.masters.changed());
  }

  async #scan(gap: AbortSignal): Promise<void> {
    const { mirror, grouping, clock, serverClock } = this.#options;
    const since = serverClock.now();
    const reason = this.#gapReason;
    this.#setState({ is: 'scanning', done: 0, total: null, since, reason });
    this.#isScanning = true;
    let watch = this.#changes.watch();
    try {
      if (grouping.wantsSample)
        grouping.recognise(await separatorSample(this.#followed.all.map(({ reader }) => reader)));
      const scan = mirror.beginScan();
      let before = { done: 0, total: 0 };
      for (const { master, reader } of this.#followed.all) {
        let now = before;
        await scanKeys({
          reader,
          probe: master.commands,
          pace: new ScanPace(() => this.#options.settings().scanKeysPerSecond),
          clock,
          signal: gap,
          onBegin: () => {
            this.#changes.unwatch(watch);
            watch = this.#changes.watch();
          },
          onKeys: (keys, { done, total }) => {
            this.#changes.put(keys, watch);
            now = { done: before.done + done, total: before.total + total };
            this.#setState({ is: 'scanning', ...now, since, reason });
          },
        });
        before = now;
      }
      // A key with a notification during the scan counts as seen only after it is read again.
      while (this.#changes.waiting > 0 && !gap.aborted) await clock.sleep(FLUSH_EVERY_MS, gap);
      this.#changes.flush();
      // Masters that changed since the last poll would make the result wrong.
      const change = gap.aborted ? null : await this.#changeOfMasters();
      if (change !== null) this.#setGap(change);
      while (!gap.aborted && mirror.endScan(scan, REMOVE_BUDGET_MS)) await clock.sleep(0, gap);
      if (gap.aborted) throw new SandglassError('CANCELLED', 'The scan of the keys was cancelled.');
      this.#gapReason = null;
    } finally {
      this.#changes.unwatch(watch);
      this.#isScanning = false;
    }
  }

  async #subscribe(from: FollowedMaster): Promise<void> {
    if (!from.watch.hasEvents) return;
    const prefix = `__keyevent@${this.#options.database}__:`;
    await from.master.events.subscribe(`${prefix}*`, (channel, key) =>
      this.#changes.onEvent(from, channel.toString('latin1', prefix.length), key),
    );
  }

  /** Reads changed keys; the pause between two reads enforces `changedKeysPerSecond`. */
  async #readChangedUntilStopped(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#changes.flush();
      const read = this.#isPaused ? 0 : await this.#changes.read();
      const { changedKeysPerSecond } = this.#options.settings();
      await clock.sleep(Math.max(FLUSH_EVERY_MS, (read / changedKeysPerSecond) * 1_000), signal);
    }
  }

  #setGap(reason: string): void {
    const since = this.#gap.signal.aborted ? this.#staleSince : this.#options.serverClock.now();
    this.#staleSince = since;
    this.#gapReason = reason;
    this.#gap.abort();
    if (!this.#stop.signal.aborted && !this.#isPaused) this.#setState({ is: 'stale', since, reason });
  }

  #report(error: unknown): void {
    if (error instanceof SandglassError && error.code === 'CANCELLED') return;
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (!isConnectionLost(error)) this.#options.log.warn('Mirroring Redis failed', errorFields(error));
    this.#setGap(message);
  }

  #setState(state: MirrorState): void {
    this.#shown.set(state);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

import type { MirrorState } from '../../../../../shared/contract/capabilities.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import { idOfKey } from '../../../deadline-mirror/key-id.ts';
import type { Departure, MirroredKey } from '../../../deadline-mirror/mirrored-key.ts';
import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';
import type { RedisConnection } from '../connection/redis-connection.ts';
import { isConnectionLost } from '../connection/redis-failure.ts';
import type { KeyGrouping } from '../keys/key-grouping.ts';
import { KeyReader, type ReadKey, type ScanStep } from '../scan/key-reader.ts';
import { scanKeys } from '../scan/key-scan.ts';
import { ScanPace } from '../scan/scan-pace.ts';
import type { ServerClock } from '../server/server-clock.ts';
import { ChangedKeys } from './changed-keys.ts';
import { meaningOf } from './key-events.ts';
import { ServerWatch } from './server-watch.ts';

export interface FollowerOptions {
  /** For scans and for keys that changed. */
  readonly reading: RedisConnection;
  /** For polls and PINGs, shared with API calls. */
  readonly commands: RedisConnection;
  /** For notifications only. */
  readonly events: RedisConnection;
  readonly database: number;
  readonly mirror: DeadlineMirror;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly log: Logger;
  readonly grouping: KeyGrouping;
  readonly settings: () => FollowerSettings;
  /** Called when the state of the mirror has changed. */
  onState(): void;
}

export interface FollowerSettings {
  /** Most keys per second that a scan reads; null: limited by the server's latency only. */
  readonly scanKeysPerSecond: number | null;
  /** Most changed keys per second that are read again. */
  readonly changedKeysPerSecond: number;
  /** Least time between two scans if the server sends no notifications, ms. */
  readonly rescanEveryMs: number;
}

/** Keys in the sample from which the separator is recognised: with 10,000 prefixes, a tenth of the keys repeat one. */
const SAMPLE = 2_000;
const SAMPLE_PER_STEP = 200;
/** Without notifications a server is scanned for at most a tenth of the time. */
const PAUSE_PER_SCAN = 9;
const CHANGED_PER_READ = 200;
const FLUSH_EVERY_MS = 20;
const MOST_DEPARTURES = 500;
const REMOVE_BUDGET_MS = 8;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Keeps the mirror of one database up to date. Subscribes to notifications, then scans, then reads changed keys again.
 * After a gap (a lost connection, a restart, FLUSHALL, changed flags, more changes than may be read) the mirror is
 * stale at once, and all keys are scanned again. Without notifications it scans at an interval.
 */
export class RedisFollower {
  readonly #options: FollowerOptions;
  readonly #changed = new ChangedKeys();
  readonly #watch: ServerWatch;
  readonly #stop = new AbortController();
  #departures: Departure[] = [];
  /** Null until the server's version is known. */
  #reader: KeyReader | null = null;
  /** Aborted when the mirror becomes stale. */
  #gap = new AbortController();
  #gapReason: string | null = null;
  #staleSince = 0;
  #isScanning = false;
  #isPaused = false;
  #failures = 0;
  #done: Promise<unknown> = Promise.resolve();
  #unsubscribe: (() => void)[] = [];

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#watch = new ServerWatch(options);
  }

  start(): void {
    const { reading, commands, events } = this.#options;
    const lost = (error: Error) => this.#setGap(error.message);
    this.#unsubscribe = [reading, commands, events].map(connection => connection.onLost(lost));
    this.#done = Promise.all([this.#followUntilStopped(), this.#readChangedUntilStopped()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#gap.abort();
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
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

  /** The facts of the server found by polls. */
  get watch(): ServerWatch {
    return this.#watch;
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
    const { clock, serverClock } = this.#options;
    if (!this.#isPaused) await this.#untilReady();
    if (this.#gap.signal.aborted) {
      this.#gap = new AbortController();
      this.#changed.clear();
    }
    const gap = this.#gap.signal;
    if (this.#isPaused) {
      this.#setState({ is: 'paused', since: serverClock.now() });
      return untilAborted(gap);
    }
    await this.#watch.begin();
    this.#reader = new KeyReader(this.#options.reading, { hasExpireTime: this.#watch.hasExpireTime });
    if (this.#watch.hasEvents) await this.#subscribe();
    const startedAt = clock.elapsed();
    await this.#scan(this.#reader, gap);
    const tookMs = clock.elapsed() - startedAt;
    const scannedAt = serverClock.now();
    if (this.#watch.coverage.isComplete) {
      this.#setState({ is: 'live', scannedAt });
      await this.#watch.untilChanged(gap, reason => this.#setGap(reason));
    } else {
      const pauseMs = Math.max(this.#options.settings().rescanEveryMs, tookMs * PAUSE_PER_SCAN);
      this.#setState({ is: 'as of', scannedAt, nextScanAt: scannedAt + Math.round(pauseMs) });
      await clock.sleep(pauseMs, gap);
    }
  }

  async #scan(reader: KeyReader, gap: AbortSignal): Promise<void> {
    const { commands, mirror, grouping, clock, serverClock } = this.#options;
    const since = serverClock.now();
    const reason = this.#gapReason;
    this.#setState({ is: 'scanning', done: 0, total: null, since, reason });
    this.#isScanning = true;
    let watch = this.#changed.watch();
    try {
      if (grouping.wantsSample) grouping.recognise(await sampleOf(reader));
      const scan = mirror.beginScan();
      await scanKeys({
        reader,
        probe: commands,
        pace: new ScanPace(() => this.#options.settings().scanKeysPerSecond),
        clock,
        signal: gap,
        onBegin: () => {
          this.#changed.unwatch(watch);
          watch = this.#changed.watch();
        },
        onKeys: (keys, progress) => {
          this.#put(keys, watch);
          this.#setState({ is: 'scanning', ...progress, since, reason });
        },
      });
      // A key with a notification during the scan counts as seen only after it is read again.
      while (this.#changed.size > 0 && !gap.aborted) await clock.sleep(FLUSH_EVERY_MS, gap);
      this.#flushDepartures();
      while (!gap.aborted && mirror.endScan(scan, REMOVE_BUDGET_MS)) await clock.sleep(0, gap);
      if (gap.aborted) throw new SandglassError('CANCELLED', 'The scan of the keys was cancelled.');
      this.#gapReason = null;
    } finally {
      this.#changed.unwatch(watch);
      this.#isScanning = false;
    }
  }

  async #subscribe(): Promise<void> {
    const { events, database } = this.#options;
    const prefix = `__keyevent@${database}__:`;
    await events.subscribe(`${prefix}*`, (channel, key) =>
      this.#onEvent(channel.toString('latin1', prefix.length), key),
    );
  }

  #onEvent(event: string, key: Buffer): void {
    const { mirror, serverClock } = this.#options;
    const id = idOfKey(key);
    const meaning = meaningOf(event);
    if (meaning.is === 'touched' && mirror.deadlineOf(id) !== undefined) return;
    if (meaning.is !== 'gone') {
      if (!this.#changed.add(id, key)) this.#setGap('more keys changed than may be read again');
      return;
    }
    const at = serverClock.sentAt();
    const isReplica = this.#watch.role === 'replica';
    // A master sends an expiry to its replicas as a deletion.
    const isExpiry = isReplica && event === 'del' && (mirror.deadlineOf(id)?.deadlineAt ?? Infinity) <= at;
    const cause = isExpiry ? 'expired' : meaning.cause;
    const measuresLag = this.#changed.gone(id) && !this.#isScanning && !isReplica;
    this.#departures.push({ id, cause, at, measuresLag });
    if (this.#departures.length >= MOST_DEPARTURES) this.#flushDepartures();
  }

  /** Reads changed keys; the pause between two reads enforces `changedKeysPerSecond`. */
  async #readChangedUntilStopped(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#flushDepartures();
      const read = this.#isPaused ? 0 : await this.#readChanged();
      const { changedKeysPerSecond } = this.#options.settings();
      await clock.sleep(Math.max(FLUSH_EVERY_MS, (read / changedKeysPerSecond) * 1_000), signal);
    }
  }

  async #readChanged(): Promise<number> {
    const reader = this.#reader;
    if (reader === null || this.#changed.size === 0 || !this.#options.reading.isReady) return 0;
    const taken = this.#changed.take(CHANGED_PER_READ);
    const watch = this.#changed.watch();
    try {
      // Keys that are gone are ignored here: a notification with the cause follows.
      this.#put(await reader.read([...taken.values()]), watch);
    } catch (error) {
      this.#report(error);
    } finally {
      this.#changed.unwatch(watch);
      this.#changed.done(taken.keys());
    }
    return taken.size;
  }

  /**
   * Writes keys into the mirror, without those with a notification since they were read: they are gone, or are read
   * again.
   */
  #put(keys: readonly ReadKey[], newer: ReadonlySet<string>): void {
    const { mirror, grouping } = this.#options;
    this.#flushDepartures();
    const mirrored: MirroredKey[] = [];
    for (const { key, deadlineAt, type } of keys) {
      const id = idOfKey(key);
      if (!newer.has(id))
        mirrored.push({ id, collection: grouping.collectionOf(key), deadlineAt, type, bytes: null });
    }
    mirror.put(mirrored);
  }

  #flushDepartures(): void {
    if (this.#departures.length === 0) return;
    this.#options.mirror.depart(this.#departures);
    this.#departures = [];
  }

  async #untilReady(): Promise<void> {
    const { reading, commands, events } = this.#options;
    const connections = [reading, commands, events];
    for (let lost = notReady(connections); lost !== undefined; lost = notReady(connections)) {
      await untilReadyAgain(lost, this.#stop.signal);
      if (this.#stop.signal.aborted) throw new SandglassError('CANCELLED', 'Following ended.');
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
    this.#options.mirror.setState(state);
    this.#options.onState();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function notReady(connections: readonly RedisConnection[]): RedisConnection | undefined {
  return connections.find(({ isReady }) => !isReady);
}

function untilReadyAgain(connection: RedisConnection, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = connection.onReady(done);
    signal.addEventListener('abort', done);
    if (signal.aborted || connection.isReady) done();
  });
}

async function sampleOf(reader: KeyReader): Promise<Buffer[]> {
  const sample: Buffer[] = [];
  let cursor: string | null = null;
  do {
    const { keys, next }: ScanStep = await reader.scan(cursor, SAMPLE_PER_STEP);
    for (const { key } of keys) sample.push(key);
    cursor = next;
  } while (cursor !== null && sample.length < SAMPLE);
  return sample;
}

import { dirname } from 'node:path';
import type { Alert } from '../../shared/contract/alerts.ts';
import { DEFAULT_SETTINGS } from '../../shared/contract/settings.ts';
import type { GivenFolders } from './access/allowed-folders.ts';
import { AuditLog } from './access/audit-log.ts';
import { CallerSlots } from './access/caller-concurrency-limit.ts';
import { Slots } from './access/concurrency-limit.ts';
import type { AllowedServers } from './access/server-address.ts';
import type { EmbeddedEngine } from './api/context.ts';
import { EmbeddedTtlIndexes } from './api/definitions/embedded-ttl-indexes.ts';
import { EmbeddedReaperCalls } from './api/removal/embedded-reaper-calls.ts';
import type { EmbeddedBackend } from './backends/backend.ts';
import { openEmbeddedStore } from './backends/embedded/store.ts';
import { logStaleEntries } from './expiry/batch-runner.ts';
import { MeterRegistry } from './expiry/meters.ts';
import { Reaper } from './expiry/reaper.ts';
import { ChangeFeed } from './feeds/change-feed.ts';
import { ExpectedPolicyFile } from './files/expected-policy-file.ts';
import type { Endpoint } from './files/owner-file.ts';
import { BulkChanges } from './jobs/bulk-changes.ts';
import { embeddedImport } from './jobs/import-target.ts';
import { Imports } from './jobs/imports.ts';
import { IndexBuilds } from './jobs/index-builds.ts';
import { JobRegistry } from './jobs/job-registry.ts';
import { ChangeLogCompaction } from './maintenance/change-log-compaction.ts';
import { DailyStatistics } from './maintenance/daily-statistics.ts';
import { AlertWatch } from './monitoring/alert-watch.ts';
import { ClockWatch } from './monitoring/clock-watch.ts';
import { FullDiskLog } from './monitoring/full-disk-log.ts';
import { MinuteRecorder } from './monitoring/minute-recorder.ts';
import { WebhookFile } from './monitoring/webhook-file.ts';
import { WebhookSender } from './monitoring/webhook-sender.ts';
import type { Clock } from './platform/clock.ts';
import { GuardedClock } from './platform/guarded-clock.ts';
import { errorFields, type Logger } from './platform/logger.ts';
import { CallPace } from './protocol/call-pace.ts';
import { type Connections, homeOnlyConnections } from './protocol/connection-calls.ts';
import type { SharedClockState } from './protocol/shared-flags.ts';
import { Follower } from './replication/follower.ts';
import type { Leader } from './replication/leader.ts';
import { LeaderTime } from './replication/leader-time.ts';

/** Longest time that deferrable work waits for running calls, ms. */
const PATIENCE_MS = 2;

export interface EngineOptions {
  storeFile: string;
  clock: Clock;
  log: Logger;
  version: string;
  /** Number of calls that wait for this thread [R5]. */
  callsWaiting(): number;
  /** Number of calls that have arrived at this thread; absent: none [R5]. */
  callsArrived?: () => number;
  reads?: 'thread' | 'inline';
  /** Default: as `reads`. */
  checkpoints?: 'thread' | 'inline';
  /** Bytes kept allocated beside the store for a full disk; absent: none [S1]. */
  reserveBytes?: number;
  /** From so many due documents on, an index removes them at once; null: never. */
  intervalFrom?: number | null;
  onThreadDeath?: (error: Error) => void;
  endpoint?: Endpoint;
  /** The leader to mirror; absent: the store is no mirror [V5]. */
  follow?: Follow;
  /** The connections of the host; absent: this one alone. */
  connections?: Connections;
  /** The file was open until now: it is not created if it is missing. */
  mustExist?: boolean;
  /** Refuses writes to the store; documents past their deadline are hidden [P2]. */
  readOnly?: boolean;
  /** Told when the trusted time follows the wall clock and when not [R10]. */
  clockState?: SharedClockState;
  /** Receives all active alerts, every ten seconds. */
  onAlerts?: (active: readonly Alert[]) => void;
  /** Folders in which callers from the network name files [P1]; by default the store's folder. */
  folders?: GivenFolders;
  /** Servers that callers from the network may connect to, beside those of this machine [P1]. */
  servers?: AllowedServers;
}

export interface Follow {
  leader: Leader;
  url: string;
  syncTimeoutMs: number;
}

/** Longest queue of backups; further backups are refused. */
const MOST_WAITING_BACKUPS = 8;
/**
 * All tokens together use one slot of each kind fewer than the reader has (scan-scheduler.ts), and each token uses one
 * fewer than that.
 */
export const SCANS_OF_TOKENS = {
  page: { most: 2, mostOfAllTokens: 3, mostWaiting: 256, what: 'lists of this token' },
  preview: { most: 1, mostOfAllTokens: 2, mostWaiting: 64, what: 'previews of this token' },
};

/**
 * Opens a store and starts its services: the reaper, background builds, updates of windows. `stop` stops them in
 * reverse order. Throws the errors of opening the store.
 */
export function openEngine(options: EngineOptions): { engine: EmbeddedEngine; stop(): Promise<void> } {
  const {
    storeFile: file,
    log,
    version,
    reads,
    checkpoints,
    reserveBytes,
    intervalFrom,
    onThreadDeath,
    endpoint,
    follow,
    mustExist = false,
    readOnly = false,
  } = options;
  const connections = options.connections ?? homeOnlyConnections(file);
  const leaderTime = new LeaderTime();
  let clockJumpMs = () => DEFAULT_SETTINGS.clockJump * 1_000;
  const guarded = new GuardedClock({
    clock: options.clock,
    boundMs: () => clockJumpMs(),
    onChange: () => clockWatch?.check(),
    onState: state => options.clockState?.enter(state),
  });
  // A mirror judges deadlines by its leader's time, any other store by the trusted time [R10].
  const clock = follow === undefined ? guarded : leaderTime.over(options.clock);
  const yieldToCalls = async () => {
    await nextTurn();
    await backend.caughtUp();
    if (backend.reads.waiting > 0) {
      // Answers of the reader thread pass through this thread: a batch that starts now would delay them.
      await atMost(PATIENCE_MS, backend.reads.answered(), options.clock);
      await nextTurn();
    }
    // Last: a call may have suspended writes meanwhile.
    await backend.fileCare.suspended;
  };
  const backend: EmbeddedBackend = openEmbeddedStore({
    file,
    clock,
    ...(reads === undefined ? {} : { reads }),
    ...(checkpoints === undefined ? {} : { checkpoints }),
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    ...(intervalFrom === undefined ? {} : { intervalFrom }),
    ...(onThreadDeath === undefined ? {} : { onThreadDeath }),
    onStaleEntries: stale => logStaleEntries(log, stale),
    onListenerError: error => log.error('a listener of commits failed', errorFields(error)),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(follow === undefined ? {} : { leader: follow.url }),
    mustExist,
    readOnly,
  });
  clockJumpMs = () => backend.settings.get().clockJump * 1_000;
  const isOwn = follow === undefined && !readOnly;
  const clockWatch = isOwn ? new ClockWatch({ clock: guarded, backend, log }) : null;
  // Calls wait until they are answered; reads are answered by the reader thread.
  const callsWaiting = () => options.callsWaiting() + backend.reads.waiting;
  const feed = new ChangeFeed();
  const jobs = new JobRegistry(clock, () => feed.touched());
  const indexBuilds = new IndexBuilds({ backend, jobs, clock, log, yieldToCalls, callsWaiting });
  const imports = new Imports(embeddedImport(backend, clock), jobs, clock, log, yieldToCalls);
  const bulkChanges = new BulkChanges({ backend, jobs, clock, log, yieldToCalls });
  const meters = new MeterRegistry();
  const upkeep = new ChangeLogCompaction({ backend, clock, log, yieldToCalls });
  const statistics = new DailyStatistics({ fileCare: backend.fileCare, clock, log, yieldToCalls });
  const minutes = new MinuteRecorder({ backend, meters, clock, log, yieldToCalls });
  const webhook = new WebhookSender({ file: new WebhookFile(backend.file), clock, log });
  const alerts = new AlertWatch({
    backend,
    clock,
    log,
    isWanted: () => webhook.isOn,
    send: news => webhook.send(news),
    delivered: webhook.delivered,
    ...(options.onAlerts === undefined ? {} : { onCheck: options.onAlerts }),
  });
  const pace = new CallPace(options.clock, options.callsArrived ?? (() => 0));
  const reaper = new Reaper({
    store: backend.expiry,
    clock,
    log,
    meters,
    yieldToCalls,
    settled: () => backend.settled(),
    suspended: () => backend.fileCare.suspended,
    callsWaiting,
    areCallsFrequent: () => pace.isBusy,
    onChange: () => feed.touched(),
  });

  const stopListening = backend.onCommit(commit => {
    backend.reads.committed();
    meters.committed(commit.changes, commit.at);
    for (const collection of commit.collections)
      if (!backend.hasCollection(collection)) meters.delete(collection);
    if (isOwn) reaper.wake(commit.collections);
    feed.committed(commit);
  });
  const stopHearing = connections.onChange(() => feed.touched());
  const fullDiskLog = new FullDiskLog({ disk: backend.disk, file: backend.file, log });
  const stopFullDiskLog = fullDiskLog.start(() => {
    feed.touched();
    if (backend.disk.full === null && isOwn) indexBuilds.startPending();
  });
  const { replica } = backend;
  const leaderStatus =
    follow === undefined || replica === null
      ? null
      : new Follower({
          ...follow,
          replica,
          purges: backend.purges,
          revision: () => backend.revision,
          time: leaderTime,
          clock: options.clock,
          log,
          yieldToCalls,
          onChange: () => feed.touched(),
        });
  // Runs neither in a mirror, in which the leader's log replaces reaper and builds, nor in a read-only store.
  if (isOwn) {
    clockWatch?.start();
    reaper.start();
    indexBuilds.startPending();
    alerts.start();
  } else leaderStatus?.start();
  if (readOnly) followTrustedTime(guarded, backend);
  else {
    upkeep.start();
    statistics.start();
    minutes.start();
  }

  const calls = { backend, clock, reaper, indexBuilds, clockWatch, meters, readOnly };
  return {
    engine: {
      kind: 'embedded',
      backend,
      ttlIndexes: new EmbeddedTtlIndexes(calls),
      reaperCalls: new EmbeddedReaperCalls(calls),
      reaper,
      jobs,
      backupSlots: new Slots({ most: 1, mostWaiting: MOST_WAITING_BACKUPS, what: 'backups of this store' }),
      scanSlots: {
        page: new CallerSlots(SCANS_OF_TOKENS.page),
        preview: new CallerSlots(SCANS_OF_TOKENS.preview),
      },
      imports,
      indexBuilds,
      bulkChanges,
      feed,
      meters,
      minutes,
      clock,
      clockWatch,
      log,
      version,
      alerts,
      webhook,
      leaderStatus,
      connections,
      readOnly,
      audit: new AuditLog(file, options.clock, log),
      expectedPolicy: new ExpectedPolicyFile(file),
      folders: {
        backups: options.folders?.backups ?? dirname(file),
        stores: options.folders?.stores ?? dirname(file),
        secrets: options.folders?.secrets,
      },
      servers: options.servers ?? [],
      yieldToCalls,
    },
    async stop() {
      await alerts.stop();
      webhook.stop();
      await leaderStatus?.stop();
      imports.stop();
      await bulkChanges.stop();
      await jobs.stop();
      await indexBuilds.stop();
      await upkeep.stop();
      await statistics.stop();
      await reaper.stop();
      if (!readOnly) await minutes.stop();
      await clockWatch?.stop();
      stopListening();
      stopHearing();
      stopFullDiskLog();
      await backend.close();
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

async function atMost(ms: number, event: Promise<void>, clock: Clock): Promise<void> {
  let cancel = () => {};
  const over = new Promise<void>(resolve => {
    cancel = clock.setTimer(ms, resolve);
  });
  await Promise.race([event, over]);
  cancel();
}

/** Continues the trusted time of the last opening, also for a read-only store [R10]. */
function followTrustedTime(clock: GuardedClock, { openings: { last } }: EmbeddedBackend): void {
  if (last !== null) clock.resume(last.at, last.clockOffsetMs);
}

import type { Folders } from '../access/allowed-folders.ts';
import type { AuditLog } from '../access/audit-log.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerSlots } from '../access/caller-concurrency-limit.ts';
import type { Slots } from '../access/concurrency-limit.ts';
import type { AllowedServers } from '../access/server-address.ts';
import type { EmbeddedBackend, RemoteBackend } from '../backends/backend.ts';
import type { MeterRegistry } from '../expiry/meters.ts';
import type { Reaper } from '../expiry/reaper.ts';
import type { ChangeFeed } from '../feeds/change-feed.ts';
import type { ExpectedPolicyFile } from '../files/expected-policy-file.ts';
import type { BulkChanges } from '../jobs/bulk-changes.ts';
import type { Imports } from '../jobs/imports.ts';
import type { IndexBuilds } from '../jobs/index-builds.ts';
import type { JobRegistry } from '../jobs/job-registry.ts';
import type { AlertWatch } from '../monitoring/alert-watch.ts';
import type { ClockWatch } from '../monitoring/clock-watch.ts';
import type { MinuteRecorder } from '../monitoring/minute-recorder.ts';
import type { WebhookSender } from '../monitoring/webhook-sender.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Connections } from '../protocol/connection-calls.ts';
import type { LeaderStatus } from '../replication/leader-status.ts';
import type { ReaperCalls } from './reaper-calls.ts';
import type { EmbeddedTtlIndexCalls, TtlIndexCalls } from './ttl-index-calls.ts';

/** The parts that every open connection has. */
export interface EngineServices {
  readonly jobs: JobRegistry;
  /** Limits how many scans each token runs at once [X3]. */
  readonly scanSlots: { readonly page: CallerSlots; readonly preview: CallerSlots };
  readonly bulkChanges: BulkChanges;
  readonly imports: Imports;
  readonly feed: ChangeFeed;
  readonly meters: MeterRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** The connections of the host, this one among them. */
  readonly connections: Connections;
  /** True if all writes to the store are refused, even with permission [P2]. */
  readonly readOnly: boolean;
  /** Records actions on tokens, backups and connections, and refusals. */
  readonly audit: AuditLog;
  /** The policy that the store is compared with. */
  readonly expectedPolicy: ExpectedPolicyFile;
  /** Folders in which callers from the network name files [P1]. */
  readonly folders: Folders;
  /** Servers that callers from the network may connect to, beside those of this machine [P1]. */
  readonly servers: AllowedServers;
  readonly ttlIndexes: TtlIndexCalls;
  readonly reaperCalls: ReaperCalls;
  /** Resolves when waiting calls have run; called between two steps of long work. */
  yieldToCalls(): Promise<void>;
}

/** Sandglass's own store, open, and its services. */
export interface EmbeddedEngine extends EngineServices {
  readonly kind: 'embedded';
  readonly backend: EmbeddedBackend;
  readonly ttlIndexes: EmbeddedTtlIndexCalls;
  readonly reaper: Reaper;
  /** At most one backup runs at a time. */
  readonly backupSlots: Slots;
  readonly indexBuilds: IndexBuilds;
  readonly alerts: AlertWatch;
  readonly webhook: WebhookSender;
  readonly minutes: MinuteRecorder;
  /** Null: the store follows its leader's time, or is read-only. */
  readonly clockWatch: ClockWatch | null;
  /** The leader that the store mirrors; null: the store is no mirror [V5]. */
  readonly leaderStatus: LeaderStatus | null;
}

/** A remote store, and its services. */
export interface RemoteEngine extends EngineServices {
  readonly kind: 'remote';
  readonly backend: RemoteBackend;
  /** Null: no figures per minute are kept for this engine. */
  readonly minutes: MinuteRecorder | null;
}

/** The engine of a connection, as handlers receive it. */
export type Engine = EmbeddedEngine | RemoteEngine;

export type { Caller } from '../access/caller.ts';

export interface Context {
  readonly engine: Engine;
  readonly caller: Caller;
  /** Aborts when the caller’s port has closed: its window, program or connection is gone. */
  readonly gone?: AbortSignal;
}

import type { Folders } from '../access/allowed-folders.ts';
import type { AuditLog } from '../access/audit-log.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerSlots } from '../access/caller-concurrency-limit.ts';
import type { Slots } from '../access/concurrency-limit.ts';
import type { Backend } from '../backends/backend.ts';
import type { MeterRegistry } from '../expiry/meters.ts';
import type { Reaper } from '../expiry/reaper.ts';
import type { ChangeFeed } from '../feeds/change-feed.ts';
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

/** The open store and its services, as every handler receives them. */
export interface Engine {
  readonly backend: Backend;
  readonly reaper: Reaper;
  readonly jobs: JobRegistry;
  /** At most one backup runs at a time. */
  readonly backupSlots: Slots;
  /** Limits how many scans each token runs at once [X3]. */
  readonly scanSlots: { readonly page: CallerSlots; readonly preview: CallerSlots };
  readonly imports: Imports;
  readonly indexBuilds: IndexBuilds;
  readonly bulkChanges: BulkChanges;
  readonly alerts: AlertWatch;
  readonly webhook: WebhookSender;
  readonly feed: ChangeFeed;
  readonly meters: MeterRegistry;
  readonly minutes: MinuteRecorder;
  readonly clock: Clock;
  /** Null: the store follows its leader's time, or is read-only. */
  readonly clockWatch: ClockWatch | null;
  readonly log: Logger;
  readonly version: string;
  /** The leader that the store mirrors; null: the store is no mirror [V5]. */
  readonly leaderStatus: LeaderStatus | null;
  /** The connections of the host, this store's among them. */
  readonly connections: Connections;
  /** Nothing is written to the store, whatever the caller's permission [P2]. */
  readonly readOnly: boolean;
  /** Records actions on tokens, backups and connections, and refusals. */
  readonly audit: AuditLog;
  /** Folders in which callers from the network name files [P1]. */
  readonly folders: Folders;
  /** Runs waiting calls between two steps of long work. */
  yieldToCalls(): Promise<void>;
}

export type { Caller } from '../access/caller.ts';

export interface Context {
  readonly engine: Engine;
  readonly caller: Caller;
  /** Aborts when the caller’s port has closed: a window, program or connection is gone. */
  readonly gone?: AbortSignal;
}

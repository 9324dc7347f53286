import type { Folders } from '../access/allowed-folders.ts';
import type { AuditLog } from '../access/audit-log.ts';
import type { Caller } from '../access/caller.ts';
import type { CallerSlots } from '../access/caller-slots.ts';
import type { Slots } from '../access/slots.ts';
import type { Backend } from '../backends/backend.ts';
import type { MeterRegistry } from '../expiry/meters.ts';
import type { Reaper } from '../expiry/reaper.ts';
import type { ChangeFeed } from '../feeds/change-feed.ts';
import type { BulkChanges } from '../jobs/bulk-changes.ts';
import type { ImportBook } from '../jobs/imports.ts';
import type { Backfills } from '../jobs/index-builds.ts';
import type { JobBook } from '../jobs/job-registry.ts';
import type { AlertWatch } from '../monitoring/alert-watch.ts';
import type { ClockWatch } from '../monitoring/clock-watch.ts';
import type { MinuteRecorder } from '../monitoring/minute-recorder.ts';
import type { WebhookSender } from '../monitoring/webhook-sender.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Connections } from '../protocol/connection-calls.ts';
import type { Following } from '../replication/leader-status.ts';

/** What every handler is given: the open store and what works on it. */
export interface Engine {
  readonly backend: Backend;
  readonly reaper: Reaper;
  readonly jobs: JobBook;
  /** Whose turn it is to write a backup. */
  readonly backupSlots: Slots;
  /** How many scans of each token go on at once [X3]. */
  readonly scanSlots: { readonly page: CallerSlots; readonly preview: CallerSlots };
  readonly imports: ImportBook;
  readonly backfills: Backfills;
  readonly bulkChanges: BulkChanges;
  readonly alerts: AlertWatch;
  readonly webhook: WebhookSender;
  readonly feed: ChangeFeed;
  readonly meters: MeterRegistry;
  readonly minutes: MinuteRecorder;
  readonly clock: Clock;
  /** Null: the store mirrors another, and judges by that one's time, or nothing is written to it. */
  readonly clockWatch: ClockWatch | null;
  readonly log: Logger;
  readonly version: string;
  /** The leader that the store mirrors; null: it is a store of its own [V5]. */
  readonly following: Following | null;
  /** The stores that the host holds, this one among them. */
  readonly connections: Connections;
  /** Nothing is written to the store, whoever asks [P2]. */
  readonly readOnly: boolean;
  /** What was done with tokens, backups and connections, and what was refused. */
  readonly audit: AuditLog;
  /** Where callers from the network name files [P1]. */
  readonly folders: Folders;
  /** Lets waiting calls in between two parts of long work. */
  giveWay(): Promise<void>;
}

export type { Caller } from '../access/caller.ts';

export interface Context {
  readonly engine: Engine;
  readonly caller: Caller;
}

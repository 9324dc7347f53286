import { basename } from 'node:path';
import type { Alert, AlertEvent } from '../../../shared/contract/alerts.ts';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { formatBytes, formatCount, formatDuration } from '../../../shared/model/format.ts';
import { formatHold } from '../../../shared/model/hold.ts';
import type { EmbeddedBackend } from '../backends/backend.ts';
import { syncFailed } from '../files/sync-error.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { AlertChanges } from '../protocol/alert-changes.ts';

const CHECK_EVERY_MS = 10_000;
/** Longest lag of the reaper without an alert. */
const OVERDUE_MS = 60_000;

export interface AlertWatchOptions {
  backend: EmbeddedBackend;
  clock: Clock;
  log: Logger;
  /** Returns whether `send` has a receiver now. */
  isWanted(): boolean;
  send(news: AlertEvent): void;
  /** Alerts that `send` reported as beginning before the store was opened, and not as ended. */
  delivered?: readonly Alert[];
  /** Receives all active alerts after every check. Without it the store is checked only while `isWanted`. */
  onCheck?: (active: readonly Alert[]) => void;
}

/**
 * Checks the store every ten seconds for states that need attention; reports each once when it begins and once when
 * it ends.
 */
export class AlertWatch {
  readonly #options: AlertWatchOptions;
  readonly #reported: AlertChanges;
  #cancelTimer: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
    this.#reported = new AlertChanges(options.delivered);
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.setTimer(CHECK_EVERY_MS, () => {
      this.#running = this.check().then(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  /** Returns the active alerts. */
  async active(): Promise<Alert[]> {
    const { backend, clock } = this.#options;
    const now = clock.now();
    const summaries = await backend.reads.summaries(null, now);
    const { full, syncFailure } = backend.disk;
    const disk: Alert[] =
      full === null
        ? []
        : [
            {
              id: 'disk full',
              kind: 'disk full',
              collection: null,
              message: `The disk is full: ${formatBytes(full.freeBytes)} are free, ${formatBytes(full.neededBytes)} are needed before writes are accepted again.`,
              since: full.since,
            },
          ];
    const sync: Alert[] =
      syncFailure === null
        ? []
        : [
            {
              id: 'sync failed',
              kind: 'sync failed',
              collection: null,
              message: syncFailed(backend.file, { isInDoubt: false, problem: syncFailure.problem }).message,
              since: syncFailure.since,
            },
          ];
    const holds = backend.holds.list().map(hold => ({
      id: `held/${hold.id}`,
      kind: 'held' as const,
      collection: hold.collection,
      message: formatHold(hold),
      since: hold.since,
    }));
    return [...disk, ...sync, ...holds, ...summaries.flatMap(summary => alertsOf(summary, now))];
  }

  async check(): Promise<void> {
    const { isWanted, send, onCheck, clock, log, backend } = this.#options;
    if (!isWanted()) {
      this.#reported.clear();
      if (onCheck === undefined) return;
    }
    try {
      const active = await this.active();
      onCheck?.(active);
      if (!isWanted()) return;
      const at = clock.now();
      const store = basename(backend.file);
      for (const change of this.#reported.take(active)) send({ ...change, at, store });
    } catch (error) {
      log.error('alerts could not be checked; retrying in ten seconds', errorFields(error));
    }
  }
}

function alertsOf(summary: CollectionSummary, now: number): Alert[] {
  const { name: collection, state, overdue, actionDueAt, quarantined } = summary;
  const alerts: Alert[] = [];
  if (state === 'running' && actionDueAt !== null && now - actionDueAt > OVERDUE_MS) {
    alerts.push({
      id: `overdue/${collection}`,
      kind: 'overdue',
      collection,
      message: `${formatCount(overdue)} documents of ${collection} are overdue, the oldest by ${formatDuration(now - actionDueAt)}.`,
      since: actionDueAt,
    });
  }
  if (quarantined > 0) {
    alerts.push({
      id: `quarantined/${collection}`,
      kind: 'quarantined',
      collection,
      message: `${formatCount(quarantined)} documents of ${collection} are quarantined: their action failed to remove or postpone them.`,
      since: now,
    });
  }
  return alerts;
}

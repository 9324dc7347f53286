import type { Pass } from '../../../../../../shared/contract/reaper.ts';
import { cronProblem } from '../../../../expiry/schedule/cron-ticks.ts';
import { tickInterval } from '../../../../expiry/schedule/ticks.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import type { TtlJob } from '../server/ttl-jobs.ts';
import { TTL_NAME } from '../ttl/ttl-definition.ts';
import { DEFAULT_CRON, type TtlParameters } from '../ttl/ttl-parameters.ts';

/** Returns the jobs that ran on a table. */
export function jobsOfTable(jobs: readonly TtlJob[], { name }: Pick<TableEntry, 'name'>): TtlJob[] {
  return jobs.filter(({ table }) => table?.schema === name.schema && table.table === name.table);
}

/** Whether the job runs: it has not ended, and is not paused. */
export function isRunning({ finishedAt, status }: TtlJob): boolean {
  return finishedAt === null && /^(running|retry-running|pending)$/.test(status);
}

/** Returns the interval from the last run to the next one, ms; null: the crontab line cannot be read here. */
export function passInterval(
  { ttl_job_cron: cron = DEFAULT_CRON }: TtlParameters,
  now: number,
): number | null {
  const line = { cron, timeZone: 'UTC' };
  return cronProblem(line, now) === null ? tickInterval({ schedule: { mode: 'cron', ...line } }, now) : null;
}

/** Returns the jobs that ended as passes, whose number is the microsecond at which the job was created. */
export function passesOf(jobs: readonly TtlJob[], tables: readonly TableEntry[]): Pass[] {
  return jobs.flatMap(job => {
    const { createdAt, startedAt, finishedAt, removed, error } = job;
    if (finishedAt === null) return [];
    const entry = tables.find(
      ({ name }) => job.table?.schema === name.schema && job.table.table === name.table,
    );
    const began = Math.round(startedAt ?? createdAt);
    return [
      {
        id: Math.round(createdAt * 1_000),
        collection: entry?.collection ?? job.table?.table ?? '(unknown)',
        trigger: 'cron' as const,
        startedAt: began,
        endedAt: Math.max(began, Math.round(finishedAt)),
        cutoff: Math.round(createdAt),
        removed: removed ?? 0,
        ...(removed === null && { isUncounted: true as const }),
        changed: 0,
        quarantined: 0,
        byIndex: { [TTL_NAME]: removed ?? 0 },
        batches: 0,
        longestBatchMs: 0,
        ending: endingOf(job),
        error,
      },
    ];
  });
}

function endingOf({ status }: TtlJob): Pass['ending'] {
  if (status === 'succeeded') return 'drained';
  return status === 'canceled' ? 'stopped' : 'error';
}

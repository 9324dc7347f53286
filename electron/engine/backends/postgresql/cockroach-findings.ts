import type { EngineFinding } from '../../../../shared/contract/capabilities.ts';
import { jobsOfTable, passInterval } from './cockroach/deadlines/ttl-passes.ts';
import type { TableTtl, TtlSnapshot } from './cockroach/deadlines/ttl-watch.ts';
import type { CockroachFacts } from './cockroach/server/cockroach-facts.ts';
import { secondsOf } from './cockroach/ttl/interval.ts';
import { type FindingsInput, plain } from './postgres-findings.ts';

interface CockroachFindingsInput {
  readonly facts: CockroachFacts;
  readonly target: FindingsInput['target'];
  readonly snapshot: TtlSnapshot;
  /** Epoch ms. */
  readonly now: number;
}

const DAY_MS = 86_400_000;

export const NOT_RUN_LIVE: EngineFinding = {
  id: 'not run live',
  severity: 'warning',
  sentence:
    'Sandglass was not run against a live CockroachDB server: what it reads and writes there is tested against shapes of the public documentation.',
  advice: 'Read the SQL of a change before you make it.',
};

/** Returns the facts about a cluster and its TTLs that concern expiry. */
export function cockroachFindings(input: CockroachFindingsInput): EngineFinding[] {
  const { facts, target, snapshot } = input;
  const tables = [...snapshot.tables.values()];
  return [
    NOT_RUN_LIVE,
    plain({ facts, target, tables: [] }),
    disabled(facts),
    unreadable(snapshot),
    ...tables.flatMap(table => ofTable(table, input)),
    withoutStatistics(tables),
  ].filter(finding => finding !== null);
}

function disabled({ isTtlEnabled }: CockroachFacts): EngineFinding | null {
  if (isTtlEnabled !== false) return null;
  return {
    id: 'ttl jobs off',
    severity: 'warning',
    sentence: 'TTL jobs are off for the whole cluster: no row is removed.',
    advice: 'SET CLUSTER SETTING sql.ttl.job.enabled = true',
  };
}

function unreadable({ jobs, canReadSchedules }: TtlSnapshot): EngineFinding | null {
  if (jobs !== null && canReadSchedules) return null;
  const what = jobs === null ? (canReadSchedules ? 'jobs' : 'jobs and schedules') : 'schedules';
  return {
    id: 'history not readable',
    severity: 'info',
    sentence: `This user may not read the ${what} of row-level TTL: failures and pauses of schedules are not shown.`,
    advice: 'GRANT SYSTEM VIEWJOB to the user, for jobs; schedules are shown to members of admin.',
  };
}

function ofTable(
  { entry, ttl, paused, figures, schedule }: TableTtl,
  { snapshot, now }: CockroachFindingsInput,
) {
  const { collection } = entry;
  const found: EngineFinding[] = [];
  const [latest] = jobsOfTable(snapshot.jobs ?? [], entry).filter(({ finishedAt }) => finishedAt !== null);
  if (paused !== null)
    found.push({
      id: `paused: ${collection}`,
      severity: 'warning',
      sentence: `The TTL of ${collection} is paused${schedule?.isPaused === true ? ' by its schedule' : ''}: its rows stay past their deadline.`,
      advice: 'Resume it on its page.',
      remedy: 'reaper',
    });
  if (latest !== undefined && (latest.status === 'failed' || latest.error !== null))
    found.push({
      id: `job failed: ${collection}`,
      severity: 'warning',
      sentence: `The last TTL job of ${collection} failed: ${latest.error ?? latest.status}.`,
      advice: 'The next run of its schedule tries again.',
    });
  const every = passInterval(ttl, now);
  const lives = ttl.ttl_expire_after === undefined ? null : secondsOf(ttl.ttl_expire_after);
  const isRare = every !== null && (every > DAY_MS + 1_000 || (lives !== null && every > lives * 1_000));
  if (isRare)
    found.push({
      id: `runs rarely: ${collection}`,
      severity: 'info',
      sentence: `The TTL job of ${collection} runs more rarely than its rows expire: they stay up to ${Math.round(every / 3_600_000)} h past their deadline.`,
      advice: 'Set ttl_job_cron to a shorter interval, such as 0 */4 * * *.',
    });
  if (figures === null)
    found.push({
      id: `not counted: ${collection}`,
      severity: 'info',
      sentence: `The rows of ${collection} are not counted yet, or take longer than a statement may: figures of its TTL are 0.`,
      advice: null,
    });
  return found;
}

function withoutStatistics(tables: readonly TableTtl[]): EngineFinding | null {
  const found = tables.filter(({ ttl }) => ttl.ttl_row_stats_poll_interval === undefined);
  if (found.length === 0) return null;
  return {
    id: 'no statistics of jobs',
    severity: 'info',
    sentence: `TTL jobs of ${found.length === 1 ? 'one table' : `${found.length} tables`} report no counts of expired rows to the metrics of the cluster.`,
    advice: 'Set ttl_row_stats_poll_interval where these metrics are watched.',
  };
}

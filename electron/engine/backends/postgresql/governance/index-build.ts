import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { IndexBuild } from '../../backend.ts';
import { quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { type DeadlineSql, deadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { RowSource } from '../governed/definition.ts';
import { buildIndex, readBuildProgress } from '../governed/index-build/build-index.ts';
import { isServedByIndex } from '../governed/preview/index-advice.ts';
import { type GovernedTable, readLeaves } from '../governed/table-facts.ts';
import type { GovernanceWatch } from './governance-watch.ts';

interface Parts {
  readonly pool: SessionPool;
  readonly watch: GovernanceWatch;
}

/** A build may wait for transactions of others, ms. */
const LONGEST_MS = 24 * 3_600_000;
const PROGRESS_EVERY_MS = 300;

/**
 * Prepares the index that the scan of a source lacks. Rejects with EXPECTATION_FAILED if there is one, PERMISSION_DENIED if the
 * user of the connection does not own the table.
 */
export async function prepareIndexBuild(
  session: Session,
  parts: Parts,
  table: GovernedTable,
  source: RowSource,
): Promise<IndexBuild> {
  const deadlines = await deadlineSql(session, table, source);
  if (await isServedByIndex(session, table, deadlines))
    throw new SandglassError(
      'EXPECTATION_FAILED',
      `An index of ${table.collection} gives these deadlines in order already.`,
      { collection: table.collection },
    );
  const { rows } = await session.query<{ isOwner: boolean; rows: number }>(
    `SELECT pg_has_role(c.relowner, 'USAGE') AS "isOwner", (SELECT coalesce(sum(greatest(l.reltuples, 0)), 0)::float8
        FROM pg_catalog.pg_class l WHERE l.oid = c.oid OR l.oid IN (SELECT relid FROM pg_partition_tree(c.oid) WHERE isleaf)) AS rows
      FROM pg_catalog.pg_class c WHERE c.oid = $1::oid`,
    [table.oid],
  );
  const { isOwner = false, rows: estimated = 0 } = rows[0] ?? {};
  if (!isOwner)
    throw new SandglassError(
      'PERMISSION_DENIED',
      `Only the owner of ${table.collection} creates an index on it, and the PostgreSQL user of this connection is not.`,
      { collection: table.collection },
    );
  const leaves = (await readLeaves(session, table)).length;
  return {
    subject: `${quoteTable(table.name)} (${deadlines.indexed})`,
    rows: Math.round(estimated),
    run: (signal, onProgress) => run(parts, { table, deadlines, leaves, signal, onProgress }),
  };
}

interface Run {
  readonly table: GovernedTable;
  readonly deadlines: DeadlineSql;
  readonly leaves: number;
  readonly signal: AbortSignal;
  readonly onProgress: Parameters<IndexBuild['run']>[1];
}

async function run(
  { pool, watch }: Parts,
  { table, deadlines, leaves, signal, onProgress }: Run,
): Promise<void> {
  const session = await pool.open({
    name: 'sandglass index build',
    readOnly: false,
    statementTimeoutMs: LONGEST_MS,
    lockTimeoutMs: LONGEST_MS,
  });
  let built = 0;
  const ended = new AbortController();
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const processId = rows[0]?.pid ?? 0;

  /** A cancellation that arrives between two statements has no effect, and is repeated. */
  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      if (signal.aborted) await pool.query('SELECT pg_cancel_backend($1)', [processId]);
      const progress = await pool.use(reading => readBuildProgress(reading, processId));
      if (progress !== null && !ended.signal.aborted)
        onProgress({
          share: Math.min(1, (built + progress.share) / Math.max(1, leaves)),
          waits: progress.waits,
        });
      await watch.sleep(PROGRESS_EVERY_MS, AbortSignal.any([ended.signal, signal]));
    }
  }

  // A progress that cannot be read does not end the build.
  const following = follow().catch(() => {});
  try {
    await buildIndex(session, table, deadlines, {
      check: () => signal.throwIfAborted(),
      onBuilt: count => {
        built = count;
      },
      async onEnded() {
        ended.abort();
        await following;
      },
    });
  } finally {
    ended.abort();
    await following;
    await session.close();
  }
}

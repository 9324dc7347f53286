import { sqlStateOf } from '../../connection/postgres-failure.ts';
import type { TableName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import { tokensOf } from '../ttl/sql-literal.ts';

/** One run of row-level TTL on a table. Instants in epoch ms. */
export interface TtlJob {
  readonly id: string;
  /** Null: its description names none, as in version 22.1. */
  readonly table: JobTable | null;
  /** `succeeded`, `failed`, `running`, `paused`, … */
  readonly status: string;
  readonly createdAt: number;
  /** Null: it has not begun. */
  readonly startedAt: number | null;
  /** Null: it runs. */
  readonly finishedAt: number | null;
  readonly error: string | null;
  /** Null: this user may not read it. */
  readonly removed: number | null;
}

interface JobTable extends TableName {
  readonly database: string;
}

export interface JobRow {
  id: string;
  description: string;
  status: string;
  created: number;
  started: number | null;
  finished: number | null;
  error: string | null;
}

const instant = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;

/**
 * Returns the latest jobs, newest first; null: this user may not read them. `before`: only those created earlier, epoch µs. Whole
 * microseconds, since a fraction of a float is not the same after a round trip.
 */
export async function readTtlJobs(
  session: Session,
  { before, limit }: { before: number | null; limit: number },
): Promise<TtlJob[] | null> {
  const rows = await rowsOf<JobRow>(
    session,
    `SELECT j.job_id::text AS id, j.description, j.status, ${instant('j.created')} AS created, ${instant('j.started')} AS started,
        ${instant('j.finished')} AS finished, j.error
      FROM crdb_internal.jobs AS j WHERE j.job_type = 'ROW LEVEL TTL' AND ($1::int8 IS NULL OR round(extract(epoch FROM j.created) * 1000000)::int8 < $1::int8)
      ORDER BY j.created DESC LIMIT $2`,
    [before, limit],
  );
  if (rows === null) return null;
  const removed = await readRemoved(
    session,
    rows.map(({ id }) => id),
  );
  return rows.map(row => jobOf(row, removed.get(row.id) ?? null));
}

/** Returns a job as it is read. @internal */
export function jobOf(row: JobRow, removed: number | null): TtlJob {
  const { id, description, status, created, started, finished, error } = row;
  return {
    id,
    table: tableOf(description),
    status,
    createdAt: created,
    startedAt: started,
    finishedAt: finished,
    error: error === null || error === '' ? null : error,
    removed,
  };
}

/** Reads the first line of a description: `ttl for defaultdb.public."Table-Name"`. */
function tableOf(description: string): JobTable | null {
  const [line = ''] = description.split('\n');
  const [, name] = /^ttl for (.+)$/.exec(line.trim()) ?? [];
  if (name === undefined) return null;
  const parts: string[] = [''];
  for (const { kind, text } of tokensOf(name)) {
    if (text === '.') parts.push('');
    else
      parts.push(`${parts.pop() ?? ''}${kind === 'name' ? text.slice(1, -1).replaceAll('""', '"') : text}`);
  }
  const [database, schema, table] = parts;
  return parts.length === 3 && database !== undefined && schema !== undefined && table !== undefined
    ? { database, schema, table }
    : null;
}

/** The progress of a job is a message of Protocol Buffers, which a member of admin or a role with VIEWJOB may read. */
async function readRemoved(session: Session, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ id: string; removed: string | null }>(
    session,
    `SELECT id::text AS id,
        crdb_internal.pb_to_json('cockroach.sql.jobs.jobspb.Progress', progress)->'rowLevelTtl'->>'jobDeletedRowCount' AS removed
      FROM crdb_internal.system_jobs WHERE id::text = ANY($1::text[])`,
    [ids],
  );
  // A count of 0 is left out of the message.
  return new Map((rows ?? []).map(({ id, removed }) => [id, Number(removed ?? 0)]));
}

/** Null: the server refuses the statement, as for lack of a privilege. */
export async function rowsOf<Row extends object>(
  session: Session,
  statement: string,
  params: readonly unknown[] = [],
): Promise<Row[] | null> {
  try {
    return (await session.query<Row>(statement, params)).rows;
  } catch (error) {
    if (sqlStateOf(error) === null) throw error;
    return null;
  }
}

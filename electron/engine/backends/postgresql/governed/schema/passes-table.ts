import type { PassEnding, PassTrigger } from '../../../../expiry/expiry-store.ts';
import type { Session } from '../../connection/session.ts';

/** A busy period of the reaper on one table [R7]. */
export interface TablePass {
  /** Null until it is stored. */
  id: number | null;
  readonly oid: number;
  /** Instants of the server's clock as text. */
  readonly startedAt: string;
  endedAt: string;
  readonly trigger: PassTrigger;
  cutoff: string;
  /** Rows by the name of the index. */
  readonly removed: Map<string, number>;
  batches: number;
  longestBatchMs: number;
  ending: PassEnding;
  error: string | null;
}

/** Stores a pass, or what has changed of it. */
export async function writePass(session: Session, pass: TablePass): Promise<void> {
  const { oid, startedAt, endedAt, trigger, cutoff, removed, batches, longestBatchMs, ending, error } = pass;
  const changing = [
    endedAt,
    cutoff,
    JSON.stringify(Object.fromEntries(removed)),
    batches,
    longestBatchMs,
    ending,
    error,
  ];
  if (pass.id !== null) {
    await session.query(
      `UPDATE sandglass.passes SET ended_at = $2, cutoff = $3, removed = $4, batches = $5, longest_batch_ms = $6,
        ending = $7, error = $8 WHERE id = $1`,
      [pass.id, ...changing],
    );
    return;
  }
  const { rows } = await session.query<{ id: number }>(
    `INSERT INTO sandglass.passes
      (relation, started_at, trigger, ended_at, cutoff, removed, batches, longest_batch_ms, ending, error)
      VALUES ($1::oid, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id::float8`,
    [oid, startedAt, trigger, ...changing],
  );
  pass.id = rows[0]?.id ?? null;
}

/** A pass as it is read back; instants in epoch ms. */
export interface StoredPass {
  readonly id: number;
  readonly oid: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly trigger: PassTrigger;
  readonly cutoff: number;
  readonly removed: Readonly<Record<string, number>>;
  readonly batches: number;
  readonly longestBatchMs: number;
  readonly ending: PassEnding;
  readonly error: string | null;
}

const ms = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;

const SELECT = `SELECT id::float8, relation::oid AS oid, ${ms('started_at')} AS "startedAt", ${ms('ended_at')} AS "endedAt",
  trigger, ${ms('cutoff')} AS cutoff, removed, batches, longest_batch_ms AS "longestBatchMs", ending, error
  FROM sandglass.passes`;

/** Returns passes, latest first: those of a table, or of all. `before`: the id of the last one of the page before. */
export async function readPasses(
  session: Session,
  { oid, before, limit }: { oid: number | null; before: number | null; limit: number },
): Promise<StoredPass[]> {
  const { rows } = await session.query<StoredPass>(
    `${SELECT} WHERE ($1::oid IS NULL OR relation = $1::oid) AND ($2::bigint IS NULL OR id < $2::bigint)
      ORDER BY id DESC LIMIT $3`,
    [oid, before, limit],
  );
  return rows;
}

/** Returns the passes of these ids, oldest first. */
export async function readPassesById(session: Session, ids: readonly number[]): Promise<StoredPass[]> {
  const { rows } = await session.query<StoredPass>(`${SELECT} WHERE id = ANY ($1::bigint[]) ORDER BY id`, [
    ids,
  ]);
  return rows;
}

const KEPT_DAYS = 90;

/** Deletes passes and counts that are older than they are kept [R7]. */
export async function deleteOldHistory(session: Session): Promise<void> {
  await session.query(
    `DELETE FROM sandglass.passes WHERE started_at < clock_timestamp() - interval '${KEPT_DAYS} days'`,
  );
  await session.query(`DELETE FROM sandglass.runs WHERE ended_at < clock_timestamp() - interval '1 day'`);
  await session.query(
    `DELETE FROM sandglass.minutes WHERE minute < clock_timestamp() - interval '${KEPT_DAYS} days'`,
  );
}

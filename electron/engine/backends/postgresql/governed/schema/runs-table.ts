import type { Session } from '../../connection/session.ts';

/** A pass that a person started [R6]. */
export interface AskedRun {
  readonly id: string;
  /** OID of a table; null: all of them. */
  readonly oid: number | null;
  /** A TTL index of the table; null: all of them. */
  readonly name: string | null;
}

/** How a pass that a person started went; `isStarted` false: no reaper has begun it. */
export interface RunProgress {
  readonly isStarted: boolean;
  readonly isEnded: boolean;
  readonly removed: number;
  readonly passIds: readonly number[];
  readonly error: string | null;
}

/** Asks the reaper of any instance for a pass. Returns its id. */
export async function askForRun(
  session: Session,
  { oid, name, by }: { oid: number | null; name: string | null; by: string },
): Promise<string> {
  const { rows } = await session.query<{ id: string }>(
    'INSERT INTO sandglass.runs (relation, name, asked_by) VALUES ($1::oid, $2, $3) RETURNING id::text',
    [oid, name, by],
  );
  return rows[0]?.id ?? '';
}

export async function readRun(session: Session, id: string): Promise<RunProgress | null> {
  const { rows } = await session.query<RunProgress>(
    `SELECT started_at IS NOT NULL AS "isStarted", ended_at IS NOT NULL AS "isEnded", removed::float8,
      to_jsonb(pass_ids) AS "passIds", error FROM sandglass.runs WHERE id = $1::bigint`,
    [id],
  );
  return rows[0] ?? null;
}

/** Withdraws a pass that no reaper has begun. Returns whether it was withdrawn. */
export async function withdrawRun(session: Session, id: string): Promise<boolean> {
  const { rowCount } = await session.query(
    'DELETE FROM sandglass.runs WHERE id = $1::bigint AND started_at IS NULL',
    [id],
  );
  return rowCount > 0;
}

/** Returns the oldest pass that was asked for and has not ended, and marks it as begun; null: there is none. */
export async function beginRun(session: Session): Promise<AskedRun | null> {
  const { rows } = await session.query<AskedRun>(
    `UPDATE sandglass.runs SET started_at = clock_timestamp()
      WHERE id = (SELECT id FROM sandglass.runs WHERE ended_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE)
      RETURNING id::text, relation::oid AS oid, name`,
  );
  return rows[0] ?? null;
}

export async function endRun(
  session: Session,
  { id }: AskedRun,
  { removed, passIds, error }: { removed: number; passIds: readonly number[]; error: string | null },
): Promise<void> {
  await session.query(
    `UPDATE sandglass.runs SET ended_at = clock_timestamp(), removed = $2::bigint, pass_ids = $3::bigint[], error = $4
      WHERE id = $1::bigint`,
    [id, removed, passIds, error],
  );
}

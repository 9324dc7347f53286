import type { Pause } from '../../../../../../shared/model/ttl-index.ts';
import type { Session } from '../../connection/session.ts';

/** Returns the pause of all removal in the database; null: it is not paused [R6]. */
export async function readDatabasePause(session: Session): Promise<Pause | null> {
  const { rows } = await session.query<{ by: string; since: number }>(
    `SELECT coalesce(paused_by, '') AS by, extract(epoch FROM paused_at)::float8 * 1000 AS since
      FROM sandglass.state WHERE paused_at IS NOT NULL`,
  );
  return rows[0] ?? null;
}

/** Pauses or, with null, resumes all removal in the database. It applies from the next batch. */
export async function setDatabasePause(session: Session, pause: Pause | null): Promise<void> {
  await session.query(
    `UPDATE sandglass.state SET paused_by = $1, paused_at = to_timestamp($2::float8 / 1000), revision = revision + 1`,
    [pause?.by ?? null, pause?.since ?? null],
  );
}

/** Records that the reaper works now [R9]. */
export async function recordReaping(session: Session): Promise<void> {
  await session.query('UPDATE sandglass.state SET reaped_at = clock_timestamp()');
}

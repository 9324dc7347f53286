import type { OwnSession, Session } from '../../connection/session.ts';
import { type LockHolder, LockLost } from '../batches/batch.ts';

/** Key of the advisory lock that the one reaper of a database holds, for as long as its session lasts. */
const REAPER_LOCK = 0x53474c02;

/**
 * The server notices a reaper whose machine is gone within about ten seconds, and releases its lock.
 * `enable_…` off: where an index gives the deadlines in order it is used, also before the first ANALYZE of a table. Else each batch would
 * read and sort all that is due. `plan_cache_mode`: a batch is planned once. Planned for its values, each would look for the
 * earliest value of the deadline's index, past the entries of all rows deleted before.
 */
const SETTINGS = `SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 10000;
  SET client_connection_check_interval = 2000;
  SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
  SET plan_cache_mode = force_generic_plan`;

/** Takes the reaper's lock of the database. Returns its holder; null: another session has it. */
export async function takeReaperLock(session: Session): Promise<LockHolder | null> {
  await session.query(SETTINGS);
  const { rows } = await session.query<{ held: boolean; pid: number; user: string }>(
    'SELECT pg_try_advisory_lock($1) AS held, pg_backend_pid() AS pid, session_user::text AS "user"',
    [REAPER_LOCK],
  );
  const [row] = rows;
  return row?.held === true ? { pid: row.pid, user: row.user } : null;
}

/**
 * Rejects with `LockLost` if a pooler such as PgBouncer is between and gives each transaction any server process: the lock and
 * the settings would stay with a process that others use. `open` opens another session.
 */
export async function checkNotPooled(session: OwnSession, open: () => Promise<OwnSession>): Promise<void> {
  const before = await processOf(session);
  if (session.processId === null || session.processId === before) return;
  const other = await open();
  try {
    // It gets the process that was used last, unless this session keeps it.
    await processOf(session);
    await other.query('BEGIN');
    const isShared = (await processOf(other)) === before || (await processOf(session)) !== before;
    if (isShared) throw new LockLost('A connection pooler changes the server process between transactions.');
  } finally {
    await other.close();
  }
}

async function processOf(session: Session): Promise<number | null> {
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? null;
}

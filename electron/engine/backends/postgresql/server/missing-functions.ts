import { sqlStateOf } from '../connection/postgres-failure.ts';
import type { Session } from '../connection/session.ts';

/** Functions that the reaper needs of a server, each with a statement that fails where it is missing and changes nothing. */
const NEEDED: readonly (readonly [name: string, statement: string])[] = [
  [
    'advisory locks',
    'SELECT CASE WHEN pg_try_advisory_lock(0, pg_backend_pid()) THEN pg_advisory_unlock(0, pg_backend_pid()) END',
  ],
  ['FOR UPDATE SKIP LOCKED', 'SELECT none.one FROM (SELECT 1 AS one) AS none FOR UPDATE SKIP LOCKED'],
  ['client_connection_check_interval', "SELECT current_setting('client_connection_check_interval')"],
];

/** Returns what a server lacks of what the reaper needs. */
export async function missingFunctions(session: Session): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, statement] of NEEDED) {
    try {
      await session.query(statement);
    } catch (error) {
      if (sqlStateOf(error) === null) throw error;
      missing.push(name);
    }
  }
  return missing;
}

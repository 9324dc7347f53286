import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import { SCHEMA_SQL, SCHEMA_VERSION } from './schema-sql.ts';

/**
 * State of the schema `sandglass` in a database. `absent` also if an earlier version made it: `SCHEMA_SQL` adds what it lacks.
 * `newer`: made by a later version of Sandglass, and left alone.
 */
export type SchemaState = 'absent' | 'present' | 'newer';

/** Key of the advisory lock under which the schema is made. */
const SCHEMA_LOCK = 0x53474c00;

export async function readSchemaState(session: Session): Promise<SchemaState> {
  const found = await session.query<{ exists: boolean }>(
    "SELECT to_regclass('sandglass.state') IS NOT NULL AS exists",
  );
  if (found.rows[0]?.exists !== true) return 'absent';
  const { rows } = await session.query<{ version: number }>('SELECT version FROM sandglass.state');
  const [row] = rows;
  if (row === undefined || row.version < SCHEMA_VERSION) return 'absent';
  return row.version > SCHEMA_VERSION ? 'newer' : 'present';
}

/** Executes `SCHEMA_SQL`, after a person has seen it. Throws STORE_TOO_NEW. */
export async function createSchema(session: Session): Promise<void> {
  await inTransaction(session, async () => {
    // CREATE … IF NOT EXISTS fails where two sessions execute it at once.
    await session.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    if ((await readSchemaState(session)) === 'newer')
      throw new SandglassError(
        'STORE_TOO_NEW',
        'The schema sandglass of this database was made by a later version of Sandglass.',
      );
    await session.query(SCHEMA_SQL);
  });
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import { SCHEMA_SQL } from '../governed/schema/schema-sql.ts';

/** The error of a change before the schema was created. */
export function schemaMissing(): SandglassError {
  return new SandglassError(
    'EXPECTATION_FAILED',
    'Sandglass keeps TTL indexes and expirations of rows in a schema named sandglass in this database, which does not exist yet. Look at its SQL (GET /api/governance), then create it (POST /api/governance).',
    { schema: 'absent', sql: SCHEMA_SQL },
  );
}

import { describe, expect, it } from 'vitest';
import { BY_COLUMN } from '../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../support/postgres.ts';
import { openTestPostgres } from '../../../../support/postgres-backend.ts';
import { runsHere } from '../../../../support/runs-here.ts';

describe.runIf(runsHere('openings of PostgreSQL', NEEDS_POSTGRES))('a database', { timeout: 90_000 }, () => {
  const postgres = postgresOfSuite();

  it('has its TTL indexes as soon as it is open', async () => {
    const uri = await postgres.database();
    const session = await openTestSession(uri);
    await session.query('CREATE TABLE rows (id int PRIMARY KEY, expires_at timestamptz)');
    const first = await openTestPostgres(uri);
    await first.governance.createSchema();
    await first.governance.create('rows', BY_COLUMN, { by: 'ada' });
    await first.close();
    const again = await openTestPostgres(uri);
    expect(await again.governance.indexes('rows')).toMatchObject([{ name: BY_COLUMN.name }]);
    expect(await again.governance.passes({ limit: 1 })).toMatchObject({ passes: [] });
    await again.governance.drop('rows', BY_COLUMN.name, 'ada');
  });
});

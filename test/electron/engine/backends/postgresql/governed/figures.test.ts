import { describe, expect, it } from 'vitest';
import {
  type GovernanceSnapshot,
  readSnapshot,
} from '../../../../../../electron/engine/backends/postgresql/governance/governance-snapshot.ts';
import { define, openGovernedDatabase } from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const AT = { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 } as const;
const START = Date.UTC(2026, 0, 1);

describe.runIf(runsHere('PostgreSQL', NEEDS_POSTGRES))('figures of a TTL index of a large table', () => {
  const postgres = postgresOfSuite();

  it('[D10] are exact below ten thousand overdue rows, and begin at the last earliest deadline above', async () => {
    const session = await openGovernedDatabase(await postgres.database());
    await session.query(`CREATE TABLE rows (id int PRIMARY KEY, at timestamptz, pad text);
      CREATE INDEX ON rows (at);
      INSERT INTO rows SELECT n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', repeat('x', 200)
        FROM generate_series(0, 30000) n;
      ANALYZE rows`);
    await define(session, 'rows', { source: AT });
    let snapshot: GovernanceSnapshot | undefined;
    const figures = async () => {
      snapshot = await readSnapshot(session, Date.now(), () => {}, snapshot);
      return snapshot.indexes.get('rows')?.[0]?.figures;
    };
    const before = await figures();
    expect(before?.earliestAt).toBe(START);
    expect(before?.overdue).toBeGreaterThanOrEqual(10_000);

    await session.query(`DELETE FROM rows WHERE id < 5000;
      INSERT INTO rows VALUES (-1, '2025-12-31T00:00:00Z', '')`);
    const later = await figures();
    expect(later?.earliestAt).toBe(START + 5_000_000);
    expect(later?.overdue).toBeGreaterThanOrEqual(10_000);

    await session.query('DELETE FROM rows WHERE id BETWEEN 0 AND 21000');
    const last = await figures();
    expect(last).toMatchObject({ earliestAt: Date.UTC(2025, 11, 31), overdue: 9_001 });
  });
});

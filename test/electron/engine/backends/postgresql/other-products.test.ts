import { describe, expect, it } from 'vitest';
import {
  isGoverned,
  postgresCapabilities,
} from '../../../../../electron/engine/backends/postgresql/postgres-capabilities.ts';
import { postgresFindings } from '../../../../../electron/engine/backends/postgresql/postgres-findings.ts';
import { missingFunctions } from '../../../../../electron/engine/backends/postgresql/server/missing-functions.ts';
import type { ServerFacts } from '../../../../../electron/engine/backends/postgresql/server/server-facts.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../support/postgres.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const YUGABYTE: ServerFacts = {
  product: 'YugabyteDB',
  version: '2.25.1.0',
  versionNumber: 150_012,
  user: 'yugabyte',
  isReplica: false,
  usesTls: true,
  isPooled: false,
  autovacuum: true,
  missing: [],
};

describe('YugabyteDB', () => {
  it('is governed as PostgreSQL, and a finding names what was not checked', () => {
    expect(isGoverned(YUGABYTE)).toBe(true);
    const target = { host: 'yugabyte.internal', sslMode: 'verify-full' } as const;
    const [finding] = postgresFindings({ facts: YUGABYTE, target, tables: [] });
    expect(finding).toMatchObject({ id: 'another product', severity: 'warning' });
    expect(finding?.sentence).toContain('not run against a live YugabyteDB');
  });

  it.each([
    [{ missing: ['advisory locks'] }, 'what this YugabyteDB does not have: advisory locks.'],
    [{ versionNumber: 110_002 }, 'PostgreSQL 14 or later'],
  ])('without what the reaper needs has no TTL indexes, for a reason: %j', (part, reason) => {
    const { features } = postgresCapabilities({ ...YUGABYTE, ...part });
    for (const feature of ['ttlIndexes', 'reaper', 'runPass', 'expiration'] as const)
      expect(features[feature]).toMatchObject({ is: 'no', because: expect.stringContaining(reason) });
  });
});

describe.runIf(runsHere('functions of PostgreSQL', NEEDS_POSTGRES))(
  'what the reaper needs of a server',
  () => {
    const server = postgresOfSuite();

    it('is all there on PostgreSQL', async () => {
      const session = await openTestSession(await server.database());
      expect(await missingFunctions(session)).toEqual([]);
      const { rows } = await session.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'");
      expect(rows).toEqual([]);
    });

    it('is missed where a function is refused, as advisory locks are by older YugabyteDB', async () => {
      const session = await openTestSession(await server.database());
      await session.query(`CREATE SCHEMA shadow;
      CREATE FUNCTION shadow.pg_try_advisory_lock(int, int) RETURNS boolean LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'advisory locks are not yet implemented' USING ERRCODE = '0A000'; END$$;
      SET search_path = shadow, pg_catalog`);
      expect(await missingFunctions(session)).toEqual(['advisory locks']);
    });
  },
);

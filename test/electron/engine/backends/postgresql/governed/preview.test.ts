import { describe, expect, it } from 'vitest';
import type { OwnSession } from '../../../../../../electron/engine/backends/postgresql/connection/session.ts';
import { deadlineSql } from '../../../../../../electron/engine/backends/postgresql/governed/deadline/deadline-sql.ts';
import { rowDefinition } from '../../../../../../electron/engine/backends/postgresql/governed/definition.ts';
import { estimatedPreview } from '../../../../../../electron/engine/backends/postgresql/governed/preview/estimated-preview.ts';
import { exactPreview } from '../../../../../../electron/engine/backends/postgresql/governed/preview/exact-preview.ts';
import {
  readDeleteTriggers,
  readReferringKeys,
  readReplicationFacts,
} from '../../../../../../electron/engine/backends/postgresql/governed/preview/table-effects.ts';
import { setRowExpirations } from '../../../../../../electron/engine/backends/postgresql/governed/schema/expirations-table.ts';
import {
  hideDuePolicy,
  hideDueView,
} from '../../../../../../electron/engine/backends/postgresql/governed/statements/hide-due.ts';
import { pgCronStatement } from '../../../../../../electron/engine/backends/postgresql/governed/statements/pg-cron.ts';
import { readTable } from '../../../../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import {
  countDue,
  estimateDue,
} from '../../../../../../electron/engine/backends/postgresql/governed/timeline/due-buckets.ts';
import { BY_COLUMN, countRows, openGovernedDatabase } from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

async function governed(session: OwnSession, collection: string) {
  const table = await readTable(session, collection);
  const definition = rowDefinition(BY_COLUMN);
  return { table, definition, deadlines: await deadlineSql(session, table, definition.source) };
}

describe.runIf(runsHere('previews of PostgreSQL tables', NEEDS_POSTGRES))(
  'previews of PostgreSQL tables',
  { timeout: 60_000 },
  () => {
    const postgres = postgresOfSuite();

    /** 20,000 rows: a quarter due, a quarter evenly over the next ten days, a quarter in a year, the others never. */
    async function filled() {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
        INSERT INTO sessions SELECT n, CASE n % 4 WHEN 0 THEN now() - n * interval '1 second'
          WHEN 1 THEN now() + n / 20000.0 * interval '10 days' WHEN 2 THEN now() + interval '365 days' END
        FROM generate_series(1, 20000) n; ANALYZE sessions`);
      return { session, ...(await governed(session, 'sessions')) };
    }

    it('[X3] counts exactly what is due now, by horizon and never, with the reasons', async () => {
      const { session, table, deadlines } = await filled();
      await setRowExpirations(session, table, [['4'], ['8']], { expiration: 'never', by: 'a' });
      await setRowExpirations(session, table, [['12']], { expiration: Date.now() + 3_600_000, by: 'a' });
      const preview = await exactPreview(session, table, deadlines, { hasSchema: true });
      expect(preview).toMatchObject({ isEstimate: false, rows: 20_000, dueAtOnce: 4_997 });
      expect(preview.never.count).toBe(5_003);
      expect(preview.never.reasons).toEqual(
        expect.arrayContaining([
          { reason: 'missing field', count: 5_000 },
          { reason: 'pinned', count: 2 },
          { reason: 'set by hand', count: 1 },
        ]),
      );
      const { nextHour, nextDay, nextWeek, later } = preview;
      expect(nextHour + nextDay + nextWeek + later).toBe(10_000);
      expect(nextHour).toBeGreaterThan(15);
      expect(nextHour).toBeLessThan(25);
      expect(nextDay).toBeGreaterThan(450);
      expect(nextDay).toBeLessThan(500);
      expect(preview.forecast.due.slice(0, 40).reduce((sum, due) => sum + due, 0)).toBe(5_000);
      expect(preview.forecast.due.every((due, i) => (i < 40 ? due > 120 && due < 130 : due === 0))).toBe(
        true,
      );
      expect((preview.nextDeadlineAt ?? 0) - preview.at).toBeLessThan(120_000);
    });

    it('estimates the same by the statistics of the planner, and says so', async () => {
      const { session, table, deadlines } = await filled();
      const estimate = await estimatedPreview(session, table, deadlines);
      expect(estimate).toMatchObject({ isEstimate: true, nextDeadlineAt: null });
      const exact = await exactPreview(session, table, deadlines, { hasSchema: true });
      const near = (value: number | undefined, wanted: number) =>
        expect(Math.abs((value ?? 0) - wanted)).toBeLessThan(500);
      near(estimate?.rows, exact.rows);
      near(estimate?.dueAtOnce, exact.dueAtOnce);
      near(estimate?.nextWeek, exact.nextWeek);
      near(estimate?.later, exact.later);
      near(estimate?.never.count, exact.never.count);
    });

    it('has no estimate of a table that was never analysed, and counts an empty table', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query('CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz)');
      const { table, deadlines } = await governed(session, 'sessions');
      expect(await estimatedPreview(session, table, deadlines)).toBeNull();
      expect(await exactPreview(session, table, deadlines, { hasSchema: true })).toMatchObject({
        rows: 0,
        dueAtOnce: 0,
      });
    });

    it('[X2] counts deadlines per bucket, and estimates them', async () => {
      const { session, table, deadlines } = await filled();
      const now = Date.now();
      const span = { from: now, to: now + 10 * 86_400_000, buckets: 10 };
      const exact = await countDue(session, table, deadlines, span, { hasSchema: true });
      expect(exact.isEstimate).toBe(false);
      expect(exact.before + exact.after + exact.due.reduce((sum, due) => sum + due, 0)).toBe(15_000);
      expect(exact.due.every(due => due > 450 && due < 550)).toBe(true);
      const estimate = await estimateDue(session, table, deadlines, span);
      expect(estimate?.due.every(due => due > 350 && due < 650)).toBe(true);
      expect(Math.abs((estimate?.before ?? 0) - exact.before)).toBeLessThan(500);
    });

    it('counts rows that refer to what is due, and finds triggers and publications', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query(`CREATE TABLE sessions (id int PRIMARY KEY, expires_at timestamptz);
        CREATE TABLE carts (session int REFERENCES sessions);
        CREATE TABLE "Log lines" (id int PRIMARY KEY, session int REFERENCES sessions ON DELETE CASCADE);
        CREATE INDEX ON "Log lines" (session);
        CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$;
        CREATE TRIGGER each_row AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION nothing();
        CREATE TRIGGER on_insert AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION nothing();
        INSERT INTO sessions SELECT n, now() + (n % 2 * 2 - 1) * interval '1 day' FROM generate_series(1, 10) n;
        INSERT INTO carts SELECT 1 + n % 2 FROM generate_series(1, 30) n;
        INSERT INTO "Log lines" SELECT n, 4 FROM generate_series(1, 7) n;
        CREATE PUBLICATION everything FOR ALL TABLES`);
      const { table, deadlines } = await governed(session, 'sessions');
      const keys = await readReferringKeys(session, table, deadlines);
      expect(keys).toMatchObject([
        { from: '"Log lines"', columns: ['session'], onDelete: 'CASCADE', isIndexed: true, rows: 7 },
        { from: 'carts', columns: ['session'], onDelete: 'NO ACTION', isIndexed: false, rows: 15 },
      ]);
      expect(await readDeleteTriggers(session, table)).toEqual([{ name: 'each_row', each: 'row' }]);
      const facts = await readReplicationFacts(session, table);
      expect(facts).toEqual({
        publications: ['everything'],
        hasNoIdentity: false,
        publishesWholeRows: false,
      });
      await session.query('ALTER TABLE sessions REPLICA IDENTITY FULL');
      expect(await readReplicationFacts(session, table)).toMatchObject({ publishesWholeRows: true });
      await session.query('ALTER TABLE sessions REPLICA IDENTITY NOTHING');
      expect(await readReplicationFacts(session, table)).toMatchObject({ hasNoIdentity: true });
    });

    it('[V1] the SQL that hides what is due does so, as policy and as view', async () => {
      const { session, table, deadlines } = await filled();
      await session.query(hideDueView(table, deadlines));
      expect(await countRows(session, '"sessions not due"')).toBe(15_000);
      await session.query(hideDuePolicy(table, deadlines, { reaperRole: 'postgres', hasPolicies: false }));
      const role = `reader_${Date.now()}`;
      await session.query(`CREATE ROLE ${role}; GRANT SELECT ON sessions TO ${role}; SET ROLE ${role}`);
      expect(await countRows(session, 'sessions')).toBe(15_000);
      await session.query(`RESET ROLE; REVOKE ALL ON sessions FROM ${role}; DROP ROLE ${role}`);
      expect(await countRows(session, 'sessions')).toBe(20_000);
    });

    it('the statement for pg_cron deletes what is due', async () => {
      const { session, table, definition, deadlines } = await filled();
      const sql = pgCronStatement(table, { definition }, deadlines);
      expect(sql).toMatch(
        /^SELECT cron\.schedule\('sandglass sessions by_column', '\* \* \* \* \*', \$\$DELETE FROM/,
      );
      await session.query(sql.slice(sql.indexOf('$$') + 2, sql.lastIndexOf('$$')));
      expect(await countRows(session, 'sessions')).toBe(15_000);
    });
  },
);

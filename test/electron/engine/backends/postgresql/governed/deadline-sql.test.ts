import { describe, expect, it } from 'vitest';
import { checkedExpression } from '../../../../../../electron/engine/backends/postgresql/governed/deadline/checked-expression.ts';
import { deadlineSql } from '../../../../../../electron/engine/backends/postgresql/governed/deadline/deadline-sql.ts';
import type { RowSource } from '../../../../../../electron/engine/backends/postgresql/governed/definition.ts';
import {
  indexAdvice,
  isServedByIndex,
} from '../../../../../../electron/engine/backends/postgresql/governed/preview/index-advice.ts';
import { readTable } from '../../../../../../electron/engine/backends/postgresql/governed/table-facts.ts';
import { countRows, openGovernedDatabase } from '../../../../../support/governed-table.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const field = (name: string, more: Partial<RowSource & { kind: 'field' }> = {}): RowSource => ({
  kind: 'field',
  field: name,
  unit: 'seconds',
  expireAfter: 0,
  ...more,
});

describe.runIf(runsHere('deadlines of PostgreSQL rows', NEEDS_POSTGRES))(
  'deadlines of PostgreSQL rows',
  { timeout: 60_000 },
  () => {
    const postgres = postgresOfSuite();

    /** Returns the deadline of the only row as text, and whether `dueBy` agrees a microsecond before, at and after it. */
    async function deadlineOf(type: string, value: string, source: RowSource) {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query(
        `CREATE TABLE r (id int PRIMARY KEY, "at ""x" ${type}); INSERT INTO r VALUES (1, ${value})`,
      );
      const table = await readTable(session, 'r');
      const sql = await deadlineSql(session, table, source);
      const { rows } = await session.query<{ deadline: string | null; due: (boolean | null)[] }>(`
        SELECT deadline::text AS deadline, to_jsonb(ARRAY[${[-1, 0, 1]
          .map(us => sql.dueBy(`(d.deadline + interval '${us} microseconds')`))
          .join(', ')}]) AS due
        FROM r AS t, LATERAL (SELECT ${sql.deadline} AS deadline) AS d`);
      return rows[0];
    }

    const AT = 'at "x';
    const due = [false, true, true];
    it.each([
      [
        'timestamptz',
        "'2026-01-02 03:04:05.678901+02'",
        field(AT, { expireAfter: 86_400.5 }),
        '2026-01-03 01:04:06.178901+00',
      ],
      ['timestamp', "'2026-01-02 03:04:05.678901'", field(AT), '2026-01-02 03:04:05.678901+00'],
      ['timestamp', "'2026-07-02 12:00'", field(AT, { zone: 'Europe/Berlin' }), '2026-07-02 10:00:00+00'],
      ['timestamp', "'2026-10-25 02:30'", field(AT, { zone: 'Europe/Berlin' }), '2026-10-25 01:30:00+00'],
      ['date', "'2026-01-02'", field(AT, { expireAfter: 3600 }), '2026-01-02 01:00:00+00'],
      ['date', "'2026-07-02'", field(AT, { zone: 'Asia/Tokyo' }), '2026-07-01 15:00:00+00'],
      [
        'bigint',
        '1767322800123',
        field(AT, { unit: 'milliseconds', expireAfter: 1 }),
        '2026-01-02 03:00:01.123+00',
      ],
      ['int', '1767322800', field(AT), '2026-01-02 03:00:00+00'],
      ['numeric', '1767322800.25', field(AT), '2026-01-02 03:00:00.25+00'],
      ['double precision', '1767322800.5', field(AT), '2026-01-02 03:00:00.5+00'],
    ] as const)(
      '[D1, D3, D4, D10] a %s of %s is due from its deadline on',
      async (type, value, source, deadline) => {
        expect(await deadlineOf(type, value, source)).toEqual({ deadline, due });
      },
    );

    it.each([
      ['timestamptz', 'NULL', field(AT)],
      ['timestamptz', "'infinity'", field(AT)],
      ['timestamptz', "'-infinity'", field(AT)],
      ['date', "'infinity'", field(AT)],
      ['timestamp', "'0001-01-01'", field(AT)],
      ['numeric', "'NaN'", field(AT)],
      ['double precision', "'-Infinity'", field(AT)],
      ['bigint', '9223372036854775807', field(AT)],
      ['bigint', '1767322800', field(AT, { unit: 'milliseconds' })],
      ['bigint', '1767322800000', field(AT)],
    ] as const)('[D4, D5] a %s of %s never expires', async (type, value, source) => {
      expect((await deadlineOf(type, value, source))?.deadline).toBeNull();
    });

    it('refuses columns that are missing or hold no instants', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query('CREATE TABLE r (id int PRIMARY KEY, note text)');
      const table = await readTable(session, 'r');
      await expect(deadlineSql(session, table, field('gone'))).rejects.toThrow(
        'The table has no column gone.',
      );
      await expect(deadlineSql(session, table, field('note'))).rejects.toThrow(
        'of type text, which holds no instants',
      );
    });

    it('[D8] takes an immutable expression, as the server writes it, and refuses everything else', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query(`CREATE SCHEMA extra; CREATE TABLE plans (id int PRIMARY KEY, "made at" timestamp, plan text);
        CREATE FUNCTION extra.days(text) RETURNS interval IMMUTABLE LANGUAGE sql AS $$ SELECT CASE WHEN $1 = 'free' THEN interval '1 day' ELSE interval '30 days' END $$;
        INSERT INTO plans VALUES (1, '2026-01-01', 'free'), (2, '2026-01-01', 'paid'), (3, NULL, 'paid')`);
      const table = await readTable(session, 'plans');
      const check = (expression: string) => checkedExpression(session, table, expression);
      const expression = await check(`"made at" + extra.days(plan)`);
      expect(expression).toContain('extra.days(plan)');
      const sql = await deadlineSql(session, table, { kind: 'expression', expression });
      const { rows } = await session.query(
        `SELECT (${sql.deadline})::text AS at FROM plans AS t ORDER BY id`,
      );
      expect(rows.map(({ at }) => at)).toEqual(['2026-01-02 00:00:00+00', '2026-01-31 00:00:00+00', null]);
      expect(await isServedByIndex(session, table, sql)).toBe(false);
      await session.query(indexAdvice(table, sql));
      expect(await isServedByIndex(session, table, sql)).toBe(true);
      for (const refused of [
        'now()',
        `"made at" + random() * interval '1 day'`,
        '(SELECT max("made at") FROM plans)',
        '"made at"), (plan',
        '"made at")); DROP TABLE plans; --',
        '"made at"); SELECT (1',
        'nothing',
        '"made at") WHERE (true',
        '',
        'max("made at")',
      ])
        await expect(check(refused), refused).rejects.toMatchObject({ code: 'INVALID_TTL_INDEX' });
      await expect(check('plan::timestamptz')).rejects.toThrow(/depends on the time zone/);
      expect(await countRows(session, 'plans')).toBe(3);
    });

    it('finds whether an index serves the earliest deadline, also on a small table', async () => {
      const session = await openGovernedDatabase(await postgres.database());
      await session.query('CREATE TABLE r (id int PRIMARY KEY, "at" bigint, b date)');
      const table = await readTable(session, 'r');
      const [at, b] = [
        await deadlineSql(session, table, field('at')),
        await deadlineSql(session, table, field('b')),
      ];
      await session.query(`CREATE INDEX ON r ("at" DESC)`);
      expect(await isServedByIndex(session, table, at)).toBe(true);
      expect(await isServedByIndex(session, table, b)).toBe(false);
      expect(indexAdvice(table, b)).toBe('CREATE INDEX CONCURRENTLY ON "public"."r" ("b")');
      await session.query(
        'CREATE INDEX ON r (b) WHERE b > now()::date'.replace('now()::date', `date '2026-01-01'`),
      );
      expect(await isServedByIndex(session, table, b)).toBe(false);
    });
  },
);

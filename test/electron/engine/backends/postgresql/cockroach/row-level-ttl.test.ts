import { describe, expect, it } from 'vitest';
import type { GovernedDefinition } from '../../../../../../electron/engine/backends/backend.ts';
import { jobOf } from '../../../../../../electron/engine/backends/postgresql/cockroach/server/ttl-jobs.ts';
import { scheduleOf } from '../../../../../../electron/engine/backends/postgresql/cockroach/server/ttl-schedules.ts';
import {
  checkedSql,
  definitionOf,
  parametersOf,
  TTL_NAME,
} from '../../../../../../electron/engine/backends/postgresql/cockroach/ttl/ttl-definition.ts';
import {
  readParameterList,
  readReloptions,
  type TtlParameters,
  ttlStatements,
} from '../../../../../../electron/engine/backends/postgresql/cockroach/ttl/ttl-parameters.ts';
import { productOf } from '../../../../../../electron/engine/backends/postgresql/server/server-facts.ts';
import jobsAndSchedules from '../../../../../fixtures/cockroachdb/jobs-and-schedules.json' with {
  type: 'json',
};
import shapes from '../../../../../fixtures/cockroachdb/ttl-shapes.json' with { type: 'json' };
import { Random } from '../../../../../support/random.ts';

const TABLE = { schema: 'public', table: 'events' };
const COLUMNS = [
  { name: 'id', type: 'bigint' },
  { name: 'expire_at', type: 'timestamp with time zone' },
  { name: 'it"s', type: 'timestamp without time zone' },
  { name: 'day', type: 'date' },
];

const cron = { mode: 'cron', cron: '@daily', timeZone: 'UTC' } as const;
const definition: GovernedDefinition = {
  name: TTL_NAME,
  source: { kind: 'field', field: 'expire_at', unit: 'seconds', expireAfter: 0 },
  onExpire: { action: 'delete' },
  schedule: cron,
  limits: {},
  retention: null,
};

/** Returns the parameters that a table has after statements were executed, as the server would answer them. */
function after(before: TtlParameters | null, statements: readonly string[]): TtlParameters | null {
  const present = new Map<string, string>(
    Object.entries(before ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, literal(value)]],
    ),
  );
  for (const statement of statements) {
    const [, verb, list = ''] =
      /^ALTER TABLE "public"\."events" (SET|RESET) \((.*)\)$/s.exec(statement) ?? [];
    if (verb === undefined) throw new Error(`not a change of a TTL: ${statement}`);
    if (verb === 'RESET') for (const name of list.split(', ')) present.delete(name);
    else
      for (const [name, value] of Object.entries(
        readParameterList(list) ?? readParameterList(`${list}, ttl_expire_after = '1 s'`) ?? {},
      ))
        if (value !== undefined && list.includes(`${name} = `)) present.set(name, literal(value));
  }
  return readReloptions([...present].map(([name, value]) => `${name}=${value}`));
}

/** As SHOW CREATE TABLE writes it: with backslashes before quotes. */
function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return /['\\\n]/.test(value)
    ? `e'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
    : `'${value}'`;
}

describe('the storage parameters of row-level TTL', () => {
  it.each(shapes.reloptions)('are read from pg_class.reloptions: $source', ({ options, parameters }) => {
    expect(readReloptions(options)).toEqual(parameters);
  });

  it.each(shapes.showCreateTable)('are read from SHOW CREATE TABLE: $source', shape => {
    const ttl = readParameterList(shape.with);
    expect(ttl).toEqual(shape.parameters);
    expect(ttl === null ? null : definitionOf(ttl).source).toEqual(shape.indexSource);
  });

  it('are changed by SET, then RESET, each one with what differs', () => {
    const before = {
      ttl_expire_after: '00:10:00',
      ttl_job_cron: '@daily',
      ttl_delete_batch_size: 20,
      ttl_pause: true,
    };
    expect(
      ttlStatements(TABLE, before, { ...before, ttl_expire_after: '600 seconds', ttl_pause: false }),
    ).toEqual(['ALTER TABLE "public"."events" RESET (ttl_pause)']);
    expect(
      ttlStatements(TABLE, before, {
        ttl_expiration_expression: `"it's"`,
        ttl_job_cron: '@daily',
        ttl_pause: true,
      }),
    ).toEqual([
      `ALTER TABLE "public"."events" SET (ttl_expiration_expression = '"it''s"')`,
      'ALTER TABLE "public"."events" RESET (ttl_expire_after, ttl_delete_batch_size)',
    ]);
    expect(
      ttlStatements(
        TABLE,
        { ttl_expire_after: '00:10:00' },
        { ttl_expire_after: '10 minutes', ttl_job_cron: '@daily' },
      ),
    ).toEqual([]);
  });
});

describe('a TTL index of CockroachDB', () => {
  it('is an expression over a column of any type of date', () => {
    const expressionOf = (field: string, expireAfter: number) =>
      parametersOf(
        { ...definition, source: { kind: 'field', field, unit: 'seconds', expireAfter } },
        COLUMNS,
        null,
      ).ttl_expiration_expression;
    expect(expressionOf('expire_at', 0)).toBe('"expire_at"');
    expect(expressionOf('expire_at', 90)).toBe(
      `(("expire_at" AT TIME ZONE 'UTC') + INTERVAL '90 seconds') AT TIME ZONE 'UTC'`,
    );
    expect(expressionOf('it"s', 0)).toBe(`"it""s"::TIMESTAMP AT TIME ZONE 'UTC'`);
    expect(expressionOf('day', 86_400)).toBe(
      `("day"::TIMESTAMP + INTERVAL '86400 seconds') AT TIME ZONE 'UTC'`,
    );
    expect(() => expressionOf('id', 0)).toThrow('of type bigint');
    expect(() => expressionOf('gone', 0)).toThrow('no column gone');
  });

  it.each([
    ['an exact schedule', { schedule: { mode: 'exact' as const } }, 'crontab line'],
    ['another zone', { schedule: { ...cron, timeZone: 'Europe/Berlin' } }, 'in UTC'],
    ['six parts', { schedule: { ...cron, cron: '0 0 3 * * *' } }, 'five parts'],
    ['another name', { name: 'mine' }, TTL_NAME],
    ['an action', { onExpire: { action: 'move' as const, to: 'archive' } }, 'only deletes'],
    ['a time of batches', { limits: { batchMs: 8 } }, 'by rows'],
    ['copies', { retention: 60 }, 'no copies'],
    ['an unknown parameter', { parameters: { ttl_range_concurrency: 2 } }, 'none of the parameters'],
    ['a parameter of another type', { parameters: { ttl_label_metrics: 'yes' } }, 'ttl_label_metrics'],
    ['no interval', { parameters: { ttl_row_stats_poll_interval: 'soon' } }, 'no interval'],
    ['no duration', { source: { kind: 'lastModified' as const, expireAfter: 0 } }, 'at least a microsecond'],
  ])('with %s is refused', (_, part, message) => {
    expect(() => parametersOf({ ...definition, ...part }, COLUMNS, null)).toThrow(message);
  });

  it.each([
    'expire_at; DROP TABLE events',
    'now(), now()',
    'expire_at) FROM events --',
    '(SELECT max(expire_at) FROM events)',
    "expire_at + 'a",
    '(expire_at',
    'expire_at /* */',
    '$1',
    '',
  ])('takes no expression that is not one: %s', expression => {
    expect(() => checkedSql(expression)).toThrow('one SQL expression');
  });

  it('takes expressions with functions, quotes and words in quotes', () => {
    for (const expression of [
      `IF(should_delete, "select", NULL)`,
      `greatest(expire_at, '2020-01-01'::timestamptz) + INTERVAL '1 day; --'`,
      'extract(epoch FROM expire_at)::int::timestamptz',
    ])
      expect(checkedSql(expression)).toBe(expression);
  });

  it('becomes SQL, and is read back from it as the same, from any TTL before (400 random ones)', () => {
    const random = new Random(7);
    const maybe = <Value>(name: string, ...values: Value[]) =>
      random.chance(0.5) ? {} : { [name]: random.pick(values) };
    const randomDefinition = (): GovernedDefinition => ({
      ...definition,
      source: random.pick([
        {
          kind: 'field',
          field: 'expire_at',
          unit: 'seconds',
          expireAfter: random.pick([0, 1, 0.5, 86_400, 2_592_000.25]),
        },
        { kind: 'field', field: 'it"s', unit: 'seconds', expireAfter: random.pick([0, 3600]) },
        { kind: 'field', field: 'day', unit: 'seconds', expireAfter: random.pick([0, 3600]) },
        { kind: 'lastModified', expireAfter: random.pick([0.000_001, 60, 2_592_000]) },
        { kind: 'expression', expression: `IF("day" > '2020-01-01', expire_at, e'it\\'s')` },
        { kind: 'expression', expression: 'expire_at\n  + now() - now()' },
      ] as const),
      schedule: { ...cron, cron: random.pick(['@daily', '@hourly', '0 */4 * * *']) },
      limits: { ...maybe('removalsPerSecond', 0, 1, 100), ...maybe('batchSize', 1, 500) },
      parameters: {
        ...maybe('ttl_select_batch_size', 1, 500),
        ...maybe('ttl_select_rate_limit', 0, 10),
        ...maybe('ttl_label_metrics', true),
        ...maybe('ttl_disable_changefeed_replication', true),
        ...maybe('ttl_row_stats_poll_interval', '1 minute', '1m30s'),
      },
    });
    for (let i = 0; i < 400; i++) {
      const before = random.chance(0.3) ? null : parametersOf(randomDefinition(), COLUMNS, null);
      const wanted = randomDefinition();
      const parameters = parametersOf(wanted, COLUMNS, before);
      const read = after(before, ttlStatements(TABLE, before, parameters));
      if (read === null) throw new Error('the TTL is lost');
      expect(definitionOf(read)).toEqual(wanted);
      expect(ttlStatements(TABLE, read, parametersOf(definitionOf(read), COLUMNS, read))).toEqual([]);
    }
  });

  it('keeps what it does not name: a pause, months, and the words of an expression', () => {
    const before: TtlParameters = { ttl_expire_after: '3 mons', ttl_pause: true };
    const read = definitionOf(before);
    expect(read.parameters).toEqual({ ttl_expire_after: '3 mons' });
    expect(
      ttlStatements(TABLE, before, parametersOf({ ...read, limits: { batchSize: 7 } }, COLUMNS, before)),
    ).toEqual(['ALTER TABLE "public"."events" SET (ttl_delete_batch_size = 7)']);
    const worded: TtlParameters = {
      ttl_expiration_expression:
        "((expire_at AT TIME ZONE 'UTC') + '5 minutes':::INTERVAL) AT TIME ZONE 'UTC'",
    };
    expect(ttlStatements(TABLE, worded, parametersOf(definitionOf(worded), COLUMNS, worded))).toEqual([]);
  });
});

describe('jobs and schedules of row-level TTL', () => {
  it.each(jobsAndSchedules.schedules)('a schedule belongs to its table: $source', ({ row, oid }) => {
    expect(scheduleOf(row).map(schedule => schedule.oid)).toEqual(oid === null ? [] : [oid]);
  });

  it.each(jobsAndSchedules.jobs)('a job names its table: $source', ({ row, table }) => {
    expect(jobOf(row, null)).toMatchObject({ table, status: row.status, removed: null });
  });

  it.each(shapes.version)('$product $version is recognised by version()', ({ text, product, version }) => {
    expect(productOf(text)).toEqual({ product, version });
  });
});

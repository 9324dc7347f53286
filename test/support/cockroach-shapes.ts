import { connectAs } from './postgres-sessions.ts';

const EVENTS_JOB = '937000000000000001';

/**
 * SQL that lets a PostgreSQL database answer reads in the shapes of CockroachDB: `version()`, the views of `crdb_internal`,
 * storage parameters in `pg_class`, and tables in the shape of SHOW SCHEDULES and of cluster settings. Their sources are in
 * test/fixtures/cockroachdb. It shows that these reads are valid SQL and are understood, not that CockroachDB accepts them.
 */
const SHAPES = [
  `CREATE SCHEMA shapes`,
  `CREATE FUNCTION shapes.version() RETURNS text LANGUAGE sql AS $$SELECT 'CockroachDB CCL v24.1.2 (x86_64-pc-linux-gnu)'$$`,
  `CREATE SCHEMA crdb_internal`,
  `CREATE TABLE events (id int8 PRIMARY KEY, note text, crdb_internal_expiration timestamptz NOT NULL)`,
  `CREATE TABLE "Ta.ble" (a int8, b uuid, "at" timestamp, PRIMARY KEY (b, a))`,
  `CREATE TABLE plain (id int8 PRIMARY KEY, at timestamptz)`,
  `INSERT INTO events SELECT i, 'n' || i, now() + (i - 3) * interval '1 hour' FROM generate_series(1, 10) AS i`,
  `INSERT INTO "Ta.ble" VALUES (1, gen_random_uuid(), now() + interval '2 days'), (2, gen_random_uuid(), NULL)`,
  `CREATE VIEW crdb_internal.table_row_statistics AS
    SELECT c.oid::int8 AS table_id, c.relname AS table_name, 10::int8 AS estimated_row_count FROM pg_class c WHERE relname = 'events'`,
  `CREATE TABLE crdb_internal.jobs AS SELECT * FROM (VALUES
    (${EVENTS_JOB}::int8, 'ROW LEVEL TTL', E'ttl for ' || current_database() || E'.public.events\\n-- for each span', 'succeeded',
      now() - interval '3 hours', now() - interval '179 minutes', now() - interval '178 minutes', ''),
    (937000000000000002::int8, 'ROW LEVEL TTL', 'ttl for ' || current_database() || '.public."Ta.ble"', 'failed',
      now() - interval '2 hours', now() - interval '119 minutes', now() - interval '118 minutes', 'found a recent schema change on the table, aborting'),
    (937000000000000003::int8, 'ROW LEVEL TTL', 'ttl for another.public.events', 'succeeded',
      now() - interval '1 hour', now() - interval '59 minutes', now() - interval '58 minutes', ''),
    (937000000000000004::int8, 'BACKUP', 'BACKUP', 'succeeded', now(), now(), now(), '')
  ) AS j(job_id, job_type, description, status, created, started, finished, error)`,
  `CREATE VIEW crdb_internal.system_jobs AS SELECT job_id AS id, convert_to(job_id::text, 'UTF8') AS progress FROM crdb_internal.jobs`,
  `CREATE FUNCTION crdb_internal.pb_to_json(message text, encoded bytea) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE WHEN convert_from(encoded, 'UTF8') = '${EVENTS_JOB}'
      THEN '{"fractionCompleted": 1, "rowLevelTtl": {"jobDeletedRowCount": "42"}}' ELSE '{"rowLevelTtl": {}}' END::jsonb $$`,
  `CREATE TABLE crdb_internal.schedules AS SELECT 935326966421323777 + n AS id, format('row-level-ttl: %s [%s]', name, to_regclass(quote_ident(name))::oid::int8) AS label,
      'ACTIVE' AS schedule_status, date_trunc('day', now()) + interval '1 day' AS next_run, NULL::text AS state, 'root' AS owner, now() AS created
    FROM (VALUES (0, 'events'), (1, 'Ta.ble')) AS t(n, name)`,
  `CREATE TABLE crdb_internal.settings AS SELECT 'sql.ttl.job.enabled' AS name, 'true' AS value`,
  `SET allow_system_table_mods = on`,
  `UPDATE pg_class SET reloptions = ARRAY[$$ttl='on'$$, $$ttl_expire_after='00:10:00':::INTERVAL$$, 'ttl_delete_rate_limit=40', 'ttl_label_metrics=true'] WHERE relname = 'events'`,
  `UPDATE pg_class SET reloptions = ARRAY[$$ttl='on'$$, $$ttl_expiration_expression='("at" AT TIME ZONE ''UTC'')'$$, $$ttl_job_cron='@weekly'$$, 'ttl_pause=true'] WHERE relname = 'Ta.ble'`,
  `CREATE FUNCTION shapes.set_ttl(changed regclass, names text[], given text[]) RETURNS void LANGUAGE sql SET intervalstyle = 'postgres' AS $$
    UPDATE pg_class SET reloptions = ARRAY(
        SELECT option FROM unnest(coalesce(reloptions, ARRAY['ttl=''on'''])) AS option WHERE split_part(option, '=', 1) <> ALL (names)
        UNION ALL SELECT CASE name WHEN 'ttl_expire_after' THEN name || '=' || quote_literal(value::interval::text) || ':::INTERVAL' ELSE name || '=' || value END
          FROM unnest(names, given) AS n(name, value) WHERE value IS NOT NULL)
      WHERE oid = changed $$`,
  `DO $$BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = shapes, public, pg_catalog', current_database());
    EXECUTE format('ALTER DATABASE %I SET allow_system_table_mods = on', current_database());
  END$$`,
];

/** Gives an empty PostgreSQL database the shapes, for the sessions that begin from then on. */
export async function createCockroachShapes(uri: string): Promise<void> {
  const session = await connectAs(uri, 'shapes');
  try {
    for (const statement of SHAPES) await session.query(statement);
  } finally {
    await session.close();
  }
}

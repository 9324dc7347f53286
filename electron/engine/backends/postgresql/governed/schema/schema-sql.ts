/**
 * The schema `sandglass` of a governed database, as SQL. It is shown before it is executed, in one transaction, and
 * executing it again changes nothing. All Sandglass instances of a database work on the same tables.
 */

/** Version of the tables below. */
export const SCHEMA_VERSION = 3;

export const SCHEMA_SQL = `CREATE SCHEMA IF NOT EXISTS sandglass;
COMMENT ON SCHEMA sandglass IS 'TTL indexes of Sandglass, their history, and what was removed';

-- Version of these tables; a pause of all removal; and a number that every change of a definition or a pause increases.
CREATE TABLE IF NOT EXISTS sandglass.state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  paused_by text,
  paused_at timestamptz
);
INSERT INTO sandglass.state (version) VALUES (${SCHEMA_VERSION}) ON CONFLICT DO NOTHING;
-- When a reaper worked last: after a long time without one, what is due waits for a person.
ALTER TABLE sandglass.state ADD COLUMN IF NOT EXISTS reaped_at timestamptz;

-- One row per TTL index. The reaper acts with the rights of owner_role, which a trigger sets.
CREATE TABLE IF NOT EXISTS sandglass.definitions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass NOT NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  owner_role name NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  paused_by text,
  paused_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it was made, changed or resumed last: the lag of rows that were due then counts from here.
  effective_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (relation, name)
);
-- The revision whose effect was confirmed or found small; and the last look of a schedule.
ALTER TABLE sandglass.definitions ADD COLUMN IF NOT EXISTS confirmed_revision integer;
ALTER TABLE sandglass.definitions ADD COLUMN IF NOT EXISTS looked_at timestamptz;
CREATE OR REPLACE FUNCTION sandglass.set_owner_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.owner_role := current_user;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER set_owner_role
  BEFORE INSERT OR UPDATE OF relation, definition, owner_role ON sandglass.definitions
  FOR EACH ROW EXECUTE FUNCTION sandglass.set_owner_role();

-- Every change of a definition, with the definition before and after it.
CREATE TABLE IF NOT EXISTS sandglass.history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass NOT NULL,
  name text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  by text NOT NULL,
  change text NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX IF NOT EXISTS history_by_index ON sandglass.history (relation, name, id);

-- Expirations of single rows, where no column holds them: at expires_at, or never (null). They outrank TTL indexes.
CREATE TABLE IF NOT EXISTS sandglass.expirations (
  relation regclass NOT NULL,
  row_key text[] NOT NULL,
  expires_at timestamptz,
  owner_role name NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (relation, row_key)
);
CREATE OR REPLACE TRIGGER set_owner_role BEFORE INSERT OR UPDATE ON sandglass.expirations
  FOR EACH ROW EXECUTE FUNCTION sandglass.set_owner_role();
CREATE INDEX IF NOT EXISTS expirations_by_instant ON sandglass.expirations (relation, expires_at)
  WHERE expires_at IS NOT NULL;

-- Busy periods of the reaper, one row per table and at most one a minute.
CREATE TABLE IF NOT EXISTS sandglass.passes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  trigger text NOT NULL,
  cutoff timestamptz NOT NULL,
  removed jsonb NOT NULL DEFAULT '{}',
  batches integer NOT NULL DEFAULT 0,
  longest_batch_ms double precision NOT NULL DEFAULT 0,
  ending text NOT NULL,
  error text
);
CREATE INDEX IF NOT EXISTS passes_by_start ON sandglass.passes (started_at);

-- Passes that a person started; the reaper of any instance runs them. Without a relation: of all tables.
CREATE TABLE IF NOT EXISTS sandglass.runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass,
  name text,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  removed bigint NOT NULL DEFAULT 0,
  pass_ids bigint[] NOT NULL DEFAULT '{}',
  error text
);
CREATE INDEX IF NOT EXISTS runs_that_wait ON sandglass.runs (id) WHERE ended_at IS NULL;

-- What waits for a person: of one TTL index, of one table, or, without a relation, of the database.
CREATE TABLE IF NOT EXISTS sandglass.holds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass,
  name text,
  cause text NOT NULL,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  set_by text NOT NULL,
  due bigint NOT NULL,
  rows bigint NOT NULL,
  duration_ms double precision
);
CREATE UNIQUE INDEX IF NOT EXISTS holds_once ON sandglass.holds (coalesce(relation::oid, 0), coalesce(name, ''), cause);

-- Rows removed per minute and their lag, written in the transaction that removes them.
CREATE TABLE IF NOT EXISTS sandglass.minutes (
  relation regclass NOT NULL,
  name text NOT NULL,
  minute timestamptz NOT NULL,
  removed bigint NOT NULL,
  lag_ms_sum double precision NOT NULL,
  lag_ms_max double precision NOT NULL,
  PRIMARY KEY (relation, name, minute)
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS minutes_by_minute ON sandglass.minutes (minute);

-- Partitions that were past their deadline as a whole. One that is kept detached is dropped at drop_at.
CREATE TABLE IF NOT EXISTS sandglass.detached_partitions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass NOT NULL,
  partition_oid oid NOT NULL,
  partition text NOT NULL,
  bound text NOT NULL,
  rows_estimated bigint NOT NULL,
  detached_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  drop_at timestamptz,
  dropped_at timestamptz
);
-- One that was attached again: until spared_until the rows of its leaves, spared, are not removed.
ALTER TABLE sandglass.detached_partitions ADD COLUMN IF NOT EXISTS attached_at timestamptz;
ALTER TABLE sandglass.detached_partitions ADD COLUMN IF NOT EXISTS spared oid[];
ALTER TABLE sandglass.detached_partitions ADD COLUMN IF NOT EXISTS spared_until timestamptz;

-- Rows that were removed by an index that keeps copies, and partitions. Deleted at keep_until.
CREATE TABLE IF NOT EXISTS sandglass.removed (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relation regclass NOT NULL,
  name text NOT NULL,
  action text NOT NULL,
  row_key text[] NOT NULL,
  -- From which the row can be restored; null for a partition, a moved row, or one that was restored.
  "row" json,
  detached bigint,
  deadline timestamptz NOT NULL,
  due_since timestamptz NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  keep_until timestamptz NOT NULL,
  restored_at timestamptz,
  restored_by text
);
CREATE INDEX IF NOT EXISTS removed_by_table ON sandglass.removed (relation, id);
CREATE INDEX IF NOT EXISTS removed_by_end ON sandglass.removed (keep_until);

UPDATE sandglass.state SET version = ${SCHEMA_VERSION} WHERE version < ${SCHEMA_VERSION};
`;

/** Removes the schema with everything in it; the governed tables and their rows stay. */
export const DROP_SCHEMA_SQL = 'DROP SCHEMA IF EXISTS sandglass CASCADE;';

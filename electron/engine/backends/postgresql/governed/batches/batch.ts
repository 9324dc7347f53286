import { quoteName, quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import { hasSparedSql, isExplicitSql } from '../schema/expirations-table.ts';
import { lockTableSql } from '../schema/table-lock.ts';
import { quoteText } from '../sql-text.ts';
import { type GovernedTable, hasRowKeySql, type Leaf, leafSql, rowKeySql } from '../table-facts.ts';
import { type Keeping, keptColumns, keptSql } from './kept-rows.ts';
import { type KeyRange, keyRangeSql } from './key-slices.ts';
import { type RowKey, skippedSql } from './protected-rows.ts';
import { DEADLINE } from './removed-columns.ts';
import { Statement } from './statement.ts';

/** What one batch did, as the last row of its statement says. */
export interface BatchOutcome {
  readonly removed: number;
  /** Latest deadline among them, as text; null: nothing was removed. */
  readonly lastDeadline: string | null;
  /** From the deadline to the removal, by the server's clock, ms [M1]: of some of them, evenly spread, if they are many. */
  readonly lagsMs: readonly number[];
  /** False: the definition was changed, paused or dropped since it was read, and nothing was removed. */
  readonly isCurrent: boolean;
}

export interface BatchInput {
  readonly table: GovernedTable;
  readonly definition: TableDefinition;
  readonly deadlines: DeadlineSql;
  readonly leaf: Leaf;
  /** Nothing with a later deadline is removed [R2]. */
  readonly cutoff: string;
  readonly rows: number;
  /** Where the scan of the deadline's index begins, an instant as text; null: at the earliest. */
  readonly from: string | null;
  /** Range of the primary key, where no index serves the deadline. */
  readonly range: KeyRange | null;
  /** Target of `move`; null: rows are deleted. */
  readonly archive: GovernedTable | null;
  /** A pass that a person started: pauses do not stop it [R6]. */
  readonly isByHand: boolean;
  /** Some rows of the table have expirations of their own. */
  readonly hasExplicit: boolean;
  /** Keys of rows that are left alone. */
  readonly skipped: readonly RowKey[];
  /** Key of the only row that may be removed; null: any. */
  readonly only: RowKey | null;
}

/** Server process of the session that took the reaper's lock. */
export interface LockHolder {
  readonly pid: number;
  readonly user: string;
}

export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/**
 * Runs `act` with the rights of a role, in a transaction in which no expiration of the table's rows is set. Rejects with
 * `LockLost` if the session's server process is another one than that which holds the reaper's lock: a pooler such as
 * PgBouncer, in the mode *transaction* or *statement*, is between.
 */
export async function inBatchTransaction<Result>(
  session: Session,
  { holder, oid, role }: { holder: LockHolder; oid: number; role: string },
  act: (facts: { hasExplicit: boolean }) => Promise<Result>,
): Promise<Result> {
  const asRole = role === holder.user ? '' : `, set_config('role', ${quoteText(role)}, true)`;
  // Read after the lock is held: no expiration is set until the end of the transaction.
  const begin = `BEGIN; ${lockTableSql(oid)}; SELECT pg_backend_pid() AS pid,
    (EXISTS (SELECT FROM sandglass.expirations WHERE relation = ${oid}::oid) OR ${hasSparedSql(oid)}) AS "hasExplicit"${asRole}`;
  return inTransaction(
    session,
    async ([begun]) => {
      if (begun?.pid !== holder.pid)
        throw new LockLost('A connection pooler changes the server process between transactions.');
      return act({ hasExplicit: begun.hasExplicit !== false });
    },
    begin,
  );
}

/**
 * Deletes or moves what is due, in one statement: it selects due rows that nobody has locked, locks them, and deletes those
 * whose deadline is still due. What it removed is counted in the same transaction.
 */
export async function runBatch(session: Session, input: BatchInput): Promise<BatchOutcome> {
  const { sql, params } = batchStatement(input);
  const { rows } = await session.query<BatchOutcome>(sql, params, { isPrepared: true });
  return outcomeOf(rows);
}

/** Returns the only row of a batch's statement. */
export function outcomeOf<Outcome extends BatchOutcome>([outcome]: readonly Outcome[]): Outcome {
  if (outcome === undefined) throw new Error('a batch has no result');
  return outcome;
}

function batchStatement(input: BatchInput): { sql: string; params: readonly unknown[] } {
  const { table, definition, deadlines, leaf, archive } = input;
  const statement = new Statement();
  const { isCurrent, chosen } = chosenSql(input, statement);
  const moved = archive === null ? [] : movedColumns(table, archive);
  const keeping = keepingOf(input);
  const kept = keeping === null ? [] : keptColumns(table, 't', keeping);
  const named = { oid: table.oid, name: definition.definition.name, effective: effectiveSql(definition) };
  const sql = `
    WITH gone AS (
      DELETE FROM ${leafSql(leaf, 't')} WHERE ${chosen}
      RETURNING ${[...moved, ...kept, `${deadlines.deadline} AS ${DEADLINE}`].join(', ')}
    ), ${archive === null ? '' : `moved AS (${moveSql(archive, moved)}),`}
    ${keeping === null ? '' : `${keptSql({ ...named, keeping }, statement)},`}
    ${countedSql(named, statement)}
    SELECT ${OUTCOME}, ${isCurrent} AS "isCurrent" FROM total, sample`;
  return { sql, params: statement.params };
}

/**
 * Returns the condition of the rows that a batch removes: due, locked by nobody else, and still due when they are locked; and the
 * condition that the definition is as it was read.
 */
function chosenSql(input: BatchInput, statement: Statement): { isCurrent: string; chosen: string } {
  const { deadlines, leaf, rows } = input;
  const { isCurrent, by, where } = dueSql(input, statement);
  const chosen = `t.ctid = ANY (ARRAY(
        SELECT t.ctid FROM ${leafSql(leaf, 't')} WHERE ${where}
        LIMIT ${statement.param(rows, 'int')} FOR UPDATE OF t SKIP LOCKED
      )) AND ${deadlines.unestimated.dueBy(by)}`;
  return { isCurrent, chosen };
}

/** Returns the condition of the rows that a batch may remove and their order, after WHERE. */
function dueSql(input: BatchInput, statement: Statement): { isCurrent: string; by: string; where: string } {
  const { table, definition, cutoff, from, range, isByHand, hasExplicit, skipped, only } = input;
  const deadlines = input.deadlines.unestimated;
  const isCurrent = isCurrentSql(definition, statement, { isByHand });
  const by = statement.param(cutoff, 'timestamptz');
  const conditions = [
    isCurrent,
    deadlines.dueBy(by),
    ...skippedSql(rowKeySql(table, 't'), skipped, statement),
    ...(only === null ? [] : [hasRowKeySql(table, 't', statement.param(only, 'text[]'))]),
    // The check of each row takes a quarter as long as its removal.
    ...(hasExplicit ? [`NOT ${isExplicitSql(table, 't')}`] : []),
    ...(from === null ? [] : [deadlines.notBefore(statement.param(from, 'timestamptz'))]),
    ...(range === null ? [] : [keyRangeSql(table, 't', range, statement)]),
  ];
  // By key, the range is small and its order does not matter.
  const order = range === null ? `ORDER BY ${deadlines.value}` : '';
  return { isCurrent, by, where: `${conditions.join(' AND ')} ${order}` };
}

/** Returns the key of the first row that a batch would remove; null: there is none. */
export async function firstKey(session: Session, input: BatchInput): Promise<RowKey | null> {
  const { table, leaf } = input;
  const statement = new Statement();
  const { where } = dueSql(input, statement);
  const sql = `SELECT to_jsonb(${rowKeySql(table, 't')}) AS key FROM ${leafSql(leaf, 't')}
    WHERE ${where} LIMIT 1 FOR UPDATE OF t SKIP LOCKED`;
  const { rows } = await session.query<{ key: string[] }>(sql, statement.params);
  return rows[0]?.key ?? null;
}

/** Returns whether the rows of a batch may be deleted without reading them: they are neither moved nor kept. */
export function isOnlyCounted(input: Pick<BatchInput, 'definition' | 'archive'>): boolean {
  return input.archive === null && keepingOf(input) === null;
}

/**
 * Deletes as `runBatch` does, and only counts the rows: reading the deadlines of deleted rows would take a third of the time.
 * `lagsMs`: of a batch that was measured shortly before; they stand for these rows too.
 */
export async function runCountedBatch(
  session: Session,
  input: BatchInput,
  lagsMs: readonly number[],
): Promise<{ removed: number }> {
  const { table, definition, leaf } = input;
  const statement = new Statement();
  const { chosen } = chosenSql(input, statement);
  const deletion = `DELETE FROM ${leafSql(leaf, 't')} WHERE ${chosen}`;
  const { rowCount: removed } = await session.query(deletion, statement.params, { isPrepared: true });
  if (removed === 0) return { removed };
  const mostMs = lagsMs.reduce((most, ms) => Math.max(most, ms), 0);
  const meanMs = lagsMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, lagsMs.length);
  await session.query(
    `INSERT INTO sandglass.minutes AS m (relation, name, minute, removed, lag_ms_sum, lag_ms_max)
      VALUES ($1::oid, $2, date_trunc('minute', clock_timestamp()), $3::bigint, $4::float8, $5::float8) ${ADD_TO_MINUTE}`,
    [table.oid, definition.definition.name, removed, removed * meanMs, mostMs],
    { isPrepared: true },
  );
  return { removed };
}

/** Null: the definition keeps no removed rows. */
function keepingOf({ definition, archive }: Pick<BatchInput, 'definition' | 'archive'>): Keeping | null {
  const { retention } = definition.definition;
  return retention === null || retention === 0 ? null : { seconds: retention, hasCopy: archive === null };
}

/** Columns of the result of a statement with the common tables of `countedSql`. */
export const OUTCOME = `total.n::int AS removed, total.last::text AS "lastDeadline", sample.lags AS "lagsMs"`;

/** Lags that a batch measures, evenly spread over its rows: one per row would double the time of a large batch. */
const LAGS = 256;

/** Adds figures to those of the minute of a source that are there. */
export const ADD_TO_MINUTE = `ON CONFLICT (relation, name, minute) DO UPDATE SET removed = m.removed + excluded.removed,
  lag_ms_sum = m.lag_ms_sum + excluded.lag_ms_sum, lag_ms_max = greatest(m.lag_ms_max, excluded.lag_ms_max)`;

/**
 * Common table expressions after `gone`: `total` and `sample`, and `counted`, which adds to the minute of the removal.
 * `effective`: the instant from which the lag counts if the deadline is earlier.
 */
export function countedSql(
  { oid, name, effective }: { oid: number; name: string; effective: string },
  statement: Statement,
): string {
  // date_part is of type float8, extract a numeric, which takes ten times as long.
  const lag = (deadline: string) =>
    `greatest(0, date_part('epoch', clock_timestamp() - greatest(${deadline}, ${effective})) * 1000)`;
  return `total AS MATERIALIZED (
      SELECT count(*) AS n, min(${DEADLINE}) AS first, max(${DEADLINE}) AS last, array_agg(${DEADLINE}) AS deadlines FROM gone
    ), sample AS MATERIALIZED (
      SELECT coalesce(json_agg(lag_ms::int8), '[]') AS lags, avg(lag_ms) AS mean_ms, max(lag_ms) AS most_ms
      FROM (SELECT ${lag('deadlines[i]')} AS lag_ms FROM total, generate_series(1, n, greatest(1, n / ${LAGS})) AS i
        UNION ALL SELECT ${lag('first')} FROM total WHERE n > ${LAGS}) AS lags
    ), counted AS (
      INSERT INTO sandglass.minutes AS m (relation, name, minute, removed, lag_ms_sum, lag_ms_max)
      SELECT ${statement.param(oid, 'oid')}, ${statement.param(name, 'text')}, date_trunc('minute', clock_timestamp()), n, n * mean_ms, most_ms
      FROM total, sample WHERE n > 0
      ${ADD_TO_MINUTE}
    )`;
}

/** The instant from which the lag of a row counts if its deadline is earlier [M1], as SQL. */
export function effectiveSql({ id }: TableDefinition): string {
  return `(SELECT d.effective_at FROM sandglass.definitions d WHERE d.id = ${id})`;
}

/** The condition that a definition is as it was read, and acts; evaluated once a statement. */
export function isCurrentSql(
  { id, revision }: TableDefinition,
  statement: Statement,
  { isByHand }: { isByHand: boolean },
): string {
  const isActive = isByHand ? '' : 'AND d.paused_at IS NULL AND s.paused_at IS NULL';
  return `EXISTS (SELECT FROM sandglass.definitions d, sandglass.state s WHERE d.id = ${statement.param(id, 'int')}
    AND d.revision = ${statement.param(revision, 'int')} ${isActive}
    AND NOT EXISTS (SELECT FROM sandglass.holds h
      WHERE h.relation IS NULL OR (h.relation = d.relation AND (h.name IS NULL OR h.name = d.name))))`;
}

/** Columns that both tables have and that the archive stores as given. */
function movedColumns({ columns }: GovernedTable, archive: GovernedTable): string[] {
  const writable = new Set(archive.columns.filter(column => !column.isGenerated).map(({ name }) => name));
  return columns.filter(({ name }) => writable.has(name)).map(({ name }) => quoteName(name));
}

function moveSql(archive: GovernedTable, columns: readonly string[]): string {
  const list = columns.join(', ');
  return `INSERT INTO ${quoteTable(archive.name)} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM gone`;
}

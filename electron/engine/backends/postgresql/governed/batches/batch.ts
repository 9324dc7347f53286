import { quoteName, quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import { hasSparedSql, isExplicitSql } from '../schema/expirations-table.ts';
import { lockTableSql } from '../schema/table-lock.ts';
import { quoteText } from '../sql-text.ts';
import { type GovernedTable, type Leaf, leafSql, readLeaves } from '../table-facts.ts';
import { type Keeping, keptColumns, keptSql } from './kept-rows.ts';
import { type KeyRange, keyRangeSql } from './key-slices.ts';
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
  const { table, definition, leaf, cutoff, rows, from, range, isByHand, hasExplicit } = input;
  const deadlines = input.deadlines.unestimated;
  const isCurrent = isCurrentSql(definition, statement, { isByHand });
  const by = statement.param(cutoff, 'timestamptz');
  const conditions = [
    isCurrent,
    deadlines.dueBy(by),
    // The check of each row takes a quarter as long as its removal.
    ...(hasExplicit ? [`NOT ${isExplicitSql(table, 't')}`] : []),
    ...(from === null ? [] : [deadlines.notBefore(statement.param(from, 'timestamptz'))]),
    ...(range === null ? [] : [keyRangeSql(table, 't', range, statement)]),
  ];
  // By key, the range is small and its order does not matter.
  const order = range === null ? `ORDER BY ${deadlines.value}` : '';
  const chosen = `t.ctid = ANY (ARRAY(
        SELECT t.ctid FROM ${leafSql(leaf, 't')} WHERE ${conditions.join(' AND ')}
        ${order} LIMIT ${statement.param(rows, 'int')} FOR UPDATE OF t SKIP LOCKED
      )) AND ${deadlines.dueBy(by)}`;
  return { isCurrent, chosen };
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

/** A table that stores rows, and the earliest deadline among them. */
export interface EarliestDeadline {
  readonly leaf: number;
  /** Epoch ms by the server's clock. */
  readonly at: number;
}

/**
 * Returns the earliest deadline of the rows that the definition governs, in leaves other than `except`; null: there is
 * none. One seek in each of these leaves where an index serves it.
 */
export async function earliestDeadline(
  session: Session,
  { table, deadlines }: Pick<BatchInput, 'table' | 'deadlines'>,
  { except = [], since = null }: { except?: readonly number[]; since?: number | null } = {},
): Promise<EarliestDeadline | null> {
  return earliestIn(session, table, deadlines, { except, since });
}

/** Returns the earliest deadline up to the cutoff in leaves other than `except`; null: none is due. */
export async function earliestDue(
  session: Session,
  { table, deadlines, cutoff }: Pick<BatchInput, 'table' | 'deadlines' | 'cutoff'>,
  except: readonly number[],
): Promise<EarliestDeadline | null> {
  return earliestIn(session, table, deadlines, { except, since: null, cutoff });
}

/** Returns the condition of rows with a deadline at or after an instant, epoch ms; null: of every row. */
export function sinceSql(deadlines: DeadlineSql, since: number | null): string {
  // A millisecond less, for the digits that a number of ms lacks.
  return since === null ? 'true' : deadlines.notBefore(`(SELECT to_timestamp(${(since - 1) / 1_000}))`);
}

/**
 * Reads the leaves one by one, in one statement: with a condition on `tableoid` over the whole table, the server reads every row
 * of the leaves that the condition leaves out.
 */
async function earliestIn(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { except, since, cutoff }: { except: readonly number[]; since: number | null; cutoff?: string },
): Promise<EarliestDeadline | null> {
  const leaves = (await readLeaves(session, table)).filter(({ oid }) => !except.includes(oid));
  if (leaves.length === 0) return null;
  const due = cutoff === undefined ? 'true' : deadlines.unestimated.dueBy('$1::timestamptz');
  const parts = leaves.map(
    leaf => `(SELECT ${leaf.oid}::oid AS leaf, extract(epoch FROM ${deadlines.deadline})::float8 * 1000 AS at
      FROM ${leafSql(leaf, 't')}
      WHERE ${deadlines.unestimated.isInstant} AND ${due} AND ${sinceSql(deadlines, since)} AND NOT ${isExplicitSql(table, 't')}
      ORDER BY ${deadlines.value} LIMIT 1)`,
  );
  const { rows } = await session.query<{ leaf: number; at: number | null }>(
    parts.join(' UNION ALL '),
    cutoff === undefined ? [] : [cutoff],
  );
  let earliest: EarliestDeadline | null = null;
  for (const { leaf, at } of rows)
    if (at !== null && (earliest === null || at < earliest.at)) earliest = { leaf, at };
  return earliest;
}

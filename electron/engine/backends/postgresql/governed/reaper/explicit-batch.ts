import { EXPLICIT } from '../../../../../../shared/model/ttl-index.ts';
import { quoteName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import {
  type BatchOutcome,
  countedSql,
  inBatchTransaction,
  type LockHolder,
  OUTCOME,
  outcomeOf,
} from '../batches/batch.ts';
import { type Keeping, keptColumns, keptSql } from '../batches/kept-rows.ts';
import { type ProtectedRows, type RowKey, removeKnown, skippedSql } from '../batches/protected-rows.ts';
import { DEADLINE } from '../batches/removed-columns.ts';
import { Statement } from '../batches/statement.ts';
import { type GovernedTable, hasRowKeySql, tableSql } from '../table-facts.ts';
import { type Lap, type LapBatch, NOTHING } from './lap.ts';
import { Narrowing } from './narrowing.ts';

/** Explicit expirations of one table that one role has set, and the earliest of them. */
export interface ExplicitSource {
  readonly oid: number;
  readonly ownerRole: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A row of a table that is left out. */
export interface SkippedRow {
  readonly oid: number;
  readonly key: RowKey;
}

/** Returns, for each table with explicit expirations, the earliest and the role that set it: one seek per table. */
export async function earliestExplicit(
  session: Session,
  skipped: readonly SkippedRow[],
): Promise<ExplicitSource[]> {
  const isTried =
    skipped.length === 0
      ? ''
      : 'AND jsonb_build_array(x.relation::oid::bigint, x.row_key) NOT IN (SELECT jsonb_array_elements($1::jsonb))';
  const params = skipped.length === 0 ? [] : [JSON.stringify(skipped.map(({ oid, key }) => [oid, key]))];
  const sql = `
    WITH RECURSIVE tables(oid) AS (
      SELECT min(relation::oid) FROM sandglass.expirations WHERE expires_at IS NOT NULL
      UNION ALL
      SELECT (SELECT min(x.relation::oid) FROM sandglass.expirations x
        WHERE x.relation > tables.oid AND x.expires_at IS NOT NULL) FROM tables WHERE tables.oid IS NOT NULL
    )
    SELECT tables.oid, first.owner_role AS "ownerRole", extract(epoch FROM first.expires_at)::float8 * 1000 AS at
    FROM tables, LATERAL (SELECT x.owner_role, x.expires_at FROM sandglass.expirations x
      WHERE x.relation = tables.oid AND x.expires_at IS NOT NULL ${isTried} ORDER BY x.expires_at LIMIT 1) AS first`;
  const { rows } = await session.query<{ oid: number; ownerRole: string; at: number }>(sql, params);
  return rows;
}

interface ExplicitInput {
  table: GovernedTable;
  ownerRole: string;
  holder: LockHolder;
  isByHand: boolean;
  protectedRows: ProtectedRows;
}

/**
 * Walks over the explicit expirations that are due and were set by one role. An expiration whose row is gone is
 * removed with them.
 */
export class ExplicitLap implements Lap {
  readonly cutoff: string;
  readonly #input: ExplicitInput;
  readonly #narrowing = new Narrowing();

  constructor(input: ExplicitInput & { cutoff: string }) {
    this.#input = input;
    this.cutoff = input.cutoff;
  }

  async batch(session: Session, rows: number): Promise<LapBatch> {
    const most = this.#narrowing.limit(rows);
    const outcome = await this.#run(session, most);
    if (outcome === null) return { ...NOTHING, isLast: false };
    return { ...outcome, isLast: outcome.ended < most };
  }

  /** Null: a foreign key refused the batch, and the next one narrows down which row that is. */
  async #run(session: Session, rows: number): Promise<ExplicitOutcome | null> {
    if (!this.#narrowing.isSingle) return this.#narrowing.run(rows, () => this.#remove(session, rows, null));
    const only = await this.#inTransaction(session, () => this.#firstKey(session));
    if (only === null) return { ...NOTHING, ended: 0 };
    return this.#narrowing.run(rows, () =>
      removeKnown(this.#input.protectedRows, only, () => this.#remove(session, rows, only)),
    );
  }

  #remove(session: Session, rows: number, only: RowKey | null): Promise<ExplicitOutcome> {
    return this.#inTransaction(session, async () => {
      const statement = new Statement();
      const sql = explicitStatement(this.#chosen(only), rows, statement);
      return outcomeOf((await session.query<ExplicitOutcome>(sql, statement.params)).rows);
    });
  }

  async #firstKey(session: Session): Promise<RowKey | null> {
    const statement = new Statement();
    const sql = dueSql(this.#chosen(null), 1, statement);
    const { rows } = await session.query<{ key: string[] }>(
      `SELECT to_jsonb(due.row_key) AS key FROM (${sql}) AS due`,
      statement.params,
    );
    return rows[0]?.key ?? null;
  }

  #chosen(only: RowKey | null): Chosen {
    const { table, ownerRole, isByHand, protectedRows } = this.#input;
    return { table, ownerRole, isByHand, cutoff: this.cutoff, skipped: protectedRows.skipped, only };
  }

  #inTransaction<Result>(session: Session, act: () => Promise<Result>): Promise<Result> {
    const { table, ownerRole, holder } = this.#input;
    return inBatchTransaction(session, { holder, oid: table.oid, role: ownerRole }, act);
  }
}

interface ExplicitOutcome extends BatchOutcome {
  /** Expirations that are gone: of removed rows, and of rows that were gone already. */
  readonly ended: number;
}

/** Which explicit expirations a batch may act on. */
interface Chosen {
  readonly table: GovernedTable;
  readonly ownerRole: string;
  readonly cutoff: string;
  readonly isByHand: boolean;
  readonly skipped: readonly RowKey[];
  /** Key of the only row that may be removed; null: any. */
  readonly only: RowKey | null;
}

/** Rows with an expiration of their own are few, and have been chosen by hand: their copies are kept for a day. */
const KEEPING: Keeping = { seconds: 86_400, hasCopy: true };

/** Returns the expirations that are due, locked, at most so many. */
function dueSql(
  { table, ownerRole, cutoff, skipped, only, isByHand }: Chosen,
  rows: number,
  statement: Statement,
): string {
  const conditions = [
    isActiveSql(table.oid, { isByHand }, statement),
    `x.relation = ${statement.param(table.oid, 'oid')}`,
    `x.expires_at <= ${statement.param(cutoff, 'timestamptz')}`,
    `x.owner_role = ${statement.param(ownerRole, 'name')}`,
    ...skippedSql('x.row_key', skipped, statement),
    ...(only === null ? [] : [`x.row_key = ${statement.param(only, 'text[]')}`]),
  ];
  return `SELECT x.row_key, x.expires_at FROM sandglass.expirations x WHERE ${conditions.join(' AND ')}
      ORDER BY x.expires_at LIMIT ${statement.param(rows, 'int')} FOR UPDATE OF x SKIP LOCKED`;
}

/** The condition that neither a pause nor a hold stops the table's explicit expirations. */
function isActiveSql(oid: number, { isByHand }: { isByHand: boolean }, statement: Statement): string {
  const relation = statement.param(oid, 'oid');
  return `EXISTS (SELECT FROM sandglass.state s WHERE ${isByHand ? 'true' : 's.paused_at IS NULL'} AND NOT EXISTS
      (SELECT FROM sandglass.holds h WHERE h.relation IS NULL OR (h.relation = ${relation} AND h.name IS NULL)))`;
}

function explicitStatement(chosen: Chosen, rows: number, statement: Statement): string {
  const { table, isByHand } = chosen;
  const oid = statement.param(table.oid, 'oid');
  const keys = table.key.map(({ name }) => quoteName(name));
  const named = { oid: table.oid, name: EXPLICIT, effective: 'NULL::timestamptz' };
  return `
    WITH due AS (${dueSql(chosen, rows, statement)}
    ), held AS (
      SELECT ${keys.map(key => `t.${key}`).join(', ')}, due.expires_at AS ${DEADLINE}
      FROM due JOIN ${tableSql(table, 't')} ON ${hasRowKeySql(table, 't', 'due.row_key')}
      FOR UPDATE OF t SKIP LOCKED
    ), gone AS (
      DELETE FROM ${tableSql(table, 't')} USING held
      WHERE ${keys.map(key => `t.${key} = held.${key}`).join(' AND ')}
      RETURNING ${keptColumns(table, 't', KEEPING).join(', ')}, held.${DEADLINE}
    ), ended AS (
      SELECT "sandglass row key" AS row_key FROM gone
      UNION ALL
      SELECT due.row_key FROM due
      WHERE NOT EXISTS (SELECT FROM ${tableSql(table, 't')} WHERE ${hasRowKeySql(table, 't', 'due.row_key')})
    ), cleared AS (
      DELETE FROM sandglass.expirations x USING ended WHERE x.relation = ${oid} AND x.row_key = ended.row_key
      RETURNING 1
    ), ${keptSql({ ...named, keeping: KEEPING }, statement)},
    ${countedSql(named, statement)}
    SELECT ${OUTCOME}, ${isActiveSql(table.oid, { isByHand }, statement)} AS "isCurrent", (SELECT count(*)::int FROM cleared) AS ended
    FROM total, sample`;
}

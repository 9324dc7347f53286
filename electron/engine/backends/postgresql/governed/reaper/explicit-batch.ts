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
import { DEADLINE } from '../batches/removed-columns.ts';
import { Statement } from '../batches/statement.ts';
import { type GovernedTable, hasRowKeySql, tableSql } from '../table-facts.ts';
import type { Lap, LapBatch } from './lap.ts';

/** Explicit expirations of one table that one role has set, and the earliest of them. */
export interface ExplicitSource {
  readonly oid: number;
  readonly ownerRole: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Returns, for each table with explicit expirations, the earliest and the role that set it: one seek per table. */
export async function earliestExplicit(session: Session): Promise<ExplicitSource[]> {
  const { rows } = await session.query<{ oid: number; ownerRole: string; at: number }>(`
    WITH RECURSIVE tables(oid) AS (
      SELECT min(relation::oid) FROM sandglass.expirations WHERE expires_at IS NOT NULL
      UNION ALL
      SELECT (SELECT min(x.relation::oid) FROM sandglass.expirations x
        WHERE x.relation > tables.oid AND x.expires_at IS NOT NULL) FROM tables WHERE tables.oid IS NOT NULL
    )
    SELECT tables.oid, first.owner_role AS "ownerRole", extract(epoch FROM first.expires_at)::float8 * 1000 AS at
    FROM tables, LATERAL (SELECT x.owner_role, x.expires_at FROM sandglass.expirations x
      WHERE x.relation = tables.oid AND x.expires_at IS NOT NULL ORDER BY x.expires_at LIMIT 1) AS first`);
  return rows;
}

interface ExplicitInput {
  table: GovernedTable;
  ownerRole: string;
  holder: LockHolder;
  isByHand: boolean;
}

/**
 * Walks over the explicit expirations that are due and were set by one role. An expiration whose row is gone is
 * removed with them.
 */
export class ExplicitLap implements Lap {
  readonly cutoff: string;
  readonly #input: ExplicitInput;

  constructor(input: ExplicitInput & { cutoff: string }) {
    this.#input = input;
    this.cutoff = input.cutoff;
  }

  async batch(session: Session, rows: number): Promise<LapBatch> {
    const { table, ownerRole, holder, isByHand } = this.#input;
    const outcome = await inBatchTransaction(
      session,
      { holder, oid: table.oid, role: ownerRole },
      async () => {
        const { sql, params } = explicitStatement(table, {
          ownerRole,
          cutoff: this.cutoff,
          rows,
          isByHand,
        });
        return outcomeOf((await session.query<BatchOutcome & { ended: number }>(sql, params)).rows);
      },
    );
    return { ...outcome, isLast: outcome.ended < rows };
  }
}

/** Rows with an expiration of their own are few, and have been chosen by hand: their copies are kept for a day. */
const KEEPING: Keeping = { seconds: 86_400, hasCopy: true };

function explicitStatement(
  table: GovernedTable,
  {
    ownerRole,
    cutoff,
    rows,
    isByHand,
  }: { ownerRole: string; cutoff: string; rows: number; isByHand: boolean },
): { sql: string; params: readonly unknown[] } {
  const statement = new Statement();
  const oid = statement.param(table.oid, 'oid');
  const keys = table.key.map(({ name }) => quoteName(name));
  const named = { oid: table.oid, name: EXPLICIT, effective: 'NULL::timestamptz' };
  const sql = `
    WITH active AS (SELECT FROM sandglass.state s WHERE ${isByHand ? 'true' : 's.paused_at IS NULL'} AND NOT EXISTS
      (SELECT FROM sandglass.holds h WHERE h.relation IS NULL OR (h.relation = ${oid} AND h.name IS NULL))),
    due AS (
      SELECT x.row_key, x.expires_at FROM sandglass.expirations x
      WHERE EXISTS (SELECT FROM active) AND x.relation = ${oid}
        AND x.expires_at <= ${statement.param(cutoff, 'timestamptz')} AND x.owner_role = ${statement.param(ownerRole, 'name')}
      ORDER BY x.expires_at LIMIT ${statement.param(rows, 'int')} FOR UPDATE OF x SKIP LOCKED
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
    SELECT ${OUTCOME}, EXISTS (SELECT FROM active) AS "isCurrent", (SELECT count(*)::int FROM cleared) AS ended
    FROM total, sample`;
  return { sql, params: statement.params };
}

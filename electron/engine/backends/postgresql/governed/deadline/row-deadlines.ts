import { EXPLICIT } from '../../../../../../shared/model/ttl-index.ts';
import type { TableDefinition } from '../definition.ts';
import { isExplicitSql, sparedUntilSql } from '../schema/expirations-table.ts';
import { quoteText } from '../sql-text.ts';
import { type GovernedTable, rowKeySql } from '../table-facts.ts';
import type { DeadlineSql } from './deadline-sql.ts';

/** The deadline of a row among all that may give it one, as SQL over the table as `t`. */
export interface GoverningDeadline {
  /** Of type timestamptz; null: the row never expires. */
  readonly deadline: string;
  /** Of type text: the TTL index that gives the deadline, or `explicit`. */
  readonly from: string;
  /** The same without explicit expirations. */
  readonly byIndexes: string;
  /** All that gives deadlines is paused. */
  readonly isPaused: boolean;
}

/**
 * Returns the governing deadline [D9]: that of the row's explicit expiration, or else the earliest of the indexes that are not
 * paused; if all are, the earliest of those.
 */
export function governingDeadline(
  table: GovernedTable,
  indexes: readonly {
    readonly definition: TableDefinition;
    readonly deadlines: Pick<DeadlineSql, 'deadline'>;
  }[],
): GoverningDeadline {
  const active = indexes.filter(({ definition }) => definition.paused === null);
  const isPaused = indexes.length > 0 && active.length === 0;
  const governing = isPaused ? indexes : active;
  const explicit = isExplicitSql(table, 't');
  const earliest =
    governing.length === 0
      ? 'NULL::timestamptz'
      : `least(${governing.map(({ deadlines }) => deadlines.deadline).join(', ')})`;
  const names = governing.map(
    ({ definition, deadlines }) =>
      `WHEN ${deadlines.deadline} = ${earliest} THEN ${quoteText(definition.definition.name)}`,
  );
  const name = names.length === 0 ? 'NULL::text' : `CASE ${names.join(' ')} END`;
  return {
    deadline: `CASE WHEN ${explicit} THEN ${expiresAtSql(table)} ELSE ${earliest} END`,
    from: `CASE WHEN ${explicit} THEN ${quoteText(EXPLICIT)} ELSE ${name} END`,
    byIndexes: earliest,
    isPaused,
  };
}

function expiresAtSql(table: GovernedTable): string {
  const ofRow = `(SELECT x.expires_at FROM sandglass.expirations x
    WHERE x.relation = ${table.oid}::oid AND x.row_key = ${rowKeySql(table, 't')})`;
  return table.isPartitioned ? `coalesce(${ofRow}, ${sparedUntilSql(table, 't')})` : ofRow;
}

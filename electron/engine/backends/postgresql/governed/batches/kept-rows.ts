import { type GovernedTable, rowKeySql } from '../table-facts.ts';
import { DEADLINE } from './removed-columns.ts';
import type { Statement } from './statement.ts';

const KEY = '"sandglass row key"';
const ROW = '"sandglass row"';

/** How a removal keeps its rows: for how long, and whether with a copy. */
export interface Keeping {
  readonly seconds: number;
  /** False: the rows are moved to an archive. */
  readonly hasCopy: boolean;
}

/** Columns that the deletion of a table's rows, with alias `row`, returns for `keptSql`. */
export function keptColumns(table: GovernedTable, row: string, { hasCopy }: Keeping): string[] {
  // Text, which keeps columns of type json as they are.
  const copy = hasCopy ? `row_to_json(${row}.*)` : 'NULL::json';
  return [`${rowKeySql(table, row)} AS ${KEY}`, `${copy} AS ${ROW}`];
}

/**
 * Returns the common table expression `kept` after `gone`, which keeps the removed rows in the transaction of their
 * removal. `effective`: the instant from which the lag counts if the deadline is earlier.
 */
export function keptSql(
  { oid, name, effective, keeping }: { oid: number; name: string; effective: string; keeping: Keeping },
  statement: Statement,
): string {
  const { seconds, hasCopy } = keeping;
  return `kept AS (
      INSERT INTO sandglass.removed (relation, name, action, row_key, "row", deadline, due_since, keep_until)
      SELECT ${statement.param(oid, 'oid')}, ${statement.param(name, 'text')}, '${hasCopy ? 'delete' : 'move'}', ${KEY}, ${ROW},
        ${DEADLINE}, greatest(${DEADLINE}, ${effective}),
        clock_timestamp() + ${statement.param(seconds, 'float8')} * interval '1 second' FROM gone
    )`;
}

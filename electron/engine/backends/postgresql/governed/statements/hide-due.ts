import { quoteTable } from '../../connection/quoting.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import { quoteText } from '../sql-text.ts';
import type { GovernedTable } from '../table-facts.ts';

/** Moves on within a transaction, unlike `now()`. */
const NOW = 'statement_timestamp()';

/**
 * Returns the SQL of a policy that hides rows from their deadline on, before the reaper removes them [V1]. The reaper's
 * role reads them all the same; so do superusers, roles with BYPASSRLS, and the table's owner unless row security is forced.
 */
export function hideDuePolicy(
  { name }: GovernedTable,
  deadlines: DeadlineSql,
  { reaperRole, hasPolicies }: { reaperRole: string; hasPolicies: boolean },
): string {
  const table = quoteTable(name);
  const due = deadlines.unqualified.dueBy(NOW);
  const permissive = `-- Without another policy, row security hides every row.
CREATE POLICY sandglass_all ON ${table} USING (true) WITH CHECK (true);
`;
  return `${hasPolicies ? '' : permissive}CREATE POLICY sandglass_hide_due ON ${table} AS RESTRICTIVE FOR SELECT
  USING (current_user = ${quoteText(reaperRole)} OR NOT coalesce(${due}, false));
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
-- The owner of the table sees due rows too, unless: ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
`;
}

/** Returns the SQL of a view without the rows that are due, for applications that read it instead of the table. */
export function hideDueView({ name }: GovernedTable, deadlines: DeadlineSql): string {
  const view = quoteTable({ schema: name.schema, table: `${name.table} not due` });
  return `CREATE VIEW ${view} WITH (security_barrier, security_invoker) AS
  SELECT * FROM ${quoteTable(name)} AS t WHERE NOT coalesce(${deadlines.dueBy(NOW)}, false);
`;
}

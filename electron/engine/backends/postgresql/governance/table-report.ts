import type { TableReport } from '../../../../../shared/contract/ttl-indexes.ts';
import { quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { type DeadlineSql, deadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { RowSource, TableDefinition } from '../governed/definition.ts';
import { isPartitionedByDeadline, readPartitions } from '../governed/partitions/partition.ts';
import { indexAdvice, isServedByIndex } from '../governed/preview/index-advice.ts';
import {
  readDeleteTriggers,
  readReferringKeys,
  readReplicationFacts,
} from '../governed/preview/table-effects.ts';
import { hideDuePolicy, hideDueView } from '../governed/statements/hide-due.ts';
import { pgCronStatement } from '../governed/statements/pg-cron.ts';
import type { GovernedTable } from '../governed/table-facts.ts';

/**
 * Reads what matters before rows are removed from a table, and the SQL of one of its definitions. `proposed`: the source of a
 * definition that does not exist yet.
 */
export async function readTableReport(
  session: Session,
  table: GovernedTable,
  { definition, proposed }: { definition: TableDefinition | null; proposed: RowSource | null },
): Promise<TableReport> {
  const source = proposed ?? definition?.definition.source ?? null;
  const deadlines = source === null ? null : await deadlineSql(session, table, source);
  const { publications, hasNoIdentity, publishesWholeRows } = await readReplicationFacts(session, table);
  return {
    collection: table.collection,
    key: table.key.map(({ name }) => name),
    referringKeys: (await readReferringKeys(session, table, deadlines)).map(key => ({
      ...key,
      columns: [...key.columns],
    })),
    triggers: await readDeleteTriggers(session, table),
    publications: [...publications],
    hasNoReplicaIdentity: hasNoIdentity,
    publishesWholeRows,
    isDeadlineGenerated:
      deadlines !== null &&
      table.columns.some(({ name, isGenerated }) => isGenerated && name === deadlines.column),
    proposed:
      proposed === null || deadlines === null
        ? null
        : {
            indexAdvice: await readAdvice(session, table, deadlines),
            isPartitionedByDeadline: await isPartitionedByDeadline(session, table, proposed),
          },
    index: definition === null ? null : await readIndexReport(session, table, definition),
  };
}

async function readIndexReport(
  session: Session,
  table: GovernedTable,
  stored: TableDefinition,
): Promise<TableReport['index']> {
  const { definition } = stored;
  const deadlines = await deadlineSql(session, table, definition.source);
  const isBounded = await isPartitionedByDeadline(session, table, definition.source);
  const partitions = isBounded ? await readPartitions(session, table, deadlines) : [];
  const { rows } = await session.query<{ user: string; hasPolicies: boolean }>(
    `SELECT current_user::text AS "user",
      EXISTS (SELECT FROM pg_catalog.pg_policy WHERE polrelid = $1::oid) AS "hasPolicies"`,
    [table.oid],
  );
  const { user = '', hasPolicies = false } = rows[0] ?? {};
  return {
    indexAdvice: await readAdvice(session, table, deadlines),
    isPartitionedByDeadline: isBounded,
    partitions: partitions.map(({ name, rows: estimated, deadlineAt }) => ({
      name: quoteTable(name),
      rows: Math.round(estimated),
      deadlineAt,
    })),
    pgCron: pgCronStatement(table, stored, deadlines),
    hideByPolicy: hideDuePolicy(table, deadlines, { reaperRole: user, hasPolicies }),
    hideByView: hideDueView(table, deadlines),
  };
}

/** The statement that creates the index which the scan lacks; null: there is one. */
async function readAdvice(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
): Promise<string | null> {
  return (await isServedByIndex(session, table, deadlines)) ? null : indexAdvice(table, deadlines);
}

import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { RowDefinition } from '../definition.ts';
import { quoteText } from '../sql-text.ts';
import type { GovernedTable } from '../table-facts.ts';
import { isPartitionedByDeadline, type Partition, readPartitions } from './partition.ts';
import { readSparedPartitions } from './restored-partition.ts';

/** A partition with the instant at which it is removed. */
export interface WholePartition extends Partition {
  readonly deadlineAt: number;
  readonly deadline: string;
}

/**
 * Returns whether the partitions of a table are removed as a whole. The rows of all of them are removed one by one by the
 * definition, or since the deadline is not bounded by the partition key, or since a foreign key refers to the table, whose
 * rows the server would look up one by one.
 */
export async function removesWholePartitions(
  session: Session,
  table: GovernedTable,
  { partitions, source, onExpire }: Pick<RowDefinition, 'partitions' | 'source' | 'onExpire'>,
): Promise<boolean> {
  if (partitions.mode === 'rows' || onExpire.action !== 'delete') return false;
  return (await isPartitionedByDeadline(session, table, source)) && !(await isReferenced(session, table));
}

/**
 * Returns the partitions with a deadline of their own, earliest first, without those that were restored. `hasSchema`: partitions
 * may have been restored.
 */
export async function readWholePartitions(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { hasSchema = true } = {},
): Promise<WholePartition[]> {
  const all = await readPartitions(session, table, deadlines);
  const spared = hasSchema ? await readSparedPartitions(session, table) : new Set<number>();
  return all.flatMap(one => {
    const { deadlineAt, deadline } = one;
    if (deadlineAt === null || deadline === null || spared.has(one.oid)) return [];
    return [{ ...one, deadlineAt, deadline }];
  });
}

/** The parts of `DeadlineSql` that count rows. */
export type CountedDeadlines = Pick<DeadlineSql, 'deadline' | 'isInstant' | 'reason'>;

/** Returns the deadlines of a table whose rows are removed with these partitions, at the deadline of the partition. */
export function withPartitions(
  deadlines: CountedDeadlines,
  partitions: readonly WholePartition[],
): CountedDeadlines {
  const { deadline, isInstant, reason } = deadlines;
  const cases = partitions.flatMap(one =>
    one.leaves.map(leaf => `WHEN ${leaf}::oid THEN timestamptz ${quoteText(one.deadline)}`),
  );
  if (cases.length === 0) return deadlines;
  return { deadline: `CASE t.tableoid ${cases.join(' ')} ELSE ${deadline} END`, isInstant, reason };
}

async function isReferenced(session: Session, { oid }: GovernedTable): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE confrelid = $1::oid AND contype = 'f'
      AND conparentid = 0) AS found`,
    [oid],
  );
  return rows[0]?.found === true;
}

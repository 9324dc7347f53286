import type { TableEntry } from '../catalog/table-entry.ts';
import type { Session } from '../connection/session.ts';
import { governingDeadline } from '../governed/deadline/row-deadlines.ts';
import { withPartitions } from '../governed/partitions/whole-partitions.ts';
import { readTable } from '../governed/table-facts.ts';
import { NO_DEADLINES, type RowDeadlines } from '../rows/row-deadlines.ts';
import type { GovernanceSnapshot } from './governance-snapshot.ts';

/** Returns the deadlines of a table's rows by its TTL indexes, and by the expirations of single rows. */
export async function rowDeadlinesOf(
  session: Session,
  { hasSchema, indexes }: GovernanceSnapshot,
  entry: TableEntry,
): Promise<RowDeadlines> {
  if (!hasSchema || !entry.hasPrimaryKey) return NO_DEADLINES;
  const table = await readTable(session, entry.collection);
  const governing = (indexes.get(entry.collection) ?? []).flatMap(
    ({ index: { definition, deadlines, partitions } }) =>
      deadlines === null ? [] : [{ definition, deadlines: withPartitions(deadlines, partitions) }],
  );
  return governingDeadline(table, governing);
}

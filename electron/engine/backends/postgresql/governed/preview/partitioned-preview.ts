import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import { type WholePartition, withPartitions } from '../partitions/whole-partitions.ts';
import { type GovernedTable, leafSql, readLeaves } from '../table-facts.ts';
import {
  countGroups,
  DUE,
  exactPreview,
  FORECAST_BUCKET_MS,
  FORECAST_BUCKETS,
  type Group,
  previewOf,
  serverNow,
  type TablePreview,
} from './exact-preview.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the exact preview of a table whose partitions `whole` are removed at their own deadline: their rows are counted without
 * reading their columns, unless rows of the table have expirations of their own. The session as for `exactPreview`.
 */
export async function partitionedPreview(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { hasSchema, whole }: { hasSchema: boolean; whole: readonly WholePartition[] },
): Promise<TablePreview> {
  if (whole.length === 0 || (hasSchema && (await hasExplicit(session, table))))
    return exactPreview(session, table, withPartitions(deadlines, whole), { hasSchema });
  const at = await serverNow(session);
  const groups = await countPartitions(session, table, whole, at);
  const inPartitions = new Set(whole.flatMap(({ leaves }) => leaves));
  const others = (await readLeaves(session, table)).filter(({ oid }) => !inPartitions.has(oid));
  for (const leaf of others)
    groups.push(...(await countGroups(session, table, deadlines, { hasSchema, from: leafSql(leaf, 't') })));
  return previewOf(groups, at);
}

/** Counts the rows of each partition; `at`: the instant of the preview, epoch ms. */
async function countPartitions(
  session: Session,
  table: GovernedTable,
  whole: readonly WholePartition[],
  at: number,
): Promise<Group[]> {
  const leaves = new Map((await readLeaves(session, table)).map(leaf => [leaf.oid, leaf]));
  const groups: Group[] = [];
  for (const { deadlineAt, leaves: ofPartition } of whole) {
    for (const oid of ofPartition) {
      const leaf = leaves.get(oid);
      // Detached since the partitions were read.
      if (leaf === undefined) continue;
      const { rows } = await session.query<{ count: number }>(
        `SELECT count(*)::float8 AS count FROM ${leafSql(leaf, 't')}`,
      );
      const count = rows[0]?.count ?? 0;
      if (count > 0) groups.push(groupOf(count, deadlineAt, at));
    }
  }
  return groups;
}

function groupOf(count: number, deadlineAt: number, at: number): Group {
  const inMs = deadlineAt - at;
  return {
    bucket: inMs <= 0 ? DUE : Math.min(FORECAST_BUCKETS, Math.floor(inMs / FORECAST_BUCKET_MS)),
    reason: null,
    count,
    inAnHour: inMs <= HOUR_MS ? count : 0,
    earliest: deadlineAt,
    at,
  };
}

async function hasExplicit(session: Session, { oid }: GovernedTable): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM sandglass.expirations WHERE relation = $1::oid) AS found',
    [oid],
  );
  return rows[0]?.found === true;
}

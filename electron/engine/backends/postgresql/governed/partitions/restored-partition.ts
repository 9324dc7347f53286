import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { sqlStateOf } from '../../connection/postgres-failure.ts';
import { quoteTable } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import type { RowExpiration } from '../schema/expirations-table.ts';
import type { DetachedPartition } from '../schema/removed-table.ts';
import type { GovernedTable } from '../table-facts.ts';

/** SQLSTATE of a range that overlaps that of another partition. */
const INVALID_OBJECT_DEFINITION = '42P17';

/**
 * Attaches a detached partition again, in the running transaction; the server checks its rows against the range first. Until
 * its new expiration it is not removed. Throws DOCUMENT_EXISTS if another partition has rows of the range by now.
 */
export async function attachPartition(
  session: Session,
  table: GovernedTable,
  { id, name, bound }: DetachedPartition,
  expiration: RowExpiration,
): Promise<void> {
  await session.query('SET LOCAL statement_timeout = 0');
  try {
    await session.query(`ALTER TABLE ${quoteTable(table.name)} ATTACH PARTITION ${name} ${bound}`);
  } catch (error) {
    if (sqlStateOf(error) !== INVALID_OBJECT_DEFINITION) throw error;
    throw new SandglassError(
      'DOCUMENT_EXISTS',
      `${table.collection} has another partition for the range of ${name}, ${bound}.`,
      { collection: table.collection, _id: name },
    );
  }
  await session.query(
    `UPDATE sandglass.detached_partitions d SET attached_at = clock_timestamp(), drop_at = NULL,
        spared = ARRAY(SELECT relid::oid FROM pg_catalog.pg_partition_tree(d.partition_oid) WHERE isleaf),
        spared_until = coalesce(to_timestamp($2::float8 / 1000), 'infinity')
      WHERE d.id = $1::bigint`,
    [id, expiration === 'never' ? null : expiration],
  );
}

/** Returns the OIDs of the partitions that were restored and have not expired again. */
export async function readSparedPartitions(
  session: Session,
  { oid }: Pick<GovernedTable, 'oid'>,
): Promise<Set<number>> {
  const { rows } = await session.query<{ oid: number }>(
    `SELECT partition_oid AS oid FROM sandglass.detached_partitions
      WHERE relation = $1::oid AND spared_until > clock_timestamp()`,
    [oid],
  );
  return new Set(rows.map(row => row.oid));
}

import { quoteTable } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import {
  ADD_TO_MINUTE,
  effectiveSql,
  inBatchTransaction,
  isCurrentSql,
  type LockHolder,
} from '../batches/batch.ts';
import { Statement } from '../batches/statement.ts';
import type { TableDefinition } from '../definition.ts';
import { type GovernedTable, hasRowKeySql } from '../table-facts.ts';
import type { Partition } from './partition.ts';

/** How long queries of others may wait behind this one for the lock of the table, ms. It is tried again later. */
const LOCK_TIMEOUT_MS = 100;

/** A partition that is not kept is listed for this long. */
const LISTED_DAYS = 90;

export interface PartitionRemoval {
  readonly table: GovernedTable;
  readonly definition: TableDefinition;
  readonly partition: Partition;
  readonly cutoff: string;
  readonly holder: LockHolder;
}

export type PartitionOutcome = 'removed' | 'changed' | 'pinned';

/**
 * Detaches a partition that is past its deadline: in milliseconds, whatever its size. `dropDetached` then drops it, unless it
 * is kept, without a lock on the table: the server takes 0.3 s to delete a file of 250 MB. `changed`: the definition or the
 * partition is not as it was read. `pinned`: a row has a later expiration of its own; the rows have to be removed one by one.
 * Rejects with BUSY if the locks are not free soon.
 */
export async function removePartition(
  session: Session,
  removal: PartitionRemoval,
): Promise<PartitionOutcome> {
  const { table, definition, partition, holder } = removal;
  const role = definition.ownerRole;
  return inBatchTransaction(session, { holder, oid: table.oid, role }, async () => {
    await session.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // In the order of queries, which lock the table before its partitions.
    await session.query(`LOCK TABLE ONLY ${quoteTable(table.name)} IN ACCESS EXCLUSIVE MODE`);
    await session.query(`LOCK TABLE ${quoteTable(partition.name)} IN ACCESS EXCLUSIVE MODE`);
    const outcome = await check(session, removal);
    if (outcome === 'removed') await detach(session, removal);
    return outcome;
  });
}

async function check(
  session: Session,
  { table, definition, partition, cutoff }: PartitionRemoval,
): Promise<PartitionOutcome> {
  const statement = new Statement();
  const { rows } = await session.query<{ isCurrent: boolean; isPinned: boolean }>(
    `SELECT ${isCurrentSql(definition, statement, { isByHand: false })} AND EXISTS (SELECT FROM pg_catalog.pg_class c
        WHERE c.oid = ${statement.param(partition.oid, 'oid')} AND c.relispartition
          AND pg_get_expr(c.relpartbound, c.oid) = ${statement.param(partition.bound, 'text')}
          AND NOT EXISTS (SELECT FROM sandglass.detached_partitions d
            WHERE d.partition_oid = c.oid AND d.spared_until > clock_timestamp())) AS "isCurrent",
      EXISTS (SELECT FROM sandglass.expirations x JOIN ${quoteTable(partition.name)} AS t
        ON ${hasRowKeySql(table, 't', 'x.row_key')} WHERE x.relation = ${statement.param(table.oid, 'oid')}
          AND (x.expires_at IS NULL OR x.expires_at > ${statement.param(cutoff, 'timestamptz')})) AS "isPinned"`,
    statement.params,
  );
  if (rows[0]?.isCurrent !== true) return 'changed';
  return rows[0].isPinned ? 'pinned' : 'removed';
}

async function detach(session: Session, { table, definition, partition }: PartitionRemoval): Promise<void> {
  const { partitions: policy, name } = definition.definition;
  const keepSeconds = policy.mode === 'keep' ? policy.seconds : null;
  const text = quoteTable(partition.name);
  const effective = effectiveSql(definition);
  await session.query(`ALTER TABLE ${quoteTable(table.name)} DETACH PARTITION ${text}`);
  await session.query(
    `WITH detached AS (
        INSERT INTO sandglass.detached_partitions
        (relation, partition_oid, partition, bound, rows_estimated, drop_at)
        VALUES ($1::oid, $2::oid, $3, $4, $5::bigint, clock_timestamp() + coalesce($6::float8, 0) * interval '1 second')
        RETURNING id, drop_at
      )
      INSERT INTO sandglass.removed (relation, name, action, row_key, detached, deadline, due_since, keep_until)
      SELECT $1::oid, $7, 'delete', ARRAY[$3], id, $8::timestamptz, greatest($8::timestamptz, ${effective}),
        CASE WHEN $6::float8 IS NULL THEN clock_timestamp() + interval '${LISTED_DAYS} days' ELSE drop_at END FROM detached`,
    [
      table.oid,
      partition.oid,
      text,
      partition.bound,
      Math.round(partition.rows),
      keepSeconds,
      name,
      partition.deadline,
    ],
  );
  await session.query(
    `INSERT INTO sandglass.minutes AS m (relation, name, minute, removed, lag_ms_sum, lag_ms_max)
      SELECT $1::oid, $2, date_trunc('minute', clock_timestamp()), $3::bigint, $3::bigint * lag.ms, lag.ms
      FROM (SELECT extract(epoch FROM clock_timestamp() - greatest($4::timestamptz, ${effective}))::float8 * 1000 AS ms) AS lag
      ${ADD_TO_MINUTE}`,
    [table.oid, name, Math.round(partition.rows), partition.deadline],
  );
}

/**
 * Drops the detached partitions of all tables that were not kept, or were kept until now, also those whose TTL index was dropped
 * meanwhile. One that was attached again, or is gone, is forgotten. Returns how many were dropped.
 */
export async function dropDetached(session: Session, holder: LockHolder): Promise<number> {
  const { rows } = await session.query<{
    id: string;
    oid: number;
    ownerRole: string;
    schema: string | null;
    table: string | null;
  }>(
    `SELECT d.id::text, d.relation::oid AS oid, n.nspname AS schema, c.relname AS "table",
        coalesce((SELECT i.owner_role::text FROM sandglass.definitions i WHERE i.relation = d.relation ORDER BY i.id LIMIT 1),
          pg_get_userbyid(c.relowner)::text, current_user::text) AS "ownerRole"
      FROM sandglass.detached_partitions d
      LEFT JOIN pg_catalog.pg_class c ON c.oid = d.partition_oid AND NOT c.relispartition
      LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE d.dropped_at IS NULL AND d.drop_at <= clock_timestamp()`,
  );
  let dropped = 0;
  for (const { id, oid, ownerRole, schema, table } of rows) {
    await inBatchTransaction(session, { holder, oid, role: ownerRole }, async () => {
      if (schema === null || table === null) {
        await session.query('DELETE FROM sandglass.detached_partitions WHERE id = $1', [id]);
        return;
      }
      await session.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await session.query(`DROP TABLE ${quoteTable({ schema, table })}`);
      await session.query(
        'UPDATE sandglass.detached_partitions SET dropped_at = clock_timestamp() WHERE id = $1',
        [id],
      );
      dropped += 1;
    });
  }
  return dropped;
}

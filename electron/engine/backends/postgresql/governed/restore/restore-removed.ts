import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { sqlStateOf } from '../../connection/postgres-failure.ts';
import { quoteName, quoteTable } from '../../connection/quoting.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import { attachPartition } from '../partitions/restored-partition.ts';
import { type RowExpiration, storeRowExpirations } from '../schema/expirations-table.ts';
import {
  type LockedRemoval,
  lockRemovals,
  readCopiedColumns,
  recordRestored,
} from '../schema/removed-table.ts';
import { lockTableSql } from '../schema/table-lock.ts';
import { type GovernedTable, readTables } from '../table-facts.ts';

export interface RestoreRequest {
  /** The expiration of the restored rows. */
  readonly expiration: RowExpiration;
  readonly by: string;
  /** Whether the row that has the key by now is replaced; otherwise it stays, and the restore fails. */
  replaces(id: string): boolean;
}

/** A removal that was not restored. */
export interface RestoreFailure {
  readonly id: string;
  /** Row key, where the removal exists. */
  readonly removal: LockedRemoval | null;
  readonly code: string;
  readonly message: string;
}

/**
 * Restores rows and partitions in one transaction; each succeeds or fails alone: EXPIRED_NOT_FOUND if no copy is kept,
 * DOCUMENT_EXISTS if the key or the range is in use, EXPECTATION_FAILED if a constraint or a trigger refuses the row. The
 * reaper removes none of them by its former deadline: both take the lock of the table. Returns the failures, and the OIDs of the
 * tables that have changed.
 */
export async function restoreRemoved(
  session: Session,
  ids: readonly string[],
  request: RestoreRequest,
): Promise<{ failed: RestoreFailure[]; changed: ReadonlySet<number> }> {
  return inTransaction(session, async () => {
    const removals = await lockRemovals(session, ids);
    const tables = await readTables(session, [...new Set([...removals.values()].map(({ oid }) => oid))]);
    for (const oid of [...tables.keys()].sort((a, b) => a - b)) await session.query(lockTableSql(oid));
    const failed: RestoreFailure[] = [];
    const changed = new Set<number>();
    for (const id of ids) {
      const removal = removals.get(id) ?? null;
      await session.query('SAVEPOINT removal');
      try {
        const table = removal === null ? undefined : tables.get(removal.oid);
        if (removal === null || table === undefined) throw notKept(id);
        await restore(session, table, removal, request);
        changed.add(removal.oid);
      } catch (error) {
        const refused = refusalOf(error);
        await session.query('ROLLBACK TO SAVEPOINT removal');
        failed.push({ id, removal, ...refused });
      }
    }
    return { failed, changed };
  });
}

async function restore(
  session: Session,
  table: GovernedTable,
  removal: LockedRemoval,
  { expiration, by, replaces }: RestoreRequest,
): Promise<void> {
  const { id, key, partition } = removal;
  if (partition !== null) await attachPartition(session, table, partition, expiration);
  else {
    const copied = await readCopiedColumns(session, id);
    const { rowCount } = await session.query(insertSql(table, copied, replaces(id)), [id]);
    if (rowCount === 0) throw keyInUse(table, key);
    await storeRowExpirations(session, table, [key], { expiration, by });
  }
  await recordRestored(session, id, by);
}

/** Inserts the row of a copy: columns that were added since have their defaults, those that were dropped are left out. */
function insertSql(table: GovernedTable, copied: ReadonlySet<string>, replaces: boolean): string {
  const columns = table.columns.filter(({ name, isGenerated }) => !isGenerated && copied.has(name));
  const list = (prefix: string) => columns.map(({ name }) => `${prefix}${quoteName(name)}`).join(', ');
  const inKey = new Set(table.key.map(({ name }) => name));
  const others = columns.filter(({ name }) => !inKey.has(name));
  // A row without other columns is set to itself, so that it counts as restored.
  const sets = (others.length === 0 ? table.key : others).map(
    ({ name }) => `${quoteName(name)} = excluded.${quoteName(name)}`,
  );
  const action = replaces ? `DO UPDATE SET ${sets.join(', ')}` : 'DO NOTHING';
  const name = quoteTable(table.name);
  return `INSERT INTO ${name} AS t (${list('')}) OVERRIDING SYSTEM VALUE
    SELECT ${list('copy.')} FROM sandglass.removed r, json_populate_record(NULL::${name}, r."row") AS copy WHERE r.id = $1::bigint
    ON CONFLICT (${table.key.map(part => quoteName(part.name)).join(', ')}) ${action}`;
}

function notKept(id: string): SandglassError {
  return new SandglassError(
    'EXPIRED_NOT_FOUND',
    'No copy is kept: it was restored, the time for which its index keeps copies has ended, or its table was dropped.',
    { id },
  );
}

function keyInUse({ collection }: GovernedTable, key: readonly string[]): SandglassError {
  return new SandglassError(
    'DOCUMENT_EXISTS',
    `${collection} has a row with the key ${key.join(', ')} that was inserted since. Overwrite it (replace), or leave it.`,
    { collection, key },
  );
}

/** Throws what is no refusal of this one, such as a lost connection. */
function refusalOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) throw error;
  // A trigger may refuse a row with any code.
  const isRefusal =
    error instanceof SandglassError ? error.code !== 'SERVER_UNREACHABLE' : sqlStateOf(error) !== null;
  if (!isRefusal) throw error;
  return {
    code: error instanceof SandglassError ? error.code : 'EXPECTATION_FAILED',
    message: error.message,
  };
}

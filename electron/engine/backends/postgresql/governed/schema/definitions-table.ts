import { z } from 'zod';
import { partitionPolicy, storedDefinition } from '../../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import {
  noSuchIndex,
  type Pause,
  type TtlIndexDefinition,
} from '../../../../../../shared/model/ttl-index.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import { type RowDefinition, rowDefinition, type TableDefinition } from '../definition.ts';
import type { GovernedTable } from '../table-facts.ts';
import { recordChange } from './history-table.ts';
import { endHoldsOf } from './holds-table.ts';
import { lockTableSql } from './table-lock.ts';

export interface DefinitionRow {
  id: number;
  oid: number;
  schema: string;
  table: string;
  name: string;
  definition: unknown;
  ownerRole: string;
  revision: number;
  isConfirmed: boolean;
  lookedAt: number;
  pausedBy: string | null;
  pausedAt: number | null;
  createdAt: number;
  createdBy: string;
}

/** Definitions of tables that were dropped are left out. */
const SELECT = `
  SELECT d.id, c.oid, n.nspname AS schema, c.relname AS "table", d.name, d.definition,
    d.owner_role AS "ownerRole", d.revision, d.paused_by AS "pausedBy",
    coalesce(d.confirmed_revision = d.revision, false) AS "isConfirmed",
    extract(epoch FROM greatest(d.looked_at, d.effective_at))::float8 * 1000 AS "lookedAt",
    extract(epoch FROM d.paused_at)::float8 * 1000 AS "pausedAt",
    extract(epoch FROM d.created_at)::float8 * 1000 AS "createdAt", d.created_by AS "createdBy"
  FROM sandglass.definitions d JOIN pg_catalog.pg_class c ON c.oid = d.relation
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

/**
 * Returns all definitions, oldest first: the order in which equal deadlines act [R4]. Calls `onInvalid` for each that this
 * version cannot act on, as one of a later version, and leaves it out.
 */
export async function readDefinitions(
  session: Session,
  onInvalid: (name: string, error: unknown) => void,
): Promise<TableDefinition[]> {
  const { rows } = await session.query<DefinitionRow>(`${SELECT} ORDER BY d.id`);
  return rows.flatMap(row => {
    try {
      return [tableDefinition(row)];
    } catch (error) {
      onInvalid(`${row.schema}.${row.table}, ${row.name}`, error);
      return [];
    }
  });
}

/** Throws TTL_INDEX_NOT_FOUND. */
export async function readDefinition(
  session: Session,
  table: GovernedTable,
  name: string,
): Promise<TableDefinition> {
  const { rows } = await session.query<DefinitionRow>(
    `${SELECT} WHERE d.relation = $1::oid AND d.name = $2`,
    [table.oid, name],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchIndex(table.collection, name);
  return tableDefinition(row);
}

/** Stores a definition and its history. Throws TTL_INDEX_EXISTS. */
export async function createDefinition(
  session: Session,
  table: GovernedTable,
  definition: RowDefinition,
  { by, isConfirmed = false }: { by: string; isConfirmed?: boolean | undefined },
): Promise<void> {
  const { name } = definition;
  await inTransaction(session, async () => {
    const { rowCount } = await session.query(
      `INSERT INTO sandglass.definitions (relation, name, definition, owner_role, created_by, confirmed_revision)
        VALUES ($1::oid, $2, $3, current_user, $4, CASE WHEN $5::boolean THEN 1 END) ON CONFLICT DO NOTHING`,
      [table.oid, name, storedForm(definition), by, isConfirmed],
    );
    if (rowCount === 0)
      throw new SandglassError('TTL_INDEX_EXISTS', `${table.collection} has a TTL index named ${name}.`);
    await recordChange(session, table, {
      name,
      by,
      change: 'create',
      before: null,
      after: storedForm(definition),
    });
    await countChange(session);
  });
}

/** Replaces a definition, whose owner is then the caller's role. Throws TTL_INDEX_NOT_FOUND. */
export async function changeDefinition(
  session: Session,
  table: GovernedTable,
  definition: RowDefinition,
  {
    by,
    change,
    isConfirmed = false,
  }: { by: string; change: 'change' | 'revert'; isConfirmed?: boolean | undefined },
): Promise<void> {
  const { name } = definition;
  await inTransaction(session, async () => {
    const before = await locked(session, table, name);
    await session.query(
      `UPDATE sandglass.definitions SET definition = $3, revision = revision + 1, effective_at = clock_timestamp(),
        confirmed_revision = CASE WHEN $4::boolean THEN revision + 1 END
        WHERE relation = $1::oid AND name = $2`,
      [table.oid, name, storedForm(definition), isConfirmed],
    );
    await endHoldsOf(session, table, name);
    await recordChange(session, table, { name, by, change, before, after: storedForm(definition) });
    await countChange(session);
  });
}

/** Throws TTL_INDEX_NOT_FOUND. */
export async function dropDefinition(
  session: Session,
  table: GovernedTable,
  name: string,
  by: string,
): Promise<void> {
  await inTransaction(session, async () => {
    const before = await locked(session, table, name);
    await session.query('DELETE FROM sandglass.definitions WHERE relation = $1::oid AND name = $2', [
      table.oid,
      name,
    ]);
    await endHoldsOf(session, table, name);
    await recordChange(session, table, { name, by, change: 'drop', before, after: null });
    await countChange(session);
  });
}

/** Pauses or, with null, resumes a TTL index [R6]. It applies from the next batch. Throws TTL_INDEX_NOT_FOUND. */
export async function pauseDefinition(
  session: Session,
  table: GovernedTable,
  name: string,
  { pause, by }: { pause: Pause | null; by: string },
): Promise<void> {
  await inTransaction(session, async () => {
    const definition = await locked(session, table, name);
    await session.query(
      `UPDATE sandglass.definitions SET paused_by = $3::text, paused_at = to_timestamp($4::float8 / 1000),
        revision = revision + 1, confirmed_revision = CASE WHEN confirmed_revision = revision THEN revision + 1 END,
        effective_at = CASE WHEN $3::text IS NULL THEN clock_timestamp() ELSE effective_at END
        WHERE relation = $1::oid AND name = $2`,
      [table.oid, name, pause?.by ?? null, pause?.since ?? null],
    );
    const change = pause === null ? 'resume' : 'pause';
    await recordChange(session, table, { name, by, change, before: definition, after: definition });
    await countChange(session);
  });
}

/** Records that the effect of a definition, as it was read, was confirmed or found small [R8]. */
export async function confirmDefinition(session: Session, { id, revision }: TableDefinition): Promise<void> {
  await session.query(
    'UPDATE sandglass.definitions SET confirmed_revision = $2 WHERE id = $1 AND revision = $2',
    [id, revision],
  );
}

/** Records a look of a schedule [R1]: an instant of the server's clock as text. */
export async function recordLook(session: Session, { id }: TableDefinition, at: string): Promise<void> {
  await session.query('UPDATE sandglass.definitions SET looked_at = $2::timestamptz WHERE id = $1', [id, at]);
}

const withPartitions = z.object({ partitions: partitionPolicy.optional() });

/** The definition without its name, as `sandglass.definitions` and the history have it. */
function storedForm({ name: _, ...definition }: RowDefinition): string {
  return JSON.stringify(definition);
}

function tableDefinition(row: DefinitionRow): TableDefinition {
  const { id, oid, schema, table, ownerRole, revision, pausedBy, pausedAt, createdAt, createdBy } = row;
  const { isConfirmed, lookedAt } = row;
  return {
    id,
    oid,
    table: { schema, table },
    definition: readStoredForm(row.name, row.definition),
    ownerRole,
    revision,
    isConfirmed,
    lookedAt,
    paused: pausedAt === null ? null : { by: pausedBy ?? '', since: pausedAt },
    createdAt,
    createdBy,
  };
}

/** Returns a stored definition. Throws INVALID_TTL_INDEX for one that this version cannot act on. */
function readStoredForm(name: string, stored: unknown): RowDefinition {
  const definition: TtlIndexDefinition = { name, ...storedDefinition.parse(stored) };
  const { partitions } = withPartitions.parse(stored);
  return rowDefinition(definition, partitions);
}

/**
 * Returns the stored form of a definition, which no other session changes until the transaction ends. Waits for the running
 * batch of the table: after the transaction nothing is removed by the definition as it was.
 */
async function locked(session: Session, table: GovernedTable, name: string): Promise<string> {
  await session.query(lockTableSql(table.oid));
  const { rows } = await session.query<{ definition: unknown }>(
    'SELECT definition FROM sandglass.definitions WHERE relation = $1::oid AND name = $2 FOR UPDATE',
    [table.oid, name],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchIndex(table.collection, name);
  return JSON.stringify(row.definition);
}

/** Reapers read the definitions again when this number has changed. */
async function countChange(session: Session): Promise<void> {
  await session.query('UPDATE sandglass.state SET revision = revision + 1');
}

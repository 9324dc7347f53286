import { NEVER } from '../../../expiry/deadline.ts';
import type { PartOptions, PartResult } from '../../backend.ts';
import type { ExplicitInstant } from '../../port/explicit-instant.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { quoteName, quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { governingDeadline } from '../governed/deadline/row-deadlines.ts';
import { withPartitions } from '../governed/partitions/whole-partitions.ts';
import { setRowExpirations } from '../governed/schema/expirations-table.ts';
import { readTable } from '../governed/table-facts.ts';
import { keyOfId, noSuchRow, type RowKey } from '../rows/row-id.ts';
import { isRowOfKeySql, keysSql } from '../rows/row-keys.ts';
import type { GovernanceSnapshot } from './governance-snapshot.ts';
import { schemaMissing } from './schema-missing.ts';

/** Rows that one transaction changes. */
const PART = 500;

type PartCounts = Omit<PartResult, 'revision'>;

interface Change {
  readonly ids: readonly string[];
  readonly at: ExplicitInstant;
  readonly by: string;
  readonly isOver?: PartOptions['isOver'];
}

/**
 * Sets the deadlines of rows [E1]: in the column that holds them, where a TTL index reads one; otherwise, and for *never*, in
 * `sandglass.expirations`. Clearing removes what is there and leaves the column alone.
 */
export async function setExpirations(
  session: Session,
  snapshot: GovernanceSnapshot,
  entry: TableEntry,
  { ids, at: { at }, by, isOver }: Change,
): Promise<PartCounts> {
  if (!snapshot.hasSchema) throw schemaMissing();
  const table = await readTable(session, entry.collection);
  const column = typeof at === 'number' && at !== NEVER ? deadlineColumn(snapshot, entry) : null;
  const result: PartCounts = { succeeded: 0, failed: [] };
  for (let from = 0; from < ids.length; from += PART) {
    if (from > 0 && isOver?.() === true) return { ...result, left: ids.length - from };
    const part = ids.slice(from, from + PART);
    const keys = part.map(id => [...keyOfId(entry, id)]);
    const expiration = column === null && at !== null ? (at === NEVER ? 'never' : at) : null;
    const alongside =
      column === null || typeof at !== 'number'
        ? undefined
        : (present: readonly RowKey[]) => setColumn(session, entry, { column, keys: present, at });
    const { missing } = await setRowExpirations(session, table, keys, { expiration, by, alongside });
    const gone = new Set(missing.map(key => JSON.stringify(key)));
    part.forEach((id, i) => {
      if (!gone.has(JSON.stringify(keys[i]))) result.succeeded += 1;
      else {
        const { code, message } = noSuchRow(entry.collection, id);
        result.failed.push({ _id: id, code, message });
      }
    });
  }
  return result;
}

/** The column that holds the deadlines of the table's only TTL index; null: none does. */
function deadlineColumn({ indexes }: GovernanceSnapshot, { collection }: TableEntry): string | null {
  const [only, ...others] = indexes.get(collection) ?? [];
  if (only === undefined || others.length > 0) return null;
  const { definition } = only.index.definition;
  const { source } = definition;
  const isInstant = only.index.deadlines?.type.startsWith('timestamp') === true;
  const isWritable = only.index.table.columns.some(
    ({ name, isGenerated }) => source.kind === 'field' && name === source.field && !isGenerated,
  );
  return source.kind === 'field' &&
    source.expireAfter === 0 &&
    source.zone === undefined &&
    isInstant &&
    isWritable
    ? source.field
    : null;
}

async function setColumn(
  session: Session,
  entry: TableEntry,
  { column, keys, at }: { column: string; keys: readonly RowKey[]; at: number },
): Promise<void> {
  // A timestamp without zone takes the instant in UTC, the time zone of the session.
  await session.query(
    `UPDATE ${quoteTable(entry.name)} t SET ${quoteName(column)} = to_timestamp($2::float8 / 1000)
      FROM ${keysSql} k WHERE ${isRowOfKeySql(entry)}`,
    [JSON.stringify(keys), at],
  );
}

/** Counts the rows that a change makes due by an instant, epoch ms, and that are not due by then now. */
export async function countDueAfter(
  session: Session,
  snapshot: GovernanceSnapshot,
  entry: TableEntry,
  { ids, at: { at }, by }: { ids: readonly string[]; at: ExplicitInstant; by: number },
): Promise<number> {
  if (!snapshot.hasSchema) throw schemaMissing();
  if (at === NEVER || (at !== null && at > by)) return 0;
  const table = await readTable(session, entry.collection);
  const governing = (snapshot.indexes.get(entry.collection) ?? []).flatMap(({ index }) =>
    index.deadlines === null
      ? []
      : [{ definition: index.definition, deadlines: withPartitions(index.deadlines, index.partitions) }],
  );
  const { deadline, byIndexes } = governingDeadline(table, governing);
  const after = at === null ? byIndexes : 'to_timestamp($2::float8 / 1000)';
  const { rows } = await session.query<{ due: number }>(
    `SELECT count(*)::int4 AS due FROM ${quoteTable(entry.name)} t
      WHERE ${table.key.length === 0 ? 'false' : `(${keyOf(entry)}) IN (SELECT ${keysOf(entry)} FROM ${keysSql} k)`}
        AND ${after} <= to_timestamp($2::float8 / 1000) AND coalesce(${deadline} > to_timestamp($2::float8 / 1000), true)`,
    [JSON.stringify(ids.map(id => keyOfId(entry, id))), by],
  );
  return rows[0]?.due ?? 0;
}

function keyOf({ key }: TableEntry): string {
  return key.map(({ name }) => `t.${quoteName(name)}`).join(', ');
}

function keysOf({ key }: TableEntry): string {
  return key.map(({ type }, i) => `(k.key->>${i})::${type}`).join(', ');
}

import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { stringifyJson } from '../../../../../../shared/model/json/json.ts';
import type { WriteMode } from '../../../port/writes.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import { quoteName, quoteTable } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import { existingIds } from '../row-keys.ts';
import type { IncomingRow } from './incoming-row.ts';

/** Outcome of a row: written, or the refusal. */
export type RowOutcome = 'inserted' | 'updated' | SandglassError;

/**
 * Writes rows by one statement for all that have the same columns and, where that fails, in halves, so that each row
 * succeeds or fails alone. Values are cast by the server to the types of their columns. Call it outside of a transaction.
 * Throws SERVER_UNREACHABLE.
 */
export async function insertRows(
  session: Session,
  entry: TableEntry,
  rows: readonly IncomingRow[],
  mode: WriteMode,
): Promise<Map<IncomingRow, RowOutcome>> {
  const outcomes = new Map<IncomingRow, RowOutcome>();
  const existing = await existingIds(
    session,
    entry,
    rows.flatMap(({ id }) => id ?? []),
  );
  const isThere = ({ id }: IncomingRow) => id !== null && existing.has(id);
  const wanted = rows.filter(row => mode === 'upsert' || !isThere(row));
  for (const row of rows) if (!wanted.includes(row)) outcomes.set(row, rowExists(entry, row));
  const byColumns = Map.groupBy(wanted, ({ values }) => Object.keys(values).sort().join('\n'));
  for (const part of byColumns.values()) {
    await insertPart(session, entry, part, {
      mode,
      onOutcome(row, problem) {
        outcomes.set(row, problem ?? (isThere(row) ? 'updated' : 'inserted'));
      },
    });
  }
  return outcomes;
}

interface PartOptions {
  readonly mode: WriteMode;
  onOutcome(row: IncomingRow, problem: SandglassError | null): void;
}

async function insertPart(
  session: Session,
  entry: TableEntry,
  rows: readonly IncomingRow[],
  options: PartOptions,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  try {
    const values = stringifyJson(rows.map(row => row.values));
    await session.query(insertSql(entry, Object.keys(first.values), options.mode), [values]);
    for (const row of rows) options.onOutcome(row, null);
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code === 'SERVER_UNREACHABLE') throw error;
    if (rows.length === 1) return options.onOutcome(first, refusalOf(entry, first, error));
    const middle = Math.floor(rows.length / 2);
    await insertPart(session, entry, rows.slice(0, middle), options);
    await insertPart(session, entry, rows.slice(middle), options);
  }
}

function insertSql({ name, key }: TableEntry, columns: readonly string[], mode: WriteMode): string {
  const table = quoteTable(name);
  const list = columns.map(quoteName).join(', ');
  const values = columns.map(column => `v.${quoteName(column)}`).join(', ');
  const changed = columns.filter(column => !key.some(part => part.name === column));
  const sets = changed.map(column => `${quoteName(column)} = EXCLUDED.${quoteName(column)}`).join(', ');
  const target = key.map(part => quoteName(part.name)).join(', ');
  const onConflict =
    mode === 'insert'
      ? ''
      : ` ON CONFLICT (${target}) DO ${changed.length === 0 ? 'NOTHING' : `UPDATE SET ${sets}`}`;
  // A key that GENERATED ALWAYS computes keeps its value.
  return `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_populate_recordset(NULL::${table}, $1::json) v${onConflict}`;
}

const UNIQUE_VIOLATION = '23505';

/** Another row, written since or before in the same file, may have the key. */
function refusalOf(entry: TableEntry, row: IncomingRow, error: SandglassError): SandglassError {
  return error.data.sqlState === UNIQUE_VIOLATION
    ? new SandglassError('DOCUMENT_EXISTS', error.message, { collection: entry.collection, _id: row.id })
    : error;
}

function rowExists({ collection }: TableEntry, { id }: IncomingRow): SandglassError {
  return new SandglassError('DOCUMENT_EXISTS', `${collection} has a row ${id} already.`, {
    collection,
    _id: id,
  });
}

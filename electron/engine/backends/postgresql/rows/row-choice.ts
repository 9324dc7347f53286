import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { DocumentQuery } from '../../backend.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { keyColumnsSql, keyOfId } from './row-id.ts';

/** Filter and order of rows. */
export type RowChoice = Omit<DocumentQuery, 'collection' | 'limit' | 'clip'>;

/** Parameters of a statement, each with its place. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder of a value. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Place of the last row of a page. */
export interface Cursor {
  readonly key: readonly string[];
  /** As the server writes it, only in order of deadlines; null: the row has none. */
  readonly deadline?: string | null;
}

export function encodeCursor({ key, deadline }: Cursor): string {
  return JSON.stringify(deadline === undefined ? [key] : [key, deadline]);
}

/** Throws BAD_REQUEST. */
function decodeCursor(text: string): Cursor {
  const wrong = () =>
    new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', { after: text });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong();
    throw error;
  }
  if (!Array.isArray(value)) throw wrong();
  const [key, deadline]: unknown[] = value;
  if (!Array.isArray(key)) throw wrong();
  const parts: unknown[] = key;
  if (!parts.every(part => typeof part === 'string')) throw wrong();
  if (deadline === undefined || deadline === null || typeof deadline === 'string')
    return deadline === undefined ? { key: parts } : { key: parts, deadline };
  throw wrong();
}

/** Conditions and order of a list of rows, over the columns of the table with alias `t`, and the deadline `deadline`. */
export interface ChoiceSql {
  /** Null: no row can match. */
  readonly where: readonly string[] | null;
  readonly orderBy: string;
  readonly isByDeadline: boolean;
}

/** Returns the SQL of a choice. Throws BAD_REQUEST for what does not go together, NOT_SUPPORTED for a condition in CEL. */
export function choiceSql(
  entry: TableEntry,
  choice: RowChoice,
  { deadline, from }: { deadline: string; from: string },
  parameters: Parameters,
): ChoiceSql {
  checkChoice(choice);
  const { sort, order, index, reason, startAt, after } = choice;
  const isByDeadline = sort === 'deadline';
  const where: string[] = [];
  const ofState = stateSql(choice, deadline);
  if (ofState === null) return { where: null, orderBy: '', isByDeadline };
  where.push(...ofState, ...spanSql(choice, deadline, parameters));
  if (reason !== undefined) where.push(`${deadline} IS NULL`);
  else if (index !== undefined) where.push(`${from} = ${parameters.add(index)}`);
  const columns = keyColumnsSql(entry, 't');
  if (startAt !== undefined)
    where.push(
      `${rowSql(columns)} ${order === 'asc' ? '>=' : '<='} ${keySql(entry, keyOfId(entry, startAt), parameters)}`,
    );
  if (after !== undefined) where.push(afterSql(entry, decodeCursor(after), { order, deadline }, parameters));
  const byKey = columns.map(column => `${column} ${order}`);
  const orderBy = isByDeadline ? [`${deadline} ${order} NULLS LAST`, ...byKey] : byKey;
  // Rows without a key come in the order in which they are stored, which no index has.
  const isOrdered = isByDeadline || entry.hasPrimaryKey || entry.isPartitioned || order === 'desc';
  return { where, orderBy: isOrdered ? `ORDER BY ${orderBy.join(', ')}` : '', isByDeadline };
}

function checkChoice({ sort, cel, startAt, state, index, reason, dueFrom, dueTo }: RowChoice): void {
  if (cel !== undefined && cel.trim() !== '') {
    throw new SandglassError('NOT_SUPPORTED', 'Conditions in CEL are not offered for tables.', {
      feature: 'contentFilter',
    });
  }
  if (sort === 'updatedAt') {
    throw new SandglassError('BAD_REQUEST', 'Rows cannot be sorted by updatedAt. Sort by _id or deadline.', {
      sort,
    });
  }
  const isFiltered = (state ?? index ?? reason ?? dueFrom ?? dueTo) !== undefined;
  if (startAt !== undefined && (sort !== '_id' || isFiltered)) {
    throw new SandglassError(
      'BAD_REQUEST',
      '`startAt` is an `_id`: it goes with `sort: _id`, and not with state, index, reason, dueFrom or dueTo.',
      { startAt, sort },
    );
  }
}

/** The clock of the server judges [D10]. Null: no row of a table can have the state. */
function stateSql({ state }: RowChoice, deadline: string): string[] | null {
  switch (state) {
    case undefined:
      return [];
    case 'overdue':
      return [`${deadline} <= statement_timestamp()`];
    case 'soon':
      return [
        `${deadline} > statement_timestamp()`,
        `${deadline} < statement_timestamp() + interval '1 hour'`,
      ];
    case 'live':
      return [`${deadline} >= statement_timestamp() + interval '1 hour'`];
    case 'never':
      return [`${deadline} IS NULL`];
    default:
      return null;
  }
}

function spanSql({ dueFrom, dueTo }: RowChoice, deadline: string, parameters: Parameters): string[] {
  const instant = (ms: number) => `to_timestamp(${parameters.add(ms)}::float8 / 1000)`;
  return [
    ...(dueFrom === undefined ? [] : [`${deadline} >= ${instant(dueFrom)}`]),
    ...(dueTo === undefined ? [] : [`${deadline} < ${instant(dueTo)}`]),
  ];
}

function afterSql(
  entry: TableEntry,
  { key, deadline: last }: Cursor,
  { order, deadline }: { order: 'asc' | 'desc'; deadline: string },
  parameters: Parameters,
): string {
  if (key.length !== entry.key.length)
    throw new SandglassError('BAD_REQUEST', '`after` is of another table, or its primary key has changed.');
  const beyond = order === 'asc' ? '>' : '<';
  const isAfterKey = `${rowSql(keyColumnsSql(entry, 't'))} ${beyond} ${keySql(entry, key, parameters)}`;
  if (last === undefined) return isAfterKey;
  if (last === null) return `(${deadline} IS NULL AND ${isAfterKey})`;
  const at = `${parameters.add(last)}::timestamptz`;
  return `(${deadline} ${beyond} ${at} OR ${deadline} IS NULL OR (${deadline} = ${at} AND ${isAfterKey}))`;
}

function keySql({ key }: TableEntry, values: readonly string[], parameters: Parameters): string {
  return rowSql(key.map(({ type }, i) => `${parameters.add(values[i] ?? '')}::text::${type}`));
}

/** A comparison of rows is served by the index of the key; one column is compared without the row. */
function rowSql(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(', ')})`;
}

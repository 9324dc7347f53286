import type { Column } from '../catalog/columns.ts';
import { quoteName } from '../connection/quoting.ts';

/** Stored bytes of a value above which a clipped row has only its beginning. */
const LONG_VALUE_BYTES = 1_024;
const BEGINNING_CHARACTERS = 256;

/** Returns the SQL of a value; a subquery has them by number, since its own names must differ from those of the table. */
type ValueSql = (column: Column, place: number) => string;

export const byName =
  (row: string): ValueSql =>
  ({ name }) =>
    `${row}.${quoteName(name)}`;

/** Returns the SQL of a row's columns as JSON; with `isClipped`, of long values only the beginning, as text. */
export function documentSql(columns: readonly Column[], sqlOf: ValueSql, isClipped: boolean): string {
  const values = columns.map((column, place) => {
    const value = sqlOf(column, place);
    const json = jsonSql(column, value);
    const shown =
      isClipped && column.isLong
        ? `CASE WHEN pg_column_size(${value}) > ${LONG_VALUE_BYTES} THEN to_json(left(${value}::text, ${BEGINNING_CHARACTERS})) ELSE ${json} END`
        : json;
    return `${shown} AS ${quoteName(column.name)}`;
  });
  // Not json_build_object, which takes 50 columns at most; and not `d`, which may be the name of a column.
  return `(SELECT to_json(d.*)::text FROM (SELECT ${values.join(', ')}) d)`;
}

/** Numbers with more digits than a JavaScript number holds are texts, which a column of numbers accepts as well. */
function jsonSql({ type }: Column, value: string): string {
  if (!type.startsWith('numeric')) return `to_json(${value})`;
  return `CASE WHEN length(${value}::text) > 15 THEN to_json(${value}::text) ELSE to_json(${value}) END`;
}

/** Returns the SQL of the stored bytes of a row's values. */
export function bytesSql(columns: readonly Column[], sqlOf: ValueSql): string {
  const sizes = columns.map((column, place) => `coalesce(pg_column_size(${sqlOf(column, place)}), 0)`);
  // A bigint, as CockroachDB's pg_column_size is, would be read as text.
  return sizes.length === 0 ? '0' : `(${sizes.join(' + ')})::float8`;
}

/** Returns the condition that a clipped row is not complete. */
export function isClippedSql(columns: readonly Column[], sqlOf: ValueSql): string {
  const sizes = columns.flatMap((column, place) =>
    column.isLong ? [`pg_column_size(${sqlOf(column, place)})`] : [],
  );
  return sizes.length === 0
    ? 'false'
    : `coalesce(greatest(${sizes.join(', ')}) > ${LONG_VALUE_BYTES}, false)`;
}

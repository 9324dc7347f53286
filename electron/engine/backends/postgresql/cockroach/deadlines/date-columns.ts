import type { FieldCandidate } from '../../../../../../shared/contract/ttl-indexes.ts';
import type { Column } from '../../catalog/columns.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import { quoteName, quoteTable } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import { EXPIRATION_COLUMN } from '../ttl/ttl-definition.ts';

/** Rows that are read, the first ones of the table. */
const SAMPLE = 1_000;

interface Sampled {
  rows: number;
  dates: number;
  example: string | null;
  earliest: number | null;
  latest: number | null;
}

/** Returns the columns of dates, those with the most first. */
export async function readDateColumns(
  session: Session,
  { name: table }: TableEntry,
  columns: readonly Column[],
): Promise<{ sampled: number; fields: FieldCandidate[] }> {
  let sampled = 0;
  const fields: FieldCandidate[] = [];
  for (const { name, type } of columns) {
    if (!/^(timestamp|date)\b/.test(type) || name === EXPIRATION_COLUMN) continue;
    const { rows } = await session.query<Sampled>(
      `SELECT count(*)::float8 AS rows, count(s.value)::float8 AS dates, min(s.value)::text AS example,
          extract(epoch FROM min(s.value))::float8 * 1000 AS earliest, extract(epoch FROM max(s.value))::float8 * 1000 AS latest
        FROM (SELECT t.${quoteName(name)} AS value FROM ${quoteTable(table)} AS t LIMIT ${SAMPLE}) AS s`,
    );
    const [found] = rows;
    if (found === undefined) continue;
    sampled = found.rows;
    fields.push({
      field: name,
      present: found.dates,
      dates: found.dates,
      types: [type],
      unit: null,
      format: type,
      example: found.example,
      earliestAt: found.earliest,
      latestAt: found.latest,
      offers: [],
    });
  }
  return { sampled, fields: fields.toSorted((a, b) => b.dates - a.dates) };
}

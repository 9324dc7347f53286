import type { FieldCandidate } from '../../../../../shared/contract/ttl-indexes.ts';
import type { TimeUnit } from '../../../../../shared/model/reference-time.ts';
import { quoteName } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { readingOf } from '../governed/deadline/instant-reading.ts';
import { type Column, type GovernedTable, tableSql } from '../governed/table-facts.ts';

/** Rows that are read, the first ones of the table. */
const SAMPLE = 1_000;

interface Sampled {
  rows: number;
  present: number;
  dates: number;
  example: string | null;
  earliest: number | null;
  latest: number | null;
}

/** Returns the columns that hold instants, those with the most first. */
export async function readCandidates(
  session: Session,
  table: GovernedTable,
): Promise<{ sampled: number; fields: FieldCandidate[] }> {
  let sampled = 0;
  const fields: FieldCandidate[] = [];
  for (const column of table.columns) {
    const best = await bestReading(session, table, column);
    if (best === null) continue;
    const { unit, found } = best;
    sampled = found.rows;
    fields.push({
      field: column.name,
      present: found.present,
      dates: found.dates,
      types: [column.type],
      unit,
      format: unit ?? column.type,
      example: found.example,
      earliestAt: found.earliest,
      latestAt: found.latest,
      offers: [],
    });
  }
  return { sampled, fields: fields.toSorted((a, b) => b.dates - a.dates) };
}

/** Of a column of numbers, the unit in which most are instants; null: the column cannot hold any. */
async function bestReading(
  session: Session,
  table: GovernedTable,
  column: Column,
): Promise<{ unit: TimeUnit | null; found: Sampled } | null> {
  const isNumber = readingOf(column.type, { unit: 'seconds' })?.refused === 'wrong unit suspected';
  const units: TimeUnit[] = isNumber ? ['seconds', 'milliseconds'] : ['seconds'];
  let best: { unit: TimeUnit | null; found: Sampled } | null = null;
  for (const unit of units) {
    const found = await sample(session, table, column, unit);
    // A counter is below every plausible count of seconds since 2001.
    const isPlausible = !isNumber || (found?.earliest ?? 0) >= Date.UTC(2001, 0);
    if (found !== null && isPlausible && found.dates >= (best?.found.dates ?? 0))
      best = { unit: isNumber ? unit : null, found };
  }
  return best;
}

async function sample(
  session: Session,
  table: GovernedTable,
  { name, type }: Column,
  unit: TimeUnit,
): Promise<Sampled | null> {
  const reading = readingOf(type, { unit });
  if (reading === null) return null;
  const isInstant = `s.value >= ${reading.lowest} AND s.value < ${reading.beyond}`;
  const at = `extract(epoch FROM CASE WHEN ${isInstant} THEN ${reading.instantOf('s.value')} END)::float8 * 1000`;
  const { rows } = await session.query<Sampled>(
    `SELECT count(*)::int4 AS rows, count(s.value)::int4 AS present, count(*) FILTER (WHERE ${isInstant})::int4 AS dates,
        min(s.value)::text AS example, min(${at}) AS earliest, max(${at}) AS latest
      FROM (SELECT t.${quoteName(name)} AS value FROM ${tableSql(table, 't')} LIMIT ${SAMPLE}) AS s`,
  );
  return rows[0] ?? null;
}

import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Session } from '../connection/session.ts';
import type { TableEntry } from './table-entry.ts';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** As `format_type` writes it: `timestamp with time zone`, `character varying(20)`. */
  readonly type: string;
  /** Values may be long: text, JSON, arrays. */
  readonly isLong: boolean;
  /** The server computes it: it is never written. */
  readonly isGenerated: boolean;
}

/** Returns the columns that the user may read, in the order of the table. Throws COLLECTION_NOT_FOUND. */
export async function readColumns(session: Session, { oid, collection }: TableEntry): Promise<Column[]> {
  const { rows } = await session.query<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attlen = -1 AS "isLong",
        (a.attgenerated <> '' OR a.attidentity = 'a') AS "isGenerated"
      FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum`,
    [oid],
  );
  if (rows.length === 0) throw noSuchTable(collection);
  return rows;
}

export function noSuchTable(collection: string): SandglassError {
  return new SandglassError('COLLECTION_NOT_FOUND', `There is no table named ${collection}.`, { collection });
}

import Sqlite from 'better-sqlite3';
import type { CheckResult } from '../../backend.ts';
import { EXPLICIT_SOURCE } from '../tables/explicit-source.ts';
import { metaValue } from '../tables/meta.ts';
import { type Database, openForReading } from './database.ts';

const MOST_PROBLEMS = 100;

/**
 * Checks a store's file table by table and counts each collection's documents again, in one snapshot. `onProgress`
 * receives numbers of documents after each collection, and may throw to end the check.
 */
export function checkFile(file: string, onProgress: (done: number, total: number) => void): CheckResult {
  const db = openForReading(file);
  try {
    db.exec('BEGIN');
    const collections = db
      .prepare<[], { id: number; name: string; documents: number }>(
        'SELECT id, name, documents FROM collections ORDER BY id',
      )
      .all();
    const total = collections.reduce((sum, { documents }) => sum + documents, 0);
    const problems: string[] = [];
    const tables = tableNames(db);
    let done = 0;
    for (const table of tables.filter(name => !/^(documents|keys)_/.test(name))) {
      const found = integrityOf(db, table);
      problems.push(...found);
      if (found.length === 0) problems.push(...malformedIn(db, table));
      onProgress(done, total);
    }
    for (const { id, name, documents } of collections) {
      problems.push(...integrityOf(db, `documents_${id}`), ...integrityOf(db, `keys_${id}`));
      const counted = livingDocuments(db, id);
      if (counted !== documents)
        problems.push(`Collection ${name} is counted with ${documents} documents and has ${counted}.`);
      done += documents;
      onProgress(done, total);
    }
    return { documents: total, problems: problems.slice(0, MOST_PROBLEMS) };
  } finally {
    db.close();
  }
}

/**
 * Runs VACUUM on its own connection, while no transaction is open. On a connection in use, changing `temp_store` would
 * drop its temporary tables, which prepared statements refer to.
 */
export function vacuum(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
  try {
    // The temporary copy may be as large as the store.
    db.pragma('temp_store = FILE');
    db.exec('VACUUM');
  } finally {
    db.close();
  }
}

function tableNames(db: Database): string[] {
  return db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all();
}

/** SQLite's line for a page that it cannot read; its other lines say what is wrong. */
const UNREADABLE_PAGE = 'database disk image is malformed';

function integrityOf(db: Database, table: string): string[] {
  const found = db.prepare<[], string>(`PRAGMA integrity_check('${table}')`).pluck().all();
  return found
    .filter(line => line !== 'ok')
    .map(line => `Table ${table}: ${line === UNREADABLE_PAGE ? 'a page of it is damaged' : line}`);
}

/** Columns with the JSON of many removals, by table. */
const JSON_OF_MANY: Readonly<Record<string, string>> = { removals: 'packed', retained: 'lengths' };

/** SQLite's own check does not read JSON. */
function malformedIn(db: Database, table: string): string[] {
  const column = JSON_OF_MANY[table];
  if (column === undefined) return [];
  const rows = db
    .prepare<[], number>(`SELECT count(*) FROM ${table} WHERE json_valid(${column}) = 0`)
    .pluck()
    .get();
  if (rows === undefined || rows === 0) return [];
  return [
    `Table ${table}: ${rows} ${rows === 1 ? 'row has' : 'rows have'} a list of documents that cannot be read`,
  ];
}

/** Counts rows without tombstones and without those of expired intervals, some of which may be both. */
function livingDocuments(db: Database, id: number): number {
  const intervals = db
    .prepare<[number], { table: number; through: number; source: number }>(
      `SELECT index_table AS "table", max(through_reference) AS through, source FROM expired_intervals
       WHERE collection = ? AND freed = 0 GROUP BY index_table`,
    )
    .all(id)
    .map(
      ({ table, through, source }) =>
        `UNION SELECT row FROM entries_${table} AS e JOIN documents_${id} AS d USING (row)
         WHERE e.reference BETWEEN 0 AND ${through}
           AND d.explicit_at IS ${source === EXPLICIT_SOURCE ? 'e.reference' : 'NULL'} AND NOT EXISTS
           (SELECT 1 FROM late_entries AS l
            WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)`,
    );
  const rows = db.prepare<[], number>(`SELECT count(*) FROM documents_${id}`).pluck().get() ?? 0;
  const dead =
    db
      .prepare<[number], number>(
        `SELECT count(*) FROM
           (SELECT DISTINCT r.row FROM
              (SELECT coalesce(each.value, removals.row) AS row
               FROM removals LEFT JOIN json_each(CASE WHEN json_valid(packed) THEN packed END, '$[1]') AS each
               WHERE collection = ? AND gone = 1 AND seq > ${metaValue('swept')}) AS r
            JOIN documents_${id} AS d ON d.row = r.row ${intervals.join(' ')})`,
      )
      .pluck()
      .get(id) ?? 0;
  return rows - dead;
}

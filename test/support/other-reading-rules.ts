import Sqlite from 'better-sqlite3';
import { READING_RULES_VERSION } from '../../shared/model/reading-rules.ts';

const LEVELS = [1_000, 60_000, 3_600_000, 86_400_000];

/**
 * Changes a closed store to one whose TTL indexes were built by another version of the reading rules, which read every date
 * `shiftMs` later. Its entries and counts agree with each other, but not with the documents.
 */
export function asOfOtherRules(file: string, shiftMs: number): void {
  const db = new Sqlite(file);
  const tables = db
    .prepare<[], { side: number; governedTable: number | null }>(
      'SELECT side, governed_side AS governedTable FROM ttl_indexes WHERE dropped_at IS NULL',
    )
    .all()
    .flatMap(({ side, governedTable }) => (governedTable === null ? [side] : [side, governedTable]));
  for (const table of tables) {
    db.exec(`
      CREATE TEMP TABLE shifted AS
        SELECT CASE WHEN reference < 0 THEN reference ELSE max(0, reference + ${shiftMs}) END, row, bytes
        FROM entries_${table};
      DELETE FROM entries_${table};
      INSERT INTO entries_${table} SELECT * FROM shifted;
      DROP TABLE shifted;
      DELETE FROM counts_${table} WHERE level >= 0;
    `);
    for (const [level, width] of LEVELS.entries())
      db.exec(`
        INSERT INTO counts_${table}
        SELECT ${level}, reference / ${width}, count(*), sum(bytes) FROM entries_${table} WHERE reference >= 0 GROUP BY 2`);
  }
  db.exec(`UPDATE ttl_indexes SET rules = ${READING_RULES_VERSION - 1} WHERE dropped_at IS NULL`);
  db.close();
}

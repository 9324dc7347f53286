import type { Database } from 'better-sqlite3';

/**
 * Tables of expiries that are removed as an interval of an index table, and listed in `removals` afterwards
 * (tables/removals/expired-intervals.ts).
 */
export const EXPIRED_INTERVALS = `
  -- Documents that expired in one commit, as an interval of an index table. A row stays until their rows are freed.
  CREATE TABLE expired_intervals (
    first             INTEGER PRIMARY KEY,  -- removals.seq of the first of them
    documents         INTEGER NOT NULL,     -- so many numbers from there on are theirs
    revision          INTEGER NOT NULL,
    collection        INTEGER NOT NULL,
    source            INTEGER NOT NULL,     -- ttl_indexes.id, 0: explicit
    index_table       INTEGER NOT NULL,
    definition        TEXT NOT NULL,        -- JSON of the index's source as it was; null: explicit
    add_ms            INTEGER NOT NULL,     -- deadline minus reference time
    after_reference   INTEGER NOT NULL,     -- entries after this reference time,
    through_reference INTEGER NOT NULL,     -- and up to this one
    last_row          INTEGER NOT NULL,     -- the highest row of the collection then
    removed_at        INTEGER NOT NULL,
    pass              INTEGER NOT NULL,
    keep_until_at     INTEGER NOT NULL,     -- as in removals
    listed            INTEGER NOT NULL,     -- so many of them are in removals,
    listed_reference  INTEGER NOT NULL,     -- up to the entry with this reference time
    listed_row        INTEGER NOT NULL,     -- and row
    freed             INTEGER NOT NULL,     -- 1: their rows and keys are freed, their entries are not
    retired           INTEGER NOT NULL      -- 1: no index has the table any more
  );

  -- Living entries of an index table at or below its expired intervals: writes that came after them.
  CREATE TABLE late_entries (
    index_table INTEGER NOT NULL, reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (index_table, reference, row)
  ) WITHOUT ROWID;

  -- Expiries of an interval that are restored or purged before they are listed.
  CREATE TABLE unlisted_retention (
    seq           INTEGER PRIMARY KEY,
    keep_until_at INTEGER NOT NULL  -- as in removals
  );
`;

/**
 * Many removals packed into one row of `removals`, and their copies into one row of `retained`
 * (tables/removals/packed-removals.ts).
 */
export const PACKED_REMOVALS = `
  ALTER TABLE removals ADD COLUMN documents INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE removals ADD COLUMN packed TEXT;
  ALTER TABLE retained ADD COLUMN lengths TEXT;
`;

/** All intervals until then are of version 2, with which they began. */
export const RULES_OF_INTERVALS = `
  -- Version of the reading rules that made its entries (shared/model/reading-rules.ts).
  ALTER TABLE expired_intervals ADD COLUMN rules INTEGER NOT NULL DEFAULT 2;
`;

/** Widths of the buckets that count late entries, ms: at these levels above the four that count other entries. */
const LATE_WIDTHS = [1_000, 60_000, 3_600_000, 86_400_000];
const FIRST_LATE_LEVEL = 4;

/** Adds the rules of intervals, and counts late entries as they have been counted since. */
export function addRulesAndLateCounts(db: Database): void {
  db.exec(RULES_OF_INTERVALS);
  const tables = db
    .prepare<[], number>(
      `SELECT DISTINCT index_table FROM late_entries
       JOIN sqlite_schema ON type = 'table' AND name = 'counts_' || index_table`,
    )
    .pluck()
    .all();
  for (const table of tables)
    for (const [i, width] of LATE_WIDTHS.entries())
      db.exec(
        `INSERT INTO counts_${table} (level, bucket, documents, bytes)
         SELECT ${FIRST_LATE_LEVEL + i}, reference / ${width}, count(*), sum(bytes)
         FROM late_entries WHERE index_table = ${table} GROUP BY 2`,
      );
}

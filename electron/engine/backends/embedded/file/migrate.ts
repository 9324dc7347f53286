import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { boundExpirations } from './migrations/bounded-expirations.ts';
import { COLLECTION_NAMES } from './migrations/collection-names.ts';
import { addRulesAndLateCounts, EXPIRED_INTERVALS, PACKED_REMOVALS } from './migrations/expired-intervals.ts';
import { FIRST_STEP, THIRD_STEP } from './migrations/first-tables.ts';
import { holdFacts } from './migrations/hold-facts.ts';
import { IMAGES_BY_REVISION } from './migrations/images-by-revision.ts';
import { indexActions } from './migrations/index-of-actions.ts';
import { nameColumnsByUnit } from './migrations/names-and-units.ts';
import { PRESENT_TABLES } from './migrations/present-tables.ts';
import { PURGE_FOLLOWERS } from './migrations/purge-followers.ts';

/** SQLite's application id of a store ("Sgls"): another program's database is refused and not migrated. */
export const APPLICATION_ID = 0x53676c73;

/**
 * Steps from an empty file to today's format; `user_version` of a store is the number of steps applied.
 * Never change a released step: add the next, and change `PRESENT_TABLES`.
 *
 * Tables of one collection or index are created with it (document-tables.ts, index-table.ts).
 */
export const MIGRATIONS: readonly (string | ((db: Database) => void))[] = [
  FIRST_STEP,
  // End of the last pause that also stopped explicit expirations: their lag is counted from then on.
  'ALTER TABLE collections ADD COLUMN resumed_at INTEGER NOT NULL DEFAULT 0',
  db => {
    for (const id of db.prepare<[], number>('SELECT id FROM collections').pluck().all()) {
      // JSON of what happens at an explicit expiration; NULL: it deletes [E1].
      db.exec(`ALTER TABLE documents_${id} ADD COLUMN explicit_action TEXT`);
    }
    db.exec(THIRD_STEP);
    // Identifies the store to followers [V5].
    db.prepare(`INSERT INTO meta VALUES ('storeId', ?)`).run(randomUUID());
  },
  IMAGES_BY_REVISION,
  `
  -- Version of the reading rules that made its entries (shared/model/reading-rules.ts); 0: before versions.
  ALTER TABLE ttl_indexes ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
  -- During a rebuild: how many documents its former entries made due; NULL: no rebuild.
  ALTER TABLE ttl_indexes ADD COLUMN was_due INTEGER;
  `,
  // The action that left a document in its present state: restoring checks that it was not changed since [X4].
  db => {
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'`,
      )
      .pluck();
    for (const table of tables.all()) db.exec(`ALTER TABLE ${table} ADD COLUMN left_by INTEGER`);
  },
  `
  -- The last tick of each index [R1]; unused by an index that acts at each deadline.
  CREATE TABLE looks (
    source INTEGER PRIMARY KEY,  -- ttl_indexes.id
    since  INTEGER NOT NULL,     -- since when the index has its schedule
    at     INTEGER NOT NULL,     -- the look's cutoff; its since before the first one
    state  TEXT NOT NULL         -- open, capped or closed (see expiry/looks.ts)
  );
  INSERT INTO looks SELECT id, effective, effective, 'closed' FROM ttl_indexes WHERE dropped_at IS NULL;
  `,
  // How many actions in a row had left the document due at once before this one [A5].
  'ALTER TABLE removals ADD COLUMN handed INTEGER NOT NULL DEFAULT 0',
  `
  -- New definitions of indexes, built beside the present index table [D8].
  CREATE TABLE successors (
    source     INTEGER PRIMARY KEY,  -- ttl_indexes.id
    definition TEXT NOT NULL,        -- as ttl_indexes.definition
    side       INTEGER NOT NULL,
    built      INTEGER,              -- rows up to here are in it; NULL: all, it waits for confirmation
    by         TEXT NOT NULL,
    since      INTEGER NOT NULL,
    change     TEXT NOT NULL,        -- change or revert
    expected   INTEGER NOT NULL,     -- 1: somebody saw what it makes due [R8]
    rules      INTEGER NOT NULL      -- by which version of the reading rules it is built
  );
  `,
  COLLECTION_NAMES,
  `
  -- JSON of the names of followers whose files a purge did not reach [X4].
  ALTER TABLE purges ADD COLUMN followers TEXT NOT NULL DEFAULT '[]';
  `,
  boundExpirations,
  PURGE_FOLLOWERS,
  holdFacts,
  `
  -- SHA-256 of the token that registered it; '': a caller without one; NULL: registered before this was noted [P1].
  ALTER TABLE followers ADD COLUMN token TEXT;
  `,
  nameColumnsByUnit,
  // Sources of indexes may name date formats [D3]. No table changes: the version makes earlier releases refuse the
  // file, whose definitions they could not read.
  '',
  EXPIRED_INTERVALS,
  PACKED_REMOVALS,
  indexActions,
  `
  -- JSON of the interval that expired in a revision, which followers replay from their own tables [V5]; NULL: none did.
  ALTER TABLE log_images ADD COLUMN expired_interval TEXT;
  `,
  addRulesAndLateCounts,
];

/** Migrates the file to today's format, each step in its own transaction; creates the tables of an empty one. */
export function migrate(db: Database): void {
  if (userVersion(db) === 0) createTables(db);
  for (let version = userVersion(db); version < MIGRATIONS.length; version++) {
    const step = MIGRATIONS[version];
    if (step === undefined) return;
    db.transaction(() => {
      if (typeof step === 'string') db.exec(step);
      else step(db);
      db.pragma(`user_version = ${version + 1}`);
    })();
  }
}

export function userVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function createTables(db: Database): void {
  db.transaction(() => {
    db.exec(PRESENT_TABLES);
    // Identifies the store to followers [V5].
    db.prepare(`INSERT INTO meta VALUES ('storeId', ?)`).run(randomUUID());
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  })();
}

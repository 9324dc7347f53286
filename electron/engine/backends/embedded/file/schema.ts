import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { parseDuration } from '../../../../../shared/model/duration.ts';
import { boundExpirations } from './migrations/bounded-expirations.ts';

/** SQLite's application id of a store ("Sgls"): another program's database is refused and not migrated. */
export const APPLICATION_ID = 0x53676c73;

const THIRD_STEP = `
  -- 0 while it only observes, or waits for confirmation: then it has no effect [R1, R6].
  ALTER TABLE ttl_indexes ADD COLUMN acting INTEGER NOT NULL DEFAULT 1;
  -- 0: built, and without effect until somebody confirms what it would make due [R8].
  ALTER TABLE ttl_indexes ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1;
  -- JSON {source, by, since, dueAtOnce}: a change without effect until it is confirmed.
  ALTER TABLE ttl_indexes ADD COLUMN pending TEXT;

  -- 0 delete, 1 patch, 2 replace, 3 move.
  ALTER TABLE removals ADD COLUMN action INTEGER NOT NULL DEFAULT 0;
  -- 0: the document stayed, changed; its row is no tombstone.
  ALTER TABLE removals ADD COLUMN gone INTEGER NOT NULL DEFAULT 1;

  ALTER TABLE passes ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE passes ADD COLUMN quarantined INTEGER NOT NULL DEFAULT 0;

  -- Documents that an index's action did not get out of the way; left alone until they or the index change [A5].
  CREATE TABLE quarantine (
    collection INTEGER NOT NULL,
    source     INTEGER NOT NULL,  -- ttl_indexes.id, 0: explicit
    row        INTEGER NOT NULL,
    reference  INTEGER NOT NULL,  -- its entry's reference time before
    since      INTEGER NOT NULL,
    problem    TEXT NOT NULL,
    PRIMARY KEY (collection, row, source)
  ) WITHOUT ROWID;
  CREATE INDEX quarantine_by_source ON quarantine (source);

  -- 1: somebody saw what the index makes due before it was created [R8].
  ALTER TABLE ttl_indexes ADD COLUMN expected INTEGER NOT NULL DEFAULT 0;

  -- What nothing acts on until somebody confirms it [R8, R9, R10].
  CREATE TABLE holds (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,  -- 0: the whole store
    cause      TEXT NOT NULL,
    source     INTEGER NOT NULL,  -- ttl_indexes.id of the definition that waits; 0: none
    since      INTEGER NOT NULL,
    by         TEXT NOT NULL,
    due        INTEGER NOT NULL,
    documents  INTEGER NOT NULL,
    sentence   TEXT NOT NULL,
    UNIQUE (collection, cause, source)
  );

  -- JSON of the settings that somebody set [R3]; when the store was last known to be open, and how far the wall clock
  -- was ahead of the time that was trusted then, ms [R9, R10].
  INSERT INTO meta VALUES ('settings', '{}'), ('lastOpenAt', NULL), ('clockOffset', 0);

  -- Who may enter the served host, and what they may do there. A token itself is nowhere kept [P1].
  CREATE TABLE tokens ( -- of earlier versions: they are in a file beside the store now (token-file.ts)
    name         TEXT PRIMARY KEY,
    sha256       TEXT NOT NULL UNIQUE,  -- hex
    permission   TEXT NOT NULL,         -- read, write, configure or follow
    created_at   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    last_used_at INTEGER                -- to the minute; NULL: never
  ) WITHOUT ROWID;

  -- The change log: one row per revision, keys and causes [V2, V3]. Every revision from meta's 'oldest' on is here.
  CREATE TABLE log (
    revision      INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    removals_from INTEGER NOT NULL,  -- the first of its own in removals; where it has none, the first of later ones
    removals      INTEGER NOT NULL,  -- how many are its own
    ends          INTEGER NOT NULL,  -- bytes of the log up to here, since it began
    changes       TEXT NOT NULL      -- see packed-changes.ts
  );
  INSERT INTO meta SELECT 'oldest', value + 1 FROM meta WHERE key = 'revision';

  -- What followers replay, kept only while one is registered, from meta's 'imagesFrom' on [V5].
  CREATE TABLE log_images (
    revision        INTEGER PRIMARY KEY,
    images_from     INTEGER NOT NULL,  -- the first of its own in document_images
    images          INTEGER NOT NULL,  -- how many are its own
    removed         TEXT NOT NULL,     -- JSON [{collection, id}]
    catalog_version INTEGER,
    catalog         TEXT,              -- every definition after it (see replica-catalog.ts); NULL: none changed
    ends            INTEGER NOT NULL   -- bytes of images up to here, since they began
  );
  CREATE TABLE document_images (
    seq             INTEGER PRIMARY KEY,
    collection      INTEGER NOT NULL,
    id              TEXT NOT NULL,
    row             INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    explicit_at     INTEGER,
    explicit_after  INTEGER,
    explicit_action TEXT,
    body            TEXT NOT NULL,
    quarantined     TEXT               -- JSON of its rows in quarantine; NULL: it has none
  );
  CREATE TABLE followers (
    name     TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,  -- it has all up to here, to the minute
    seen_at  INTEGER NOT NULL   -- to the minute
  ) WITHOUT ROWID;
  INSERT INTO meta VALUES ('imagesFrom', NULL);

  -- Until when what was there can be restored; 0: it is not kept, or was restored or purged [X4].
  ALTER TABLE removals ADD COLUMN keep_until INTEGER NOT NULL DEFAULT 0;
  -- Of a move: the collection it went to.
  ALTER TABLE removals ADD COLUMN moved_to INTEGER;

  -- Restorable copies: of documents that are gone once their row is swept, of changed ones from the change on [X4].
  CREATE TABLE retained (
    seq  INTEGER PRIMARY KEY,  -- removals.seq
    ends INTEGER NOT NULL,     -- the minute since 1970 in which it is let go of
    body TEXT NOT NULL
  );
  CREATE INDEX retained_by_end ON retained (ends);
  -- Bytes of all copies; rows of removals up to 'pruned' stay for their copy alone.
  INSERT INTO meta VALUES ('retainedBytes', 0), ('pruned', 0);

  -- Dropped collections, which leave the catalog at once and keep their tables until their time is up [X4].
  CREATE TABLE dropped_collections (
    id         INTEGER PRIMARY KEY,  -- collections.id
    name       TEXT NOT NULL,
    documents  INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    dropped_at INTEGER NOT NULL,
    dropped_by TEXT NOT NULL,
    keep_until INTEGER NOT NULL,     -- 0: it is being freed, and cannot come back
    definition TEXT NOT NULL         -- JSON of its row in collections
  );

  -- What was erased, for those who must show it [X4].
  CREATE TABLE purges (
    id        INTEGER PRIMARY KEY,
    purged_at INTEGER NOT NULL,
    by        TEXT NOT NULL,
    documents INTEGER NOT NULL
  );

  -- Figures by the minute since 1970, for charts that survive a restart [M1]; a minute without a row was not measured.
  CREATE TABLE metric_series (
    collection   INTEGER NOT NULL,  -- 0: the whole store
    minute       INTEGER NOT NULL,
    documents    INTEGER NOT NULL,
    withDeadline INTEGER NOT NULL,
    overdue      INTEGER NOT NULL,
    written      INTEGER NOT NULL,
    removed      INTEGER NOT NULL,
    changed      INTEGER NOT NULL,
    quarantined  INTEGER NOT NULL,
    lagP50Ms     REAL,
    lagP99Ms     REAL,
    lagMaxMs     REAL,
    batchMaxMs   REAL,
    PRIMARY KEY (collection, minute)
  ) WITHOUT ROWID;

  -- Each change of a TTL index, kept also after it is dropped [X5].
  CREATE TABLE policy_history (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,  -- of the index
    at         INTEGER NOT NULL,
    by         TEXT NOT NULL,
    change     TEXT NOT NULL,
    before     TEXT,           -- as ttl_indexes.definition; NULL: there was none
    after      TEXT
  );
  CREATE INDEX policy_history_by_index ON policy_history (collection, name, id);
`;

/**
 * Images refer to their revision by its number. Before, a range of image numbers could be used again after a restart, if the
 * images at its end were deleted: followers then missed documents. Earlier images are deleted, so followers start with a
 * snapshot.
 */
const IMAGES_BY_REVISION = `
  DROP TABLE document_images;
  CREATE TABLE document_images (
    seq             INTEGER PRIMARY KEY,  -- their order; nothing refers to it
    revision        INTEGER NOT NULL,
    collection      INTEGER NOT NULL,
    id              TEXT NOT NULL,
    row             INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    explicit_at     INTEGER,
    explicit_after  INTEGER,
    explicit_action TEXT,
    body            TEXT NOT NULL,
    quarantined     TEXT                  -- JSON of its rows in quarantine; NULL: it has none
  );
  CREATE INDEX document_images_by_revision ON document_images (revision);
  DELETE FROM log_images;
  ALTER TABLE log_images DROP COLUMN images_from;
  ALTER TABLE log_images DROP COLUMN images;
  UPDATE meta SET value = (SELECT value + 1 FROM meta WHERE key = 'revision')
    WHERE key = 'imagesFrom' AND value IS NOT NULL;
`;

/** Revisions at which a collection had a name: the change log identifies collections by name (collection-names.ts). */
const COLLECTION_NAMES = `
  CREATE TABLE collection_names (
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    first      INTEGER NOT NULL,  -- revision
    last       INTEGER,           -- the revision that dropped it; NULL: it has the name
    PRIMARY KEY (collection, first)
  ) WITHOUT ROWID;
  INSERT INTO collection_names
    SELECT id, name, (SELECT coalesce(max(revision) + 1, 0) FROM log WHERE at < created_at), NULL FROM collections;
  INSERT INTO collection_names
    SELECT id, name, (SELECT coalesce(max(revision) + 1, 0) FROM log WHERE at < json_extract(definition, '$.created_at')),
           (SELECT coalesce(max(revision), 0) FROM log WHERE at <= dropped_at)
    FROM dropped_collections;
`;

/**
 * Followers that have or have not erased purged data. Earlier purges get the present revision, which sends them to followers
 * again: no follower erased anything for them. If a purge names no follower, its instant stays.
 */
export const PURGE_FOLLOWERS = `
  CREATE TABLE purge_followers (
    purge    INTEGER NOT NULL,  -- purges.id
    follower TEXT NOT NULL,     -- registered when it was purged
    state    TEXT NOT NULL,     -- pending, confirmed or forgotten
    at       INTEGER NOT NULL,  -- since when
    PRIMARY KEY (purge, follower)
  ) WITHOUT ROWID;
  ALTER TABLE purges RENAME COLUMN purged_at TO erased_at;
  ALTER TABLE purges ADD COLUMN purged_at INTEGER;  -- NULL: a follower is pending
  ALTER TABLE purges ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;  -- what was purged is in none of its history
  ALTER TABLE purges ADD COLUMN collection TEXT;
  INSERT INTO purge_followers
    SELECT p.id, j.value, iif(j.value IN (SELECT name FROM followers), 'pending', 'forgotten'), p.erased_at
    FROM purges AS p, json_each(p.followers) AS j;
  UPDATE purges SET revision = (SELECT value FROM meta WHERE key = 'revision'),
    purged_at = iif(EXISTS (SELECT 1 FROM purge_followers WHERE purge = id AND state = 'pending'), NULL, erased_at);
  ALTER TABLE purges DROP COLUMN followers;
`;

/** A hold keeps its facts; its sentence is formatted where it is shown (shared/model/hold.ts). */
export function holdFacts(db: Database): void {
  // How long the store was closed, or how far the clock jumped; NULL: neither, or not known.
  db.exec('ALTER TABLE holds ADD COLUMN duration_ms INTEGER');
  const holds = db.prepare<[], { id: number; sentence: string }>('SELECT id, sentence FROM holds').all();
  const note = db.prepare<[number, number]>('UPDATE holds SET duration_ms = ? WHERE id = ?');
  for (const { id, sentence } of holds) {
    const [, written] =
      /^The (?:store was closed for|clock jumped (?:ahead|back) by) ([^,.]+)/.exec(sentence) ?? [];
    const read = written === undefined ? null : parseDuration(written);
    if (read !== null && 'seconds' in read) note.run(read.seconds * 1_000, id);
  }
  db.exec('ALTER TABLE holds DROP COLUMN sentence');
}

/**
 * Gives each quantity one name with its unit, in snake case: instants are epoch ms and end in `_at`, byte offsets in
 * `_offset`, row numbers in `_row`.
 */
const NAMES_AND_UNITS = `
  ALTER TABLE actuals RENAME TO expiry_counts;
  ALTER TABLE looks RENAME TO schedule_ticks;
  ALTER TABLE removals RENAME COLUMN keep_until TO keep_until_at;
  ALTER TABLE dropped_collections RENAME COLUMN keep_until TO keep_until_at;
  ALTER TABLE retained RENAME COLUMN ends TO keep_until_minute;  -- minutes since 1970
  ALTER TABLE log RENAME COLUMN ends TO end_offset;              -- bytes
  ALTER TABLE log_images RENAME COLUMN ends TO end_offset;       -- bytes
  ALTER TABLE ttl_indexes RENAME COLUMN effective TO effective_at;
  ALTER TABLE ttl_indexes RENAME COLUMN governed TO governed_side;
  ALTER TABLE ttl_indexes RENAME COLUMN built TO built_through_row;
  ALTER TABLE successors RENAME COLUMN built TO built_through_row;
  ALTER TABLE collections RENAME COLUMN recounted TO recounted_through_row;
  ALTER TABLE metric_series RENAME COLUMN withDeadline TO with_deadline;
  ALTER TABLE metric_series RENAME COLUMN lagP50Ms TO lag_p50_ms;
  ALTER TABLE metric_series RENAME COLUMN lagP99Ms TO lag_p99_ms;
  ALTER TABLE metric_series RENAME COLUMN lagMaxMs TO lag_max_ms;
  ALTER TABLE metric_series RENAME COLUMN batchMaxMs TO batch_max_ms;
`;

const droppedRow = z.looseObject({ recounted: z.number().nullish() });
const sentCatalog = z.looseObject({
  indexes: z.array(z.looseObject({ effective: z.number(), built: z.number().nullable() })),
  holds: z.array(z.looseObject({ sentence: z.string().optional() })),
});

/** Renames columns, also in rows stored as JSON: dropped collections, and definitions that followers replay. */
function nameColumnsByUnit(db: Database): void {
  db.exec(NAMES_AND_UNITS);
  const dropped = db
    .prepare<[], { id: number; definition: string }>('SELECT id, definition FROM dropped_collections')
    .all();
  const setDefinition = db.prepare<[string, number]>(
    'UPDATE dropped_collections SET definition = ? WHERE id = ?',
  );
  for (const { id, definition } of dropped) {
    const { recounted, ...row } = droppedRow.parse(JSON.parse(definition));
    setDefinition.run(JSON.stringify({ ...row, recounted_through_row: recounted ?? null }), id);
  }
  const images = db
    .prepare<[], { revision: number; catalog: string }>(
      'SELECT revision, catalog FROM log_images WHERE catalog IS NOT NULL',
    )
    .all();
  const setCatalog = db.prepare<[string, number]>('UPDATE log_images SET catalog = ? WHERE revision = ?');
  for (const { revision, catalog } of images) {
    const sent = sentCatalog.parse(JSON.parse(catalog));
    const indexes = sent.indexes.map(({ effective, built, ...row }) => ({
      ...row,
      effective_at: effective,
      built_through_row: built,
    }));
    // The step before this one dropped the sentence of a hold.
    const holds = sent.holds.map(({ sentence: _, ...row }) => row);
    setCatalog.run(JSON.stringify({ ...sent, indexes, holds }), revision);
  }
}

/**
 * Steps from an empty file to today's format; `user_version` of a store is the number of steps applied.
 * Never change a released step: add the next.
 *
 * Tables of one collection or index are created with it (dynamic-tables.ts, side-table.ts).
 */
export const MIGRATIONS: readonly (string | ((db: Database) => void))[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  INSERT INTO meta VALUES ('revision', 0), ('catalog', 0), ('swept', 0), ('paused', NULL), ('nextSideTable', 1);

  -- Counts are kept with every write: no screen ever counts documents.
  -- Numbers are never used twice: what is left over of a dropped one must not be taken for another's.
  CREATE TABLE collections (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    paused     TEXT,              -- JSON {by, since}
    documents  INTEGER NOT NULL DEFAULT 0,
    bytes      INTEGER NOT NULL DEFAULT 0,
    explicit   INTEGER NOT NULL,  -- side table of explicit expirations
    recounted  INTEGER            -- rows up to here are in the governed tables; NULL: all of them
  );

  CREATE TABLE ttl_indexes (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    definition TEXT NOT NULL,     -- JSON {source, onExpire, schedule}
    paused     TEXT,              -- JSON {by, since}
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    effective  INTEGER NOT NULL,  -- since when this definition makes documents due
    built      INTEGER,           -- rows up to here are in it; NULL: ready
    side       INTEGER NOT NULL,  -- side table of every document's reference time
    governed   INTEGER,           -- side table of those it governs, where the collection has several indexes
    dropped_at INTEGER            -- kept for the name that history shows
  );
  CREATE UNIQUE INDEX ttl_indexes_by_name ON ttl_indexes (collection, name) WHERE dropped_at IS NULL;

  -- What the reaper removed, in order. Rows above the sweep's mark are the tombstones: their document is gone for
  -- every reader, its bytes are still to be freed.
  CREATE TABLE removals (
    seq        INTEGER PRIMARY KEY,
    revision   INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    collection INTEGER NOT NULL,
    source     INTEGER NOT NULL,  -- ttl_indexes.id, 0: explicit
    row        INTEGER NOT NULL,
    id         TEXT NOT NULL,
    deadline   INTEGER NOT NULL,
    removed_at INTEGER NOT NULL,
    pass       INTEGER NOT NULL
  );

  -- What did expire, by removal time: 1 s for 24 h, 1 min for 30 days, 1 h for 2 years [X2].
  CREATE TABLE actuals (
    collection INTEGER NOT NULL,
    level      INTEGER NOT NULL,
    bucket     INTEGER NOT NULL,
    source     INTEGER NOT NULL,
    documents  INTEGER NOT NULL,
    PRIMARY KEY (collection, level, bucket, source)
  ) WITHOUT ROWID;

  CREATE TABLE passes (
    id         INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    cutoff     INTEGER NOT NULL,
    trigger    TEXT NOT NULL,
    removed    INTEGER NOT NULL,
    by_source  TEXT NOT NULL,     -- JSON {source: count}
    batches    INTEGER NOT NULL,
    longest_ms REAL NOT NULL,
    ending     TEXT NOT NULL,
    error      TEXT
  );
  CREATE INDEX passes_by_collection ON passes (collection, id);
  `,
  // When the last pause ended that also stopped what was set by hand: its lag is not counted from before.
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
  -- By which version of the reading rules its entries were made (shared/model/reading-rules.ts); 0: before they had one.
  ALTER TABLE ttl_indexes ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
  -- While it is built anew: how many documents its former entries made due. NULL: it is not built anew.
  ALTER TABLE ttl_indexes ADD COLUMN was_due INTEGER;
  `,
  // The action that left a document as it is: restoring checks that nobody changed it since [X4].
  db => {
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'`,
      )
      .pluck();
    for (const table of tables.all()) db.exec(`ALTER TABLE ${table} ADD COLUMN left_by INTEGER`);
  },
  `
  -- The last look of each index [R1]; means nothing for one that acts at each deadline.
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
  -- What an index is to read documents by, built beside its present side table [D8].
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
];

/** Migrates the file to today's format, each step in its own transaction. */
export function migrate(db: Database): void {
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

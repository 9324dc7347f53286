/** The tables of the first format. */
export const FIRST_STEP = `
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
  `;

/** The tables of holds, quarantine, tokens, the change log, retained copies, followers and others. */
export const THIRD_STEP = `
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

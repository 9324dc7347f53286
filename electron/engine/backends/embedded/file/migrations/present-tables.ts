import { EXPIRED_INTERVALS, RULES_OF_INTERVALS } from './expired-intervals.ts';

/**
 * The tables of today's format, for a new store: the migrations from an empty file take 20 ms of CPU, and a sync each. A
 * change of the format is written here and as a migration; a test compares both.
 */
export const PRESENT_TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

  -- Counts are kept with every write: no read counts documents. Numbers are never used twice.
  CREATE TABLE collections (
    id                    INTEGER PRIMARY KEY AUTOINCREMENT,
    name                  TEXT NOT NULL UNIQUE,
    created_at            INTEGER NOT NULL,
    paused                TEXT,                       -- JSON {by, since}
    documents             INTEGER NOT NULL DEFAULT 0,
    bytes                 INTEGER NOT NULL DEFAULT 0,
    explicit              INTEGER NOT NULL,           -- side table of explicit expirations
    recounted_through_row INTEGER,                    -- rows up to here are in the governed tables; NULL: all of them
    -- End of the last pause that also stopped explicit expirations: their lag is counted from then on.
    resumed_at            INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE ttl_indexes (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    collection        INTEGER NOT NULL,
    name              TEXT NOT NULL,
    definition        TEXT NOT NULL,               -- JSON {source, onExpire, schedule}
    paused            TEXT,                        -- JSON {by, since}
    created_at        INTEGER NOT NULL,
    created_by        TEXT NOT NULL,
    effective_at      INTEGER NOT NULL,            -- since when this definition makes documents due
    built_through_row INTEGER,                     -- rows up to here are in it; NULL: ready
    side              INTEGER NOT NULL,            -- side table of every document's reference time
    -- Side table of those it governs, where the collection has several indexes.
    governed_side     INTEGER,
    dropped_at        INTEGER,                     -- kept for the name that history shows
    -- 0 while it only observes, or waits for confirmation: then it has no effect [R1, R6].
    acting            INTEGER NOT NULL DEFAULT 1,
    confirmed         INTEGER NOT NULL DEFAULT 1,  -- 0: built, and without effect until it is confirmed [R8]
    -- JSON {source, by, since, dueAtOnce}: a change without effect until it is confirmed.
    pending           TEXT,
    -- 1: a person saw what the index makes due before it was created [R8].
    expected          INTEGER NOT NULL DEFAULT 0,
    -- Version of the reading rules that made its entries (shared/model/reading-rules.ts); 0: before versions.
    rules             INTEGER NOT NULL DEFAULT 0,
    -- During a rebuild: documents that its former entries made due; NULL: no rebuild.
    was_due           INTEGER
  );
  CREATE UNIQUE INDEX ttl_indexes_by_name ON ttl_indexes (collection, name) WHERE dropped_at IS NULL;

  -- What was removed, in order. Rows above the sweep's mark are tombstones: no reader sees their document, and its bytes
  -- are not yet free.
  CREATE TABLE removals (
    seq           INTEGER PRIMARY KEY,
    revision      INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    collection    INTEGER NOT NULL,
    source        INTEGER NOT NULL,            -- ttl_indexes.id, 0: explicit
    row           INTEGER NOT NULL,
    id            TEXT NOT NULL,
    deadline      INTEGER NOT NULL,
    removed_at    INTEGER NOT NULL,
    pass          INTEGER NOT NULL,
    action        INTEGER NOT NULL DEFAULT 0,  -- 0 delete, 1 patch, 2 replace, 3 move
    gone          INTEGER NOT NULL DEFAULT 1,  -- 0: the document stayed, changed; its row is no tombstone
    -- Until when it can be restored; 0: it is not kept, or was purged; -1: it was restored [X4].
    keep_until_at INTEGER NOT NULL DEFAULT 0,
    moved_to      INTEGER,                     -- of a move: the collection it went to
    -- Actions in a row that had left the document due at once before this one [A5].
    handed        INTEGER NOT NULL DEFAULT 0,
    documents     INTEGER NOT NULL DEFAULT 1,  -- the row has so many removals, with the numbers from seq on
    -- With several: JSON of deadlines less the row's deadline, of rows, of _ids, and of ends of retention by place (see
    -- packed-removals.ts).
    packed        TEXT
  );

${EXPIRED_INTERVALS}${RULES_OF_INTERVALS}
  -- Expired documents by removal time: 1 s for 24 h, 1 min for 30 days, 1 h for 2 years [X2].
  CREATE TABLE expiry_counts (
    collection INTEGER NOT NULL,
    level      INTEGER NOT NULL,
    bucket     INTEGER NOT NULL,
    source     INTEGER NOT NULL,
    documents  INTEGER NOT NULL,
    PRIMARY KEY (collection, level, bucket, source)
  ) WITHOUT ROWID;

  CREATE TABLE passes (
    id          INTEGER PRIMARY KEY,
    collection  INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    cutoff      INTEGER NOT NULL,
    trigger     TEXT NOT NULL,
    removed     INTEGER NOT NULL,
    by_source   TEXT NOT NULL,  -- JSON {source: count}
    batches     INTEGER NOT NULL,
    longest_ms  REAL NOT NULL,
    ending      TEXT NOT NULL,
    error       TEXT,
    changed     INTEGER NOT NULL DEFAULT 0,
    quarantined INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX passes_by_collection ON passes (collection, id);

  -- Documents that were still due after their action; skipped until they or the index change [A5].
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

  -- Holds, which end when they are confirmed [R8, R9, R10].
  CREATE TABLE holds (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    collection  INTEGER NOT NULL,  -- 0: the whole store
    cause       TEXT NOT NULL,
    source      INTEGER NOT NULL,  -- ttl_indexes.id of the definition that waits; 0: none
    since       INTEGER NOT NULL,
    by          TEXT NOT NULL,
    due         INTEGER NOT NULL,
    documents   INTEGER NOT NULL,
    duration_ms INTEGER,           -- how long the store was closed, or how far the clock jumped; NULL: neither, or unknown
    UNIQUE (collection, cause, source)
  );

  -- Of earlier versions: tokens are in a file beside the store (token-file.ts).
  CREATE TABLE tokens (
    name         TEXT PRIMARY KEY,
    sha256       TEXT NOT NULL UNIQUE,  -- hex
    permission   TEXT NOT NULL,         -- read, write, configure or follow
    created_at   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    last_used_at INTEGER                -- to the minute; NULL: never
  ) WITHOUT ROWID;

  -- The change log: one row per revision, keys and causes [V2, V3], from meta's 'oldest' on.
  CREATE TABLE log (
    revision      INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    removals_from INTEGER NOT NULL,  -- the first of its own in removals; where it has none, the first of later ones
    removals      INTEGER NOT NULL,  -- how many are its own
    end_offset    INTEGER NOT NULL,  -- bytes of the log up to here, since it began
    changes       TEXT NOT NULL      -- see packed-changes.ts
  );

  -- What followers replay, kept only while one is registered, from meta's 'imagesFrom' on [V5].
  CREATE TABLE log_images (
    revision        INTEGER PRIMARY KEY,
    removed         TEXT NOT NULL,    -- JSON [{collection, id}]
    catalog_version INTEGER,
    catalog         TEXT,             -- every definition after it (see replica-catalog.ts); NULL: none changed
    end_offset      INTEGER NOT NULL, -- bytes of images up to here, since they began
    expired_interval TEXT             -- JSON of the interval that expired in it; NULL: none did
  );

  CREATE TABLE followers (
    name     TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,  -- it has all up to here, to the minute
    seen_at  INTEGER NOT NULL,  -- to the minute
    -- SHA-256 of the token that registered it; '': a caller without one; NULL: registered before this was noted [P1].
    token    TEXT
  ) WITHOUT ROWID;

  -- Restorable copies [X4].
  CREATE TABLE retained (
    seq               INTEGER PRIMARY KEY,  -- removals.seq
    keep_until_minute INTEGER NOT NULL,     -- the minute since 1970 in which it is let go of
    body              TEXT NOT NULL,        -- of a row with several removals: their documents, one after the other
    lengths           TEXT                  -- of several: JSON array of the bytes of each; 0: there is no copy
  );
  CREATE INDEX retained_by_end ON retained (keep_until_minute);

  -- Dropped collections, whose tables stay while they can be restored [X4].
  CREATE TABLE dropped_collections (
    id            INTEGER PRIMARY KEY,  -- collections.id
    name          TEXT NOT NULL,
    documents     INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,
    dropped_at    INTEGER NOT NULL,
    dropped_by    TEXT NOT NULL,
    keep_until_at INTEGER NOT NULL,     -- 0: it is being freed, and cannot come back
    definition    TEXT NOT NULL         -- JSON of its row in collections
  );

  -- What was erased [X4].
  CREATE TABLE purges (
    id         INTEGER PRIMARY KEY,
    erased_at  INTEGER NOT NULL,
    by         TEXT NOT NULL,
    documents  INTEGER NOT NULL,
    purged_at  INTEGER,
    revision   INTEGER NOT NULL DEFAULT 0,
    collection TEXT
  );

  -- Figures by the minute since 1970 [M1]; a minute without a row was not measured.
  CREATE TABLE metric_series (
    collection    INTEGER NOT NULL,  -- 0: the whole store
    minute        INTEGER NOT NULL,
    documents     INTEGER NOT NULL,
    with_deadline INTEGER NOT NULL,
    overdue       INTEGER NOT NULL,
    written       INTEGER NOT NULL,
    removed       INTEGER NOT NULL,
    changed       INTEGER NOT NULL,
    quarantined   INTEGER NOT NULL,
    lag_p50_ms    REAL,
    lag_p99_ms    REAL,
    lag_max_ms    REAL,
    batch_max_ms  REAL,
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

  -- The last tick of each index with a schedule [R1].
  CREATE TABLE schedule_ticks (
    source INTEGER PRIMARY KEY,  -- ttl_indexes.id
    since  INTEGER NOT NULL,     -- since when the index has its schedule
    at     INTEGER NOT NULL,     -- the cutoff of the last tick; its since before the first one
    state  TEXT NOT NULL         -- open, capped or closed
  );

  -- New definitions of indexes, built beside the present index table [D8].
  CREATE TABLE successors (
    source            INTEGER PRIMARY KEY,  -- ttl_indexes.id
    definition        TEXT NOT NULL,        -- as ttl_indexes.definition
    side              INTEGER NOT NULL,
    built_through_row INTEGER,              -- rows up to here are in it; NULL: all, it waits for confirmation
    by                TEXT NOT NULL,
    since             INTEGER NOT NULL,
    change            TEXT NOT NULL,        -- change or revert
    expected          INTEGER NOT NULL,     -- 1: a person saw what it makes due [R8]
    rules             INTEGER NOT NULL      -- by which version of the reading rules it is built
  );

  -- Revisions at which a collection had a name: the change log identifies collections by name.
  CREATE TABLE collection_names (
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    first      INTEGER NOT NULL,  -- revision
    last       INTEGER,           -- the revision that dropped it; NULL: it has the name
    PRIMARY KEY (collection, first)
  ) WITHOUT ROWID;

  -- Which followers have erased purged data [X4].
  CREATE TABLE purge_followers (
    purge    INTEGER NOT NULL,  -- purges.id
    follower TEXT NOT NULL,     -- registered when it was purged
    state    TEXT NOT NULL,     -- pending, confirmed or forgotten
    at       INTEGER NOT NULL,  -- since when
    PRIMARY KEY (purge, follower)
  ) WITHOUT ROWID;

  INSERT INTO meta VALUES
    ('revision', 0), ('oldest', 1), ('catalog', 0), ('nextSideTable', 1), ('swept', 0), ('pruned', 0), ('retainedBytes', 0),
    ('imagesFrom', NULL), ('paused', NULL), ('settings', '{}'), ('lastOpenAt', NULL), ('clockOffset', 0);
`;

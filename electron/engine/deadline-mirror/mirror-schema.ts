import type { Database } from 'better-sqlite3';

/** SQLite's application id of a mirror ("Sglm"). */
export const MIRROR_APPLICATION_ID = 0x53676c6d;

/**
 * Steps from an empty file to today's format; `user_version` of a mirror is the number of steps applied.
 * Never change a released step: add the next.
 */
export const MIRROR_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE mirror_values (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
  CREATE TABLE mirrored_collections (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    keys       INTEGER NOT NULL,  -- 0: all its keys have left; the row stays for its history
    bytes      INTEGER NOT NULL,  -- of the keys that were measured
    created_at INTEGER NOT NULL   -- when its first key was found
  );
  CREATE TABLE mirrored_keys (
    row        INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    reference  INTEGER NOT NULL,  -- deadline, epoch ms; negative: never expires (deadline-index/index-entry.ts)
    type       TEXT    NOT NULL,
    bytes      INTEGER,           -- NULL: not measured
    updated_at INTEGER NOT NULL,  -- when it was last found changed
    scan       INTEGER NOT NULL   -- the latest scan when it was last put
  );
  CREATE UNIQUE INDEX mirrored_keys_by_id ON mirrored_keys (id);
  CREATE INDEX mirrored_keys_by_collection ON mirrored_keys (collection, id);
  CREATE TABLE deadline_entries (
    collection INTEGER NOT NULL, reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (collection, reference, row)
  ) WITHOUT ROWID;
  CREATE TABLE deadline_counts (
    collection INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL,
    documents  INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (collection, level, bucket)
  ) WITHOUT ROWID;
  CREATE TABLE departures (
    seq        INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    deadline   INTEGER,           -- NULL: it had none
    at         INTEGER NOT NULL,
    cause      INTEGER NOT NULL,  -- position in DEPARTURE_CAUSES
    revision   INTEGER NOT NULL
  );
  CREATE INDEX departures_by_collection ON departures (collection, seq);
  CREATE TABLE expiry_counts (
    collection INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL, source INTEGER NOT NULL,
    documents  INTEGER NOT NULL,
    PRIMARY KEY (collection, level, bucket, source)
  ) WITHOUT ROWID;
  `,
  `
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
  `,
  `
  CREATE TABLE mirror_settings (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    settings TEXT NOT NULL  -- JSON: shared/contract/settings.ts
  );
  `,
  `
  CREATE TABLE undoable_jobs (
    number INTEGER PRIMARY KEY,
    job    TEXT    NOT NULL UNIQUE,
    keys   INTEGER NOT NULL,  -- kept deadlines
    is_kept INTEGER NOT NULL  -- 0: the job changed too many, or later jobs needed the room; its rows are being deleted
  );
  CREATE TABLE undo_deadlines (
    number INTEGER NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL,
    before INTEGER,  -- deadline before the job, epoch ms; NULL: none
    after  INTEGER,  -- deadline that the job set
    PRIMARY KEY (number, id)
  ) WITHOUT ROWID;
  `,
];

/** Brings a new or earlier file to today's format, in one transaction. */
export function migrateMirror(db: Database): void {
  const from = Number(db.pragma('user_version', { simple: true }));
  if (from === MIRROR_MIGRATIONS.length) return;
  db.transaction(() => {
    for (const step of MIRROR_MIGRATIONS.slice(from)) db.exec(step);
    db.pragma(`application_id = ${MIRROR_APPLICATION_ID}`);
    db.pragma(`user_version = ${MIRROR_MIGRATIONS.length}`);
  })();
}

/**
 * Images refer to their revision by its number. Before, a range of image numbers could be used again after a restart,
 * if the images at its end were deleted: followers then missed documents. Earlier images are deleted, so followers
 * start with a snapshot.
 */
export const IMAGES_BY_REVISION = `
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

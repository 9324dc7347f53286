/** Revisions at which a collection had a name: the change log identifies collections by name (collection-names.ts). */
export const COLLECTION_NAMES = `
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

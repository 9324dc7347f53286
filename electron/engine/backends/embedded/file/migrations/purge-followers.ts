/**
 * Records which followers have erased purged data. Earlier purges get the present revision and are thereby sent to
 * followers again, since no follower has erased their data yet. If a purge names no follower, its instant stays.
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

import type { Database } from 'better-sqlite3';

// Values of the file format when this step was written: a migration does not change with the code around it.
/** Reference time of a pinned document. */
const PINNED = -9;
/** Reference time of a quarantined document. */
const QUARANTINED = -13;
/** Level of the counts by reason. */
const REASONS = -1;
/** 100 years. */
const LONGEST_AFTER_MS = 3_155_760_000_000;
const BAD_AFTER = `(explicit_after <= 0 OR explicit_after > ${LONGEST_AFTER_MS})`;

/**
 * Corrects invalid explicit expirations that earlier releases imported [E1]. An instant before 1970 hid its document
 * for ever or broke every list: it becomes a pin, so that it removes nothing. A duration of zero or of more than 100
 * years is deleted, and the instant stays. Reads explicit expirations only, not every document.
 */
export function boundExpirations(db: Database): void {
  const collections = db
    .prepare<[], { id: number; explicit: number }>(
      `SELECT id, explicit FROM collections
       UNION ALL SELECT id, definition ->> '$.explicit' FROM dropped_collections WHERE keep_until > 0`,
    )
    .all();
  for (const { id, explicit } of collections) {
    const entries = `entries_${explicit}`;
    db.exec(`
      UPDATE documents_${id} SET explicit_after = NULL WHERE row IN (SELECT row FROM ${entries}) AND ${BAD_AFTER};
      UPDATE documents_${id} SET explicit_at = -1, explicit_after = NULL
        WHERE row IN (SELECT row FROM ${entries} WHERE reference < 0) AND explicit_at < -1;
      UPDATE ${entries} SET reference = ${PINNED} WHERE reference < 0 AND reference NOT IN (${PINNED}, ${QUARANTINED});
      DELETE FROM counts_${explicit} WHERE level = ${REASONS} AND bucket <> ${QUARANTINED};
      INSERT INTO counts_${explicit}
        SELECT ${REASONS}, ${PINNED}, count(*), sum(bytes) FROM ${entries} WHERE reference = ${PINNED} HAVING count(*) > 0;
    `);
  }
  db.exec(`
    UPDATE document_images SET explicit_after = NULL WHERE ${BAD_AFTER};
    UPDATE document_images SET explicit_at = -1 WHERE explicit_at < -1;
  `);
}

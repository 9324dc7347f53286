import type { Database } from 'better-sqlite3';
import { z } from 'zod';

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
export function nameColumnsByUnit(db: Database): void {
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

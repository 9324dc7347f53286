import { z } from 'zod';
import type { ReplicaCatalog } from '../../../../shared/contract/replication.ts';
import type { Database } from './database.ts';

/** A column's value in a definition. */
const value = z.union([z.string(), z.number(), z.null()]);
export type CatalogValue = z.infer<typeof value>;
const row = z.record(z.string(), value);
export type CatalogRow = z.infer<typeof row>;

const content = z.object({
  meta: z.record(z.string(), value),
  collections: z.array(row.and(z.object({ id: z.number(), name: z.string() }))),
  indexes: z.array(
    row.and(
      z.object({
        id: z.number(),
        collection: z.number(),
        name: z.string(),
        definition: z.string(),
        built: z.number().nullable(),
        acting: z.number(),
        dropped_at: z.number().nullable(),
      }),
    ),
  ),
  holds: z.array(row),
});
/** Every definition of a store, as its rows are. */
export type CatalogContent = z.infer<typeof content>;

/** What each store keeps for itself: where its own tables are, how far they are made, and what is counted in them. */
export const OWN_COLUMNS = {
  collections: ['documents', 'bytes', 'explicit', 'recounted'],
  ttl_indexes: ['side', 'governed', 'rules'],
  holds: [],
} as const;

/** Definitions that lie in `meta`. */
const META = ['paused', 'settings'] as const;

/** The leader's half: every definition as it stands in this transaction [V5]. */
export function writeCatalog(db: Database): ReplicaCatalog {
  const meta = Object.fromEntries(
    META.map(key => [key, db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key) ?? null]),
  );
  const rows = (table: keyof typeof OWN_COLUMNS) =>
    z
      .array(row)
      .parse(db.prepare(`SELECT * FROM ${table} ORDER BY id`).all())
      .map(found => omit(found, OWN_COLUMNS[table]));
  const text = JSON.stringify({
    meta,
    collections: rows('collections'),
    indexes: rows('ttl_indexes'),
    holds: rows('holds'),
  });
  const version = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'catalog'`).pluck().get() ?? 0;
  return { version, text };
}

/** The follower's half. */
export function readCatalog({ text }: ReplicaCatalog): CatalogContent {
  return content.parse(JSON.parse(text));
}

function omit(found: CatalogRow, columns: readonly string[]): CatalogRow {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !columns.includes(name)));
}

import { z } from 'zod';
import type { ReplicaCatalog } from '../../../../../shared/contract/replication.ts';
import type { Database } from '../file/database.ts';
import { invalidLeaderData } from './leader-data-check.ts';

/** A column's value in a definition. */
const value = z.union([z.string(), z.number(), z.null()]);
export type CatalogValue = z.infer<typeof value>;
const row = z.record(z.string(), value);
export type CatalogRow = z.infer<typeof row>;

const number = z.number().int().positive();
const name = z.string().min(1).max(240);
const content = z.strictObject({
  meta: z.record(z.string(), value),
  collections: z.array(row.and(z.object({ id: number, name }))),
  indexes: z.array(
    row.and(
      z.object({
        id: number,
        collection: number,
        name,
        definition: z.string(),
        built: z.number().int().nullable(),
        acting: z.number().int().min(0).max(1),
        dropped_at: z.number().int().nullable(),
      }),
    ),
  ),
  holds: z.array(row.and(z.object({ id: number }))),
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

/**
 * The follower's half: what a leader sent, whose every column is one of the follower's own schema, since columns become
 * SQL. Throws INVALID_LEADER_DATA. Values are checked where the catalog is loaded, in the transaction that brings them.
 */
export function readCatalog({ text }: ReplicaCatalog, db: Database): CatalogContent {
  const { success, data, error } = content.safeParse(read(text));
  if (!success) {
    const [issue] = error.issues;
    throw invalidLeaderData(`Its definitions are none: ${issue?.path.join('.')} ${issue?.message}`);
  }
  refuseUnknown('meta', Object.keys(data.meta), new Set(META));
  const tables = { collections: data.collections, ttl_indexes: data.indexes, holds: data.holds };
  for (const table of TABLES) {
    const known = columnsOf(db, table);
    for (const sent of tables[table]) refuseUnknown(table, Object.keys(sent), known);
  }
  return data;
}

const TABLES = ['collections', 'ttl_indexes', 'holds'] as const satisfies (keyof typeof OWN_COLUMNS)[];

/** What a leader may say of a table: its columns, without what each store keeps for itself. */
function columnsOf(db: Database, table: keyof typeof OWN_COLUMNS): ReadonlySet<string> {
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const own: readonly string[] = OWN_COLUMNS[table];
  return new Set(columns.filter(column => !own.includes(column)));
}

function refuseUnknown(table: string, names: readonly string[], known: ReadonlySet<string>): void {
  const unknown = names.find(found => !known.has(found));
  if (unknown !== undefined)
    throw invalidLeaderData(`${table} has no ${JSON.stringify(unknown.slice(0, 100))} here`);
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidLeaderData('Its definitions are no JSON');
    throw error;
  }
}

function omit(found: CatalogRow, columns: readonly string[]): CatalogRow {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !columns.includes(name)));
}

import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { ReplicaCatalog } from '../../../../../shared/contract/replication.ts';
import { Meta } from '../tables/meta.ts';
import type { SqlRow } from '../tables/row-statements.ts';
import { invalidLeaderData } from './leader-data-check.ts';

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const number = z.number().int().positive();
const name = z.string().min(1).max(240);
const content = z.strictObject({
  meta: z.record(z.string(), z.string().nullable()),
  collections: z.array(row.and(z.object({ id: number, name }))),
  indexes: z.array(
    row.and(
      z.object({
        id: number,
        collection: number,
        name,
        definition: z.string(),
        built_through_row: z.number().int().nullable(),
        acting: z.number().int().min(0).max(1),
        dropped_at: z.number().int().nullable(),
      }),
    ),
  ),
  holds: z.array(row.and(z.object({ id: number }))),
});
/** All definitions of a store, as rows of its tables. */
export type CatalogContent = z.infer<typeof content>;

/** Columns with values of one store only: numbers of its tables, the progress of builds, and counts. */
const OWN_COLUMNS = {
  collections: ['documents', 'bytes', 'explicit', 'recounted_through_row'],
  ttl_indexes: ['side', 'governed_side', 'rules'],
  holds: [],
} as const;

/** Keys of `meta` that hold definitions. */
export const DEFINITION_KEYS = ['paused', 'settings'] as const;

/** For the leader: returns every definition as of this transaction [V5]. */
export function writeCatalog(db: Database): ReplicaCatalog {
  const meta = new Meta(db);
  const rows = (table: keyof typeof OWN_COLUMNS) =>
    z
      .array(row)
      .parse(db.prepare(`SELECT * FROM ${table} ORDER BY id`).all())
      .map(found => omit(found, OWN_COLUMNS[table]));
  const text = JSON.stringify({
    meta: Object.fromEntries(DEFINITION_KEYS.map(key => [key, meta.text(key)])),
    collections: rows('collections'),
    indexes: rows('ttl_indexes'),
    holds: rows('holds'),
  });
  return { version: meta.number('catalog') ?? 0, text };
}

/**
 * For a follower: parses a leader's definitions. Throws INVALID_LEADER_DATA for a column that is not in the follower's
 * own schema, since column names become SQL. Values are checked when the catalog is loaded, in the transaction that
 * writes them.
 */
export function readCatalog({ text }: ReplicaCatalog, db: Database): CatalogContent {
  const { success, data, error } = content.safeParse(read(text));
  if (!success) {
    const [issue] = error.issues;
    throw invalidLeaderData(`Its definitions are none: ${issue?.path.join('.')} ${issue?.message}`);
  }
  refuseUnknown('meta', Object.keys(data.meta), new Set(DEFINITION_KEYS));
  const tables = { collections: data.collections, ttl_indexes: data.indexes, holds: data.holds };
  for (const table of TABLES) {
    const known = columnsOf(db, table);
    for (const sent of tables[table]) refuseUnknown(table, Object.keys(sent), known);
  }
  return data;
}

const TABLES = ['collections', 'ttl_indexes', 'holds'] as const satisfies (keyof typeof OWN_COLUMNS)[];

/** Columns of a table that a leader may send: all but OWN_COLUMNS. */
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

function omit(found: SqlRow, columns: readonly string[]): SqlRow {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !columns.includes(name)));
}

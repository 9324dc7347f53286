import Sqlite, { type Database } from 'better-sqlite3';
import { z } from 'zod';
import type { EmbeddedBackend } from '../../../../electron/engine/backends/backend.ts';
import { EACH_REMOVAL } from '../../../support/each-removal.ts';

const rows = z.array(z.record(z.string(), z.unknown()));
const readCatalogText = z.object({
  meta: z.record(z.string(), z.unknown()),
  collections: rows,
  indexes: rows,
});

/** Columns with values of one store only. */
const OWN = new Set(['documents', 'bytes', 'explicit', 'recounted_through_row', 'side', 'governed_side']);

/**
 * The data of a store that a mirror must have byte for byte, read by SQL from its file: documents with their explicit
 * expirations, quarantined documents, and every definition.
 */
export class StoreImage {
  readonly #db: Database;
  /** The last image, with SQLite's `data_version` of it. */
  #last: { version: unknown; read: { revision: number; image: string } } | null = null;

  constructor(file: string) {
    this.#db = new Sqlite(file, { readonly: true });
  }

  read(): { revision: number; image: string } {
    const version = this.#db.pragma('data_version', { simple: true });
    if (this.#last !== null && this.#last.version === version) return this.#last.read;
    const read = this.#readAll();
    this.#last = { version, read };
    return read;
  }

  #readAll(): { revision: number; image: string } {
    const db = this.#db;
    db.exec('BEGIN');
    try {
      const revision = z
        .number()
        .parse(db.prepare(`SELECT value FROM meta WHERE key = 'revision'`).pluck().get());
      const collections = rows.parse(db.prepare('SELECT * FROM collections ORDER BY id').all());
      const live = new Set(collections.map(({ id }) => id));
      const documents = collections.map(({ id }) =>
        db
          .prepare(
            `SELECT row, id, updated_at, explicit_at, explicit_after, explicit_action, body FROM documents_${id}
             WHERE row NOT IN (SELECT row FROM ${EACH_REMOVAL} WHERE collection = ${id} AND gone = 1
                               AND seq > (SELECT value FROM meta WHERE key = 'swept')) ORDER BY row`,
          )
          .all()
          .filter(document => !isInInterval(db, id, document)),
      );
      const indexes = rows.parse(db.prepare('SELECT * FROM ttl_indexes ORDER BY id').all());
      const meta = Object.fromEntries(
        ['paused', 'settings'].map(key => [
          key,
          db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key),
        ]),
      );
      const holds = db.prepare('SELECT * FROM holds ORDER BY id').all();
      const catalog = readCatalogText.parse({
        meta,
        collections: collections.map(shared),
        // A mirror builds at its own pace: only whether an index is ready must be equal.
        indexes: indexes
          .filter(({ collection, dropped_at }) => dropped_at === null && live.has(collection))
          .map(index => ({ ...shared(index), built_through_row: index.built_through_row === null })),
      });
      const quarantine = rows
        .parse(db.prepare('SELECT * FROM quarantine ORDER BY collection, row, source').all())
        .filter(({ collection }) => live.has(collection));
      return { revision, image: JSON.stringify({ catalog, holds, documents, quarantine }, null, 1) };
    } finally {
      db.exec('COMMIT');
    }
  }

  /** The first revision in its log. */
  oldest(): number {
    return z.number().parse(this.#db.prepare(`SELECT value FROM meta WHERE key = 'oldest'`).pluck().get());
  }

  close(): void {
    this.#db.close();
  }
}

function shared(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name)));
}

/** Whether a stored document is expired in an interval whose rows are not freed: its entry is not a late one. */
function isInInterval(db: Database, collection: unknown, document: unknown): boolean {
  const { row } = z.object({ row: z.number() }).parse(document);
  const intervals = db
    .prepare<[unknown], { number: number; after: number; through: number }>(
      `SELECT index_table AS number, after_reference AS after, through_reference AS through
       FROM expired_intervals WHERE collection = ? AND freed = 0`,
    )
    .all(collection);
  return intervals.some(
    ({ number, after, through }) =>
      db
        .prepare(
          `SELECT 1 FROM entries_${number} AS e WHERE row = ? AND reference > ? AND reference <= ? AND NOT EXISTS
             (SELECT 1 FROM late_entries AS l
              WHERE l.index_table = ${number} AND l.reference = e.reference AND l.row = e.row)`,
        )
        .get(row, after, through) !== undefined,
  );
}

/** What the answers of a store are read from. */
export type Readable = Pick<EmbeddedBackend, 'reads' | 'collectionNames'>;

const PAGE = { limit: 1000, sort: '_id', order: 'asc' } as const;

/** Returns every document as readers get it at `now`, and whether it is hidden [V1]. */
export async function sightOf(backend: Readable, now: number): Promise<string> {
  const records = await recordsOf(backend, now, true);
  return JSON.stringify(records, null, 1);
}

/** `_id`s of documents that a list shows although they are hidden, or the other way round. */
export async function wronglyShown(backend: Readable, now: number): Promise<string[]> {
  const [all, shown] = await Promise.all([recordsOf(backend, now, true), recordsOf(backend, now, false)]);
  const visible = all.map(records => records.filter(({ hidden }) => !hidden));
  const ids = (of: typeof all) =>
    new Set(of.flatMap((records, i) => records.map(({ _id }) => `${i}/${_id}`)));
  return [...ids(visible).symmetricDifference(ids(shown))];
}

/** The explanation of every document at `now`, also of hidden ones [X1]. */
export async function explanationsOf(backend: Readable, now: number): Promise<string> {
  const explanations = [];
  for (const [i, records] of (await recordsOf(backend, now, true)).entries())
    for (const { _id } of records)
      explanations.push(await backend.reads.explain(backend.collectionNames()[i] ?? '', _id, now));
  return JSON.stringify(explanations, null, 1);
}

/** All counts of collections and indexes at `now`, with examples of documents without a deadline. */
export async function countsOf(backend: Readable, now: number): Promise<string> {
  const { reads } = backend;
  const indexes = await Promise.all(backend.collectionNames().map(name => reads.indexes(name, now)));
  return JSON.stringify({ collections: await reads.summaries(null, now), indexes }, null, 1);
}

function recordsOf(backend: Readable, now: number, includeExpired: boolean) {
  const pages = backend
    .collectionNames()
    .map(collection => backend.reads.documents({ ...PAGE, collection, includeExpired }, now));
  return Promise.all(pages.map(async page => (await page).documents));
}

/** The first line in which two texts differ. */
export function difference(found: string, expected: string | undefined): string {
  const [lines, others] = [found.split('\n'), (expected ?? '').split('\n')];
  const place = lines.findIndex((line, i) => line !== others[i]);
  const around = (of: string[]) => of.slice(Math.max(0, place - 6), place + 6).join('\n');
  return `\n${around(lines)}\ninstead of\n${expected === undefined ? 'nothing known' : around(others)}`;
}

import type { Database, Statement } from 'better-sqlite3';

interface RevisionImages {
  revision: number;
  /** JSON [{collection, id}] of the documents it removed. */
  removed: string;
  /** Version and text of the definitions after this revision; null if none changed. */
  version: number | null;
  text: string | null;
  /** JSON of the interval that expired in it; null if none did. */
  interval: string | null;
  /** Total bytes of images ever written, through this revision. */
  endOffset: number;
}

/**
 * The `log_images` table: one row for each revision that followers replay [V5]. Its documents are in `document_images`.
 */
export class LogImagesTable {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  insert(images: RevisionImages): void {
    this.#sql.insert.run(images);
  }

  /** Total bytes of images ever written. */
  lastEndOffset(): number {
    return this.#sql.lastEndOffset.get() ?? 0;
  }

  hasThrough(revision: number): boolean {
    return this.#sql.hasThrough.get(revision) !== undefined;
  }

  /** Up to `most` of the oldest revisions. */
  oldest(most: number): IterableIterator<{ revision: number; endOffset: number }> {
    return this.#sql.oldest.iterate(most);
  }

  deleteThrough(revision: number): void {
    this.#sql.deleteThrough.run(revision);
  }

  /** Deletes up to `most` rows. Returns how many. */
  deleteSomeThrough(revision: number, most: number): number {
    return this.#sql.deleteSomeThrough.run(revision, most).changes;
  }
}

function prepare(db: Database) {
  const lastEndOffset: Statement<[], number> = db
    .prepare<[], number>('SELECT end_offset FROM log_images ORDER BY revision DESC LIMIT 1')
    .pluck();
  return {
    lastEndOffset,
    insert: db.prepare<[RevisionImages]>(
      `INSERT INTO log_images (revision, removed, catalog_version, catalog, expired_interval, end_offset)
       VALUES (@revision, @removed, @version, @text, @interval, @endOffset)`,
    ),
    hasThrough: db.prepare<[number], unknown>('SELECT 1 FROM log_images WHERE revision <= ? LIMIT 1'),
    oldest: db.prepare<[number], { revision: number; endOffset: number }>(
      'SELECT revision, end_offset AS endOffset FROM log_images ORDER BY revision LIMIT ?',
    ),
    deleteThrough: db.prepare<[number]>('DELETE FROM log_images WHERE revision <= ?'),
    deleteSomeThrough: db.prepare<[number, number]>(
      `DELETE FROM log_images WHERE revision IN (
         SELECT revision FROM log_images WHERE revision <= ? ORDER BY revision LIMIT ?)`,
    ),
  };
}

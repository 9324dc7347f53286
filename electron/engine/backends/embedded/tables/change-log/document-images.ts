import type { Database, Statement } from 'better-sqlite3';
import type { StoredRow } from '../documents/stored-row.ts';

/** A document as a revision left it. */
interface DocumentImage extends StoredRow {
  revision: number;
  /** `collections.id`. */
  collection: number;
  /** JSON of the document's rows in quarantine; null if there are none. */
  quarantined: string | null;
}

/** The `document_images` table: the documents that followers replay, by revision [V5]. */
export class DocumentImagesTable {
  readonly #insert: Statement<[DocumentImage]>;
  readonly #deleteOf: Statement<[number]>;
  readonly #deleteThrough: Statement<[number]>;
  readonly #deleteSomeThrough: Statement<[number, number]>;

  constructor(db: Database) {
    this.#insert = db.prepare(
      `INSERT INTO document_images (revision, collection, id, row, updated_at, explicit_at, explicit_after,
                                    explicit_action, body, quarantined)
       VALUES (@revision, @collection, @id, @row, @updatedAt, @explicitAt, @explicitAfterMs, @explicitAction, @body,
               @quarantined)`,
    );
    this.#deleteOf = db.prepare('DELETE FROM document_images WHERE revision = ?');
    this.#deleteThrough = db.prepare('DELETE FROM document_images WHERE revision <= ?');
    this.#deleteSomeThrough = db.prepare(
      `DELETE FROM document_images WHERE seq IN (
         SELECT seq FROM document_images WHERE revision <= ? ORDER BY revision LIMIT ?)`,
    );
  }

  insert(image: DocumentImage): void {
    this.#insert.run(image);
  }

  deleteOf(revision: number): void {
    this.#deleteOf.run(revision);
  }

  deleteThrough(revision: number): void {
    this.#deleteThrough.run(revision);
  }

  /** Deletes up to `most` rows, each of which may be 16 MiB. Returns how many. */
  deleteSomeThrough(revision: number, most: number): number {
    return this.#deleteSomeThrough.run(revision, most).changes;
  }
}

import type { Database } from 'better-sqlite3';

/**
 * The `collection_names` table: revisions at which a collection had a name. The change log identifies a collection by
 * its name at the time, and a name can be used again: by a new collection after a drop, or by one restored under that
 * name [X4].
 */
export class CollectionNames {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Call inside the transaction that creates or restores a collection. */
  begin(collection: number, name: string, revision: number): void {
    this.#sql.begin.run(collection, name, revision);
  }

  /** Call inside the transaction that drops a collection; `revision` is its last one under that name. */
  end(collection: number, revision: number): void {
    this.#sql.end.run(revision, collection);
  }

  /** Deletes names that are used only before `oldest`, the first revision of the log. */
  deleteBefore(oldest: number): void {
    this.#sql.deleteBefore.run(oldest);
  }

  /**
   * Returns a function that finds the number of the collection that had a name at a revision; null if none is known.
   */
  reader(): (name: string, revision: number) => number | null {
    const byName = Map.groupBy(this.#sql.all.all(), ({ name }) => name);
    return (name, revision) =>
      byName.get(name)?.find(({ first, last }) => revision >= first && (last === null || revision <= last))
        ?.collection ?? null;
  }
}

interface Span {
  collection: number;
  name: string;
  first: number;
  last: number | null;
}

function prepare(db: Database) {
  return {
    begin: db.prepare<[number, string, number]>(
      'INSERT INTO collection_names (collection, name, first, last) VALUES (?, ?, ?, NULL)',
    ),
    end: db.prepare<[number, number]>(
      'UPDATE collection_names SET last = ? WHERE collection = ? AND last IS NULL',
    ),
    deleteBefore: db.prepare<[number]>('DELETE FROM collection_names WHERE last < ?'),
    // Latest first: of two that had the name in the same millisecond before names were kept, the later one is used.
    all: db.prepare<[], Span>(
      'SELECT collection, name, first, last FROM collection_names ORDER BY first DESC',
    ),
  };
}

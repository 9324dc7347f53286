import type { Database } from 'better-sqlite3';

/**
 * Which collection had a name at which revision. The change log tells of collections by their name then, and a name can be
 * given again: by a collection that is made after another was dropped, or brought back under another name [X4].
 */
export class CollectionNames {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Inside the transaction that makes a collection or brings it back. */
  begin(collection: number, name: string, revision: number): void {
    this.#sql.begin.run(collection, name, revision);
  }

  /** Inside the transaction that drops it: its last revision under that name. */
  end(collection: number, revision: number): void {
    this.#sql.end.run(revision, collection);
  }

  /** Deletes names that are used only before `oldest`, the first revision of the log. */
  forgetBefore(oldest: number): void {
    this.#sql.forget.run(oldest);
  }

  /** Returns the number of the collection that had a name at a revision; null: none is known. */
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
    forget: db.prepare<[number]>('DELETE FROM collection_names WHERE last < ?'),
    // The latest first: where two were in one millisecond before names were kept, it is the later one.
    all: db.prepare<[], Span>(
      'SELECT collection, name, first, last FROM collection_names ORDER BY first DESC',
    ),
  };
}

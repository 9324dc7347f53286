import type { Database, Statement } from 'better-sqlite3';

/** A collection of the mirror. It exists while it has keys; its number stays as long as its history. */
export interface MirroredCollection {
  readonly id: number;
  readonly name: string;
  keys: number;
  /** Total bytes of the measured keys. */
  bytes: number;
  /** When its first key was found, epoch ms. */
  createdAt: number;
}

/** The `mirrored_collections` table, kept in memory as a whole: thousands of small rows, which every call reads. */
export class MirroredCollections {
  readonly #byName = new Map<string, MirroredCollection>();
  readonly #byId = new Map<number, MirroredCollection>();
  /** Numbers of collections that are changed in memory and not written yet. */
  readonly #changed = new Set<MirroredCollection>();
  readonly #all: Statement<[], MirroredCollection>;
  readonly #insert: Statement<[name: string, createdAt: number]>;
  readonly #update: Statement<[MirroredCollection]>;
  readonly #delete: Statement<[number]>;
  readonly #abandoned: Statement<[number], number>;
  readonly #empty: Statement<[]>;

  constructor(db: Database) {
    this.#all = db.prepare(
      'SELECT id, name, keys, bytes, created_at AS createdAt FROM mirrored_collections ORDER BY name',
    );
    this.#insert = db.prepare(
      'INSERT INTO mirrored_collections (name, keys, bytes, created_at) VALUES (?, 0, 0, ?)',
    );
    this.#update = db.prepare(
      'UPDATE mirrored_collections SET keys = @keys, bytes = @bytes, created_at = @createdAt WHERE id = @id',
    );
    this.#delete = db.prepare('DELETE FROM mirrored_collections WHERE id = ?');
    this.#abandoned = db
      .prepare<[number], number>(
        `SELECT id FROM mirrored_collections AS c
         WHERE keys = 0 AND NOT EXISTS (SELECT 1 FROM departures WHERE collection = c.id)
           AND NOT EXISTS (SELECT 1 FROM expiry_counts WHERE collection = c.id) LIMIT ?`,
      )
      .pluck();
    this.#empty = db.prepare('UPDATE mirrored_collections SET keys = 0, bytes = 0');
    this.reload();
  }

  /** Replaces the rows in memory by the stored ones, after a transaction was rolled back. */
  reload(): void {
    this.#byName.clear();
    this.#byId.clear();
    this.#changed.clear();
    for (const one of this.#all.all()) this.#keep(one);
  }

  /** Returns the collections that have keys. */
  present(): MirroredCollection[] {
    return [...this.#byName.values()].filter(({ keys }) => keys > 0);
  }

  /** Returns every collection, those without keys included. */
  all(): Iterable<MirroredCollection> {
    return this.#byName.values();
  }

  /** Returns a collection that has keys. */
  get(name: string): MirroredCollection | undefined {
    const found = this.#byName.get(name);
    return found === undefined || found.keys === 0 ? undefined : found;
  }

  /** Returns a collection that has, or once had, keys. */
  known(name: string): MirroredCollection | undefined {
    return this.#byName.get(name);
  }

  byId(id: number): MirroredCollection | undefined {
    return this.#byId.get(id);
  }

  /** Returns a collection, which is created without keys if it is new. */
  ensure(name: string, now: number): MirroredCollection {
    const found = this.#byName.get(name);
    if (found !== undefined) return found;
    const { lastInsertRowid } = this.#insert.run(name, now);
    const added = { id: Number(lastInsertRowid), name, keys: 0, bytes: 0, createdAt: now };
    this.#keep(added);
    return added;
  }

  /** Counts a key, and creates its collection if it is the first. Returns the collection. */
  addKey(name: string, bytes: number, now: number): MirroredCollection {
    const collection = this.ensure(name, now);
    if (collection.keys === 0) collection.createdAt = now;
    this.change(collection, 1, bytes);
    return collection;
  }

  /** Adds keys and bytes, or with negative numbers removes them. */
  change(collection: MirroredCollection, keys: number, bytes: number): void {
    collection.keys += keys;
    collection.bytes += bytes;
    this.#changed.add(collection);
  }

  /** Writes changed rows. Call before the transaction commits. */
  flush(): void {
    for (const one of this.#changed) this.#update.run(one);
    this.#changed.clear();
  }

  /** Sets every collection to no keys. */
  empty(): void {
    this.#empty.run();
    this.reload();
  }

  /** Deletes up to `most` collections that have neither keys nor departures. Returns their numbers. */
  deleteAbandoned(most: number): number[] {
    const deleted: number[] = [];
    for (const id of this.#abandoned.all(most)) {
      const collection = this.#byId.get(id);
      // Keys of the running transaction may not be written yet.
      if (collection === undefined || collection.keys > 0) continue;
      this.#delete.run(id);
      this.#byName.delete(collection.name);
      this.#byId.delete(id);
      deleted.push(id);
    }
    return deleted;
  }

  #keep(collection: MirroredCollection): void {
    this.#byName.set(collection.name, collection);
    this.#byId.set(collection.id, collection);
  }
}

import type { Database, Statement } from 'better-sqlite3';

/** A quarantined document and the rule whose action failed or left it due [A5]. */
export interface Quarantined {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  /** The reference time of its entry before quarantine, epoch ms. */
  reference: number;
  since: number;
  /** Message for a person. */
  problem: string;
}

const NONE: readonly Quarantined[] = [];
const NO_SOURCES: ReadonlySet<number> = new Set();

/** Reads quarantined documents, on any connection. If there are none, as usual, a lookup runs no query. */
export class QuarantineReader {
  readonly #first: Statement<[], number>;
  readonly #of: Statement<[number, number], Quarantined>;
  readonly #ofSource: Statement<[number, number], { row: number; reference: number }>;
  #isEmpty = true;

  constructor(db: Database) {
    this.#first = db.prepare<[], number>('SELECT row FROM quarantine LIMIT 1').pluck();
    this.#of = db.prepare(
      'SELECT source, reference, since, problem FROM quarantine WHERE collection = ? AND row = ?',
    );
    this.#ofSource = db.prepare('SELECT row, reference FROM quarantine WHERE source = ? AND collection = ?');
  }

  /** Whether no document of the store is quarantined. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Updates the counts to the connection's snapshot. */
  refresh(): void {
    this.#isEmpty = this.#first.get() === undefined;
  }

  protected noteAdded(): void {
    this.#isEmpty = false;
  }

  of(collection: number, row: number): readonly Quarantined[] {
    return this.#isEmpty ? NONE : this.#of.all(collection, row);
  }

  /** Documents that one rule has quarantined. */
  ofSource(collection: number, source: number): { row: number; reference: number }[] {
    return this.#isEmpty ? [] : this.#ofSource.all(source, collection);
  }

  /** Sources that have quarantined a document, for `isOut` of `deadlineOf`. */
  sourcesOf(collection: number, row: number): ReadonlySet<number> {
    if (this.#isEmpty) return NO_SOURCES;
    const found = this.#of.all(collection, row);
    return found.length === 0 ? NO_SOURCES : new Set(found.map(({ source }) => source));
  }
}

/** The `quarantine` table, on the writer's connection and inside its transactions. */
export class Quarantine extends QuarantineReader {
  readonly #add: Statement<[number, number, number, number, number, string]>;
  readonly #release: Statement<[number, number]>;
  readonly #releaseSource: Statement<[number, number]>;
  readonly #deleteSome: Statement<[number, number]>;
  readonly #deleteAll: Statement<[]>;

  constructor(db: Database) {
    super(db);
    this.#add = db.prepare(
      'INSERT INTO quarantine (collection, source, row, reference, since, problem) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#release = db.prepare('DELETE FROM quarantine WHERE collection = ? AND row = ?');
    this.#releaseSource = db.prepare('DELETE FROM quarantine WHERE source = ? AND collection = ?');
    this.#deleteSome = db.prepare('DELETE FROM quarantine WHERE collection = ? LIMIT ?');
    this.#deleteAll = db.prepare('DELETE FROM quarantine');
    this.refresh();
  }

  add(collection: number, row: number, { source, reference, since, problem }: Quarantined): void {
    this.#add.run(collection, source, row, reference, since, problem);
    this.noteAdded();
  }

  /** Releases a document that was written, got an expiration, or was removed: every index acts on it again. */
  release(collection: number, row: number): void {
    if (!this.isEmpty) this.#release.run(collection, row);
  }

  /** Releases all documents that one rule has quarantined, and returns them. */
  releaseSource(collection: number, source: number): { row: number; reference: number }[] {
    if (this.isEmpty) return [];
    const released = this.ofSource(collection, source);
    this.#releaseSource.run(source, collection);
    return released;
  }

  /** Deletes up to `most` rows of a collection that is dropped. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#deleteSome.run(collection, most).changes;
  }

  deleteAll(): void {
    this.#deleteAll.run();
  }
}

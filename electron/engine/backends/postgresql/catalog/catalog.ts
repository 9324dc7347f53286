import type { SessionPool } from '../connection/session-pool.ts';
import { noSuchTable } from './columns.ts';
import type { CatalogQueries, TableEntry } from './table-entry.ts';

/** A difference between two readings of the catalog. */
export interface CatalogChange {
  /** Tables that are new, gone, or whose rows were written or deleted. */
  readonly collections: ReadonlySet<string>;
  /** Rows inserted or updated by anyone since the reading before, by table. */
  readonly written: ReadonlyMap<string, number>;
}

/** The tables of a database, as of the last reading. */
export class Catalog {
  readonly #pool: SessionPool;
  readonly #queries: CatalogQueries;
  #tables: ReadonlyMap<string, TableEntry> = new Map();
  #hasRead = false;
  /** Fingerprint of the tables at the last reading; null: they were not read yet. */
  #fingerprint: string | null = null;

  constructor(pool: SessionPool, queries: CatalogQueries) {
    this.#pool = pool;
    this.#queries = queries;
  }

  get hasRead(): boolean {
    return this.#hasRead;
  }

  has(collection: string): boolean {
    return this.#tables.has(collection);
  }

  get names(): string[] {
    return [...this.#tables.keys()].sort();
  }

  /** By name. */
  get all(): TableEntry[] {
    return this.names.map(name => this.#tables.get(name)).filter(entry => entry !== undefined);
  }

  /** Returns a table; one that is new is found by a reading. Rejects with COLLECTION_NOT_FOUND. */
  async table(collection: string): Promise<TableEntry> {
    if (!this.has(collection)) await this.refresh();
    const entry = this.#tables.get(collection);
    if (entry === undefined) throw noSuchTable(collection);
    return entry;
  }

  /** Reads the tables if one was created, dropped or renamed since the last reading. */
  async freshen(): Promise<void> {
    const found = await this.#pool.use(this.#queries.fingerprint);
    if (found !== this.#fingerprint) await this.refresh();
  }

  /** Reads the tables. Returns what has changed; nothing at the first reading. */
  async refresh(): Promise<CatalogChange> {
    const { fingerprint: readFingerprint, tables } = this.#queries;
    const [fingerprint, entries] = await this.#pool.use(
      async session => [await readFingerprint(session), await tables(session)] as const,
    );
    this.#fingerprint = fingerprint;
    const before = this.#tables;
    this.#tables = new Map(entries.map(entry => [entry.collection, entry]));
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    const collections = new Set<string>();
    const written = new Map<string, number>();
    if (isFirst) return { collections, written };
    for (const name of before.keys()) if (!this.#tables.has(name)) collections.add(name);
    for (const [name, entry] of this.#tables) {
      const old = before.get(name);
      // After a crash the server's statistics begin again.
      const rows = old === undefined ? 0 : Math.max(0, entry.written - old.written);
      if (rows > 0) written.set(name, rows);
      if (old === undefined || rows > 0 || !isSameTable(old, entry)) collections.add(name);
    }
    return { collections, written };
  }
}

function isSameTable(old: TableEntry, entry: TableEntry): boolean {
  return old.oid === entry.oid && old.rows === entry.rows && old.deleted === entry.deleted;
}

import { DEFAULT_SETTINGS } from '../../../../../shared/contract/settings.ts';
import { IndexTableReader } from '../../../deadline-index/index-table-reader.ts';
import type { Catalog, CatalogCollection } from '../catalog/catalog.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { noSuchCollection } from '../catalog/not-found.ts';
import { type Database, openForReading, type Statement } from '../file/database.ts';
import { Meta } from '../tables/meta.ts';
import { QuarantineReader } from '../tables/quarantine.ts';
import { CopyReader } from '../tables/removals/copy-reader.ts';
import { RemovalReader } from '../tables/removals/removal-reader.ts';
import { Tombstones } from '../tables/removals/tombstones.ts';

/**
 * A read-only connection. Every answer is read in one short transaction, so it is true of one revision. It neither
 * waits for the writer nor delays it.
 */
export class ReadConnection {
  readonly db: Database;
  readonly meta: Meta;
  readonly tombstones: Tombstones;
  readonly removals: RemovalReader;
  readonly copies: CopyReader;
  readonly quarantine: QuarantineReader;
  #catalog: Catalog;
  #catalogVersion = -1;
  readonly #tables = new Map<number, IndexTableReader>();
  readonly #sql: {
    begin: Statement<[]>;
    end: Statement<[]>;
    counts: Statement<[number], Pick<CatalogCollection, 'documents' | 'bytes' | 'recountedThroughRow'>>;
  };

  readonly #log: Statement<[], [busy: number, pages: number, copied: number]>;

  constructor(file: string) {
    this.db = openForReading(file);
    this.#log = this.db.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#sql = {
      begin: this.db.prepare('BEGIN'),
      end: this.db.prepare('COMMIT'),
      counts: this.db.prepare(
        'SELECT documents, bytes, recounted_through_row AS recountedThroughRow FROM collections WHERE id = ?',
      ),
    };
    this.#catalog = {
      paused: null,
      settings: DEFAULT_SETTINGS,
      holds: [],
      collections: new Map(),
      byId: new Map(),
    };
    this.meta = new Meta(this.db);
    this.tombstones = new Tombstones(this.db);
    this.removals = new RemovalReader(this.db, this.tombstones.intervals);
    this.copies = new CopyReader(this.db);
    this.quarantine = new QuarantineReader(this.db);
  }

  /** Runs `work` on one snapshot of the store. */
  read<Result>(work: () => Result): Result {
    this.begin();
    try {
      return work();
    } finally {
      this.end();
    }
  }

  /** Opens a snapshot for a scan that spans several calls; close it with `end`. Leaves none open if it throws. */
  begin(): void {
    this.#sql.begin.run();
    try {
      this.#refresh();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Updates the caches to this snapshot. */
  #refresh(): void {
    const version = this.meta.number('catalog') ?? 0;
    if (version !== this.#catalogVersion) {
      this.#catalog = loadCatalog(this.db, this.#catalog);
      this.#catalogVersion = version;
      this.#forgetDroppedTables();
    }
    this.tombstones.refresh();
    this.quarantine.refresh();
  }

  #forgetDroppedTables(): void {
    const ids = new Set<number>();
    const used = new Set<number>();
    for (const { id, explicit, indexes } of this.#catalog.collections.values()) {
      ids.add(id);
      used.add(explicit);
      for (const { table, governedTable } of indexes) used.add(table).add(governedTable ?? table);
    }
    for (const number of this.#tables.keys()) if (!used.has(number)) this.#tables.delete(number);
    this.tombstones.releaseEmpty(collection => !ids.has(collection));
  }

  /** Whether a snapshot is open. */
  get isOpen(): boolean {
    return this.db.inTransaction;
  }

  /**
   * Returns the pages of 4 KiB that a new snapshot would keep in the write-ahead log: 0 if the file has all of them,
   * since SQLite then reads only the file. Do not call it while a snapshot is open.
   */
  logPages(): number {
    const [, pages, copied] = this.#log.get() ?? [0, 0, 0];
    return pages === copied ? 0 : pages;
  }

  end(): void {
    if (this.db.inTransaction) this.#sql.end.run();
  }

  get catalog(): Catalog {
    return this.#catalog;
  }
  get revision(): number {
    return this.meta.number('revision') ?? 0;
  }

  /** Throws COLLECTION_NOT_FOUND. */
  collection(name: string): CatalogCollection {
    const found = this.#catalog.collections.get(name);
    if (found === undefined) throw noSuchCollection(name);
    // Every write changes the counts of the row; the rest changes only with the catalog.
    return { ...found, ...this.#sql.counts.get(found.id) };
  }

  table(number: number): IndexTableReader {
    let table = this.#tables.get(number);
    if (table === undefined) {
      table = new IndexTableReader(this.db, number, this.tombstones.intervals);
      this.#tables.set(number, table);
    }
    return table;
  }

  close(): void {
    this.end();
    this.db.close();
  }
}

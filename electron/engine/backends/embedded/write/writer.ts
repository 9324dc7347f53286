import { IndexTableReader } from '../../../deadline-index/index-table-reader.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Commit } from '../../backend.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { noSuchCollection } from '../catalog/not-found.ts';
import type { Database, Statement } from '../file/database.ts';
import type { ChangeLog } from '../tables/change-log/change-log.ts';
import { Meta } from '../tables/meta.ts';
import { Tombstones } from '../tables/removals/tombstones.ts';
import { Transaction } from '../tables/transaction.ts';
import { CollectionWriter } from './collection-writer.ts';
import { DueOnArrival } from './due-on-arrival.ts';
import { DueSince } from './due-since.ts';
import { FollowerImages } from './follower-images.ts';
import { IndexTables } from './index-tables.ts';
import { type WatchedDisk, WriteGuard } from './write-guard.ts';
import { Tables } from './writer-tables.ts';

export interface WriterOptions {
  /** Called after each commit, visible or not. */
  onWritten?: () => void;
  /** Receives the error of a listener, or of `onWritten`; the commit is durable by then and succeeds. */
  onListenerError?: ((error: unknown) => void) | undefined;
  disk?: WatchedDisk;
}

/**
 * The store's only writing connection. Every visible change goes through `transact`: one transaction, one revision,
 * reported to the listeners once it is durable and never before [V2].
 */
export class Writer {
  readonly db: Database;
  readonly clock: Clock;
  readonly guard: WriteGuard;
  readonly tombstones: Tombstones;
  readonly meta: Meta;
  readonly tables: Tables;
  readonly indexTables: IndexTables;
  /** Document images for followers [V5]. */
  readonly images: FollowerImages;
  readonly dueSince = new DueSince();
  readonly dueOnArrival = new DueOnArrival();
  #catalog: Catalog;
  /** Whether `#catalog` has definitions of the running transaction. */
  #isCatalogUncommitted = false;
  readonly #collections = new Map<string, CollectionWriter>();
  readonly #listeners = new Set<(changes: Commit) => void>();
  readonly #beforeCommit = new Set<(transaction: Transaction) => void>();
  #revision: number;
  readonly #onWritten: () => void;
  readonly #onListenerError: (error: unknown) => void;
  readonly #sql: {
    begin: Statement<[]>;
    commit: Statement<[]>;
    rollback: Statement<[]>;
  };

  constructor(
    db: Database,
    clock: Clock,
    { onWritten = () => {}, onListenerError = throwUncaught, disk }: WriterOptions = {},
  ) {
    this.db = db;
    this.clock = clock;
    this.#onWritten = onWritten;
    this.#onListenerError = onListenerError;
    this.guard = new WriteGuard(disk);
    this.#catalog = loadCatalog(db);
    this.tombstones = new Tombstones(db);
    this.tombstones.refresh();
    this.tables = new Tables(db, this.tombstones.intervals);
    this.indexTables = new IndexTables(db, this.tombstones.intervals);
    this.images = new FollowerImages(db, this.tables);
    this.meta = new Meta(db);
    this.#revision = this.meta.number('revision') ?? 0;
    this.#sql = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
    };
  }

  get catalog(): Catalog {
    return this.#catalog;
  }
  get revision(): number {
    return this.#revision;
  }

  /** Throws COLLECTION_NOT_FOUND. */
  collection(name: string): CollectionWriter {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const catalog = this.#catalog.collections.get(name);
    if (catalog === undefined) throw noSuchCollection(name);
    const writer = new CollectionWriter(this.db, catalog, this);
    this.#collections.set(name, writer);
    return writer;
  }

  /** Returns null if there is no collection of that number: it was dropped. */
  collectionWithId(id: number): CollectionWriter | null {
    const found = this.#catalog.byId.get(id);
    return found === undefined ? null : this.collection(found.name);
  }

  /** Reads an index table on the writing connection. */
  indexTable(number: number): IndexTableReader {
    return new IndexTableReader(this.db, number, this.tombstones.intervals);
  }

  /** Calls `listener` after each commit, in order. Returns the function that unsubscribes. */
  onCommit(listener: (changes: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` inside each transaction that changes something, before it commits; an error rolls it back. */
  beforeCommit(listener: (transaction: Transaction) => void): () => void {
    this.#beforeCommit.add(listener);
    return () => this.#beforeCommit.delete(listener);
  }

  /**
   * Runs `work` in one transaction with one revision. If it throws, the file and the caches are as before. A
   * transaction without changes is rolled back and uses no revision.
   *
   * Throws DISK_FULL while the disk is full [S1].
   */
  transact<Result>(work: (transaction: Transaction) => Result): Result {
    this.guard.refuseReadOnly();
    this.guard.refuseWhileDiskFull();
    return this.#commit(new Transaction(this.#revision + 1, this.clock.now()), work);
  }

  /** Like `transact`, but also while the disk is full: for work that frees space, or changes only a setting [S1]. */
  transactOnFullDisk<Result>(work: (transaction: Transaction) => Result): Result {
    this.guard.refuseReadOnly();
    this.guard.refuseWithoutRoomForLog();
    return this.#commit(new Transaction(this.#revision + 1, this.clock.now()), work);
  }

  /** Commits a change of another store at its revision and instant, even if it is empty [V5]. */
  replay(revision: number, at: number, work: (transaction: Transaction) => void): void {
    this.guard.refuseWhileDiskFull();
    this.#commit(new Transaction(revision, at, true), work);
  }

  /** Takes over a part of another store as it was at `revision`, without notifying listeners [V5]. */
  adopt(revision: number, work: () => void): void {
    this.guard.refuseWhileSuspended();
    this.guard.refuseWhileDiskFull();
    this.#sql.begin.run();
    try {
      work();
      for (const collection of this.#collections.values()) collection.flush();
      this.meta.set('revision', revision);
      this.meta.add('catalog', 1);
      this.#sql.commit.run();
    } catch (error) {
      throw this.#rollBack(error);
    }
    this.#revision = revision;
    this.#reloadCatalog();
    this.tombstones.reload();
  }

  /** Reloads the catalog after a change of definitions in the running transaction. */
  reloadDefinitions(): void {
    for (const collection of this.#collections.values()) collection.flush();
    this.#reloadCatalog();
    this.#isCatalogUncommitted = true;
  }

  #commit<Result>(transaction: Transaction, work: (transaction: Transaction) => Result): Result {
    this.guard.refuseWhileSuspended();
    this.#sql.begin.run();
    this.dueSince.begin();
    this.dueOnArrival.begin();
    let result: Result;
    let logged: ReturnType<ChangeLog['append']>;
    let imagesAreDurable: () => void;
    try {
      result = work(transaction);
      if (transaction.isEmpty) {
        this.#sql.rollback.run();
        return result;
      }
      for (const listener of this.#beforeCommit) listener(transaction);
      for (const name of transaction.collections) this.#collections.get(name)?.flush();
      this.meta.set('revision', transaction.revision);
      if (transaction.changesCatalog) this.meta.add('catalog', 1);
      logged = this.tables.log.append(transaction);
      imagesAreDurable = this.images.append(transaction, this);
      this.#sql.commit.run();
    } catch (error) {
      throw this.#rollBack(error);
    }
    this.tables.log.committed(logged);
    imagesAreDurable();
    this.dueSince.committed();
    this.dueOnArrival.committed();
    for (const work of transaction.afterCommit) work();
    this.#revision = transaction.revision;
    if (transaction.changesCatalog) {
      this.#reloadCatalog();
      this.dueSince.keepOnly(this.#catalog.byId);
      this.dueOnArrival.keepOnly(this.#catalog.byId);
    }
    if (transaction.removesRows) this.tombstones.committed(transaction.deletions);
    this.#notify(this.#onWritten);
    const commit = transaction.commit();
    for (const listener of this.#listeners) this.#notify(() => listener(commit));
    return result;
  }

  /** Calls a listener after a commit. Its error neither fails the commit nor skips the other listeners. */
  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#onListenerError(error);
    }
  }

  /**
   * Runs a transaction without a visible change (sweeping, pruning, building): it takes no revision and does not wait
   * for the disk, since work lost in a power cut is repeated. The next write syncs it.
   */
  maintain<Result>(work: () => Result): Result {
    this.guard.refuseWhileSuspended();
    this.guard.refuseWithoutRoomForLog();
    this.db.pragma('synchronous = NORMAL');
    let result: Result;
    try {
      this.#sql.begin.run();
      result = work();
      this.#sql.commit.run();
    } catch (error) {
      throw this.#rollBack(error);
    } finally {
      this.db.pragma('synchronous = FULL');
    }
    this.#notify(this.#onWritten);
    return result;
  }

  /**
   * Runs `work` in a transaction that is rolled back, so that what it runs is compiled and prepared when it is needed.
   * `work` takes back what it changes in memory, except known intervals. Returns false, and does not run it, while writes
   * are refused.
   */
  rehearse(work: (transaction: Transaction) => void): boolean {
    if (this.guard.isRefusing) return false;
    this.#sql.begin.run();
    try {
      work(new Transaction(this.#revision + 1, this.clock.now()));
      this.#sql.rollback.run();
      this.tombstones.intervals.refresh();
      return true;
    } catch (error) {
      throw this.#rollBack(error);
    }
  }

  close(): void {
    this.#listeners.clear();
    this.db.close();
  }

  /**
   * Rolls back the transaction that failed with `error`. Returns the error to throw. Any refused write ends here, so
   * tombstones are read again only if the transaction had changed what is known of them, and definitions only if that,
   * or if a build is under way, whose gathered entries are discarded with the `CollectionWriter` (see Backfill).
   */
  #rollBack(error: unknown): unknown {
    if (this.db.inTransaction) this.#sql.rollback.run();
    this.indexTables.discardCounts();
    this.tombstones.rolledBack();
    const collections = [...this.#collections.values()];
    if (this.#isCatalogUncommitted || collections.some(({ entries }) => entries.isBuilding))
      this.#reloadCatalog();
    else for (const collection of collections) collection.rolledBack();
    this.tables.quarantine.refresh();
    return this.guard.explain(error);
  }

  #reloadCatalog(): void {
    this.#catalog = loadCatalog(this.db, this.#catalog);
    this.#isCatalogUncommitted = false;
    this.#collections.clear();
    this.indexTables.keepOnly(this.#catalog);
    const { byId } = this.#catalog;
    this.tombstones.releaseEmpty(collection => !byId.has(collection));
  }
}

/** Default handler: the error ends the thread as an uncaught exception. */
function throwUncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

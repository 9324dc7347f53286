import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Commit } from '../../backend.ts';
import type { Database, Statement } from '../file/database.ts';
import type { DiskSpace } from '../file/disk-space.ts';
import { type Catalog, loadCatalog } from '../tables/catalog.ts';
import type { ChangeLog } from '../tables/change-log.ts';
import { DeadRows } from '../tables/dead-rows.ts';
import { Meta } from '../tables/meta.ts';
import { noSuchCollection } from '../tables/not-found.ts';
import { Tables } from '../tables/tables.ts';
import { Transaction } from '../tables/transaction.ts';
import { CollectionWriter } from './collection-writer.ts';
import { LogImages } from './document-images.ts';

type WatchedDisk = Pick<DiskSpace, 'full' | 'refuseWhileFull' | 'refuseWithoutRoomForLog' | 'explain'>;

/**
 * The store's one writing connection. Whatever changes it goes through `transact`: one transaction, one revision,
 * told to the listeners after it is durable and never before [V2].
 */
export class Writer {
  readonly db: Database;
  readonly clock: Clock;
  readonly dead: DeadRows;
  readonly meta: Meta;
  readonly tables: Tables;
  /** What followers replay [V5]. */
  readonly images: LogImages;
  #catalog: Catalog;
  readonly #collections = new Map<string, CollectionWriter>();
  readonly #dueSince = new Map<string, number>();
  readonly #listeners = new Set<(changes: Commit) => void>();
  readonly #beforeCommit = new Set<(transaction: Transaction) => void>();
  #revision: number;
  #readOnly: (() => SandglassError) | null = null;
  #suspended: { ended: Promise<void>; end(): void } | null = null;
  readonly #onWritten: () => void;
  readonly #onListenerError: (error: unknown) => void;
  readonly #disk: WatchedDisk;
  readonly #sql: {
    begin: Statement<[]>;
    commit: Statement<[]>;
    rollback: Statement<[]>;
  };

  /**
   * `onWritten` is called after each commit, whether anybody is told of it or not. `onListenerError` is given the error
   * of a listener, or of `onWritten`: the commit is durable by then and succeeds all the same. `disk` says whether there
   * is room for writes; left out, a full disk is SQLite's error.
   */
  constructor(
    db: Database,
    clock: Clock,
    onWritten: () => void = () => {},
    onListenerError: (error: unknown) => void = throwInItsOwnTurn,
    disk: WatchedDisk = UNWATCHED_DISK,
  ) {
    this.db = db;
    this.clock = clock;
    this.#onWritten = onWritten;
    this.#onListenerError = onListenerError;
    this.#disk = disk;
    this.#catalog = loadCatalog(db);
    this.dead = new DeadRows(db);
    this.dead.refresh();
    this.tables = new Tables(db);
    this.images = new LogImages(db, this.tables);
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
    const writer = new CollectionWriter(this.db, catalog, this.dead.of(catalog.id), this.tables);
    this.#collections.set(name, writer);
    return writer;
  }

  /** An expiration was cleared of a document that is long due: it became due only now [M1]. */
  noteDueSince(collection: number, row: number, at: number): void {
    this.#dueSince.set(`${collection}:${row}`, at);
  }

  /** Since when a document is due for another reason than its deadline, 0: for none; told once. */
  takeDueSince(collection: number, row: number): number {
    if (this.#dueSince.size === 0) return 0;
    const key = `${collection}:${row}`;
    const at = this.#dueSince.get(key) ?? 0;
    this.#dueSince.delete(key);
    return at;
  }

  /** Calls `listener` after each commit, in order, until the returned function is called. */
  onCommit(listener: (changes: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` inside each transaction that changes something, before it commits; what it throws undoes all of it. */
  beforeCommit(listener: (transaction: Transaction) => void): () => void {
    this.#beforeCommit.add(listener);
    return () => this.#beforeCommit.delete(listener);
  }

  /**
   * Runs `work` in one transaction with one revision. When it throws, nothing of it is left, in the file or in
   * memory. A transaction that noted nothing is rolled back to keep the revision.
   *
   * Throws DISK_FULL while the disk is full [S1].
   */
  transact<Result>(work: (transaction: Transaction) => Result): Result {
    if (this.#readOnly !== null) throw this.#readOnly();
    this.refuseWhileDiskFull();
    return this.#commit(new Transaction(this.#revision + 1, this.clock.now()), work);
  }

  /** The same also while the disk is full: for what frees space, or changes no more than a setting [S1]. */
  transactOnFullDisk<Result>(work: (transaction: Transaction) => Result): Result {
    if (this.#readOnly !== null) throw this.#readOnly();
    this.#disk.refuseWithoutRoomForLog();
    return this.#commit(new Transaction(this.#revision + 1, this.clock.now()), work);
  }

  /** Resolves when writes are taken again after `suspend`; null: they are. */
  get suspended(): Promise<void> | null {
    return this.#suspended?.ended ?? null;
  }

  /**
   * Until the returned function is called, another connection writes the file, and whatever would change it here throws
   * STORE_BUSY: waiting for that connection's lock would hold up the thread.
   */
  suspend(): () => void {
    this.#refuseWhileSuspended();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#suspended = { ended, end };
    return () => {
      this.#suspended = null;
      end();
    };
  }

  #refuseWhileSuspended(): void {
    if (this.#suspended === null) return;
    throw new SandglassError(
      'STORE_BUSY',
      'The store’s file is being compacted. Writes are taken when that is done.',
    );
  }

  /** Throws DISK_FULL while writes are refused: for work by `maintain` that makes the store larger [S1]. */
  refuseWhileDiskFull(): void {
    this.#disk.refuseWhileFull();
  }

  /** Runs a statement outside of a transaction of this class; without room for it, throws DISK_FULL. */
  attempt<Result>(work: () => Result): Result {
    this.#refuseWhileSuspended();
    try {
      return work();
    } catch (error) {
      throw this.#disk.explain(error);
    }
  }

  /** Writes down what is worth no refusal: when something was last used. On a full disk it is left out. */
  note(work: () => void): void {
    if (this.#disk.full !== null || this.#suspended !== null) return;
    try {
      work();
    } catch (error) {
      if (this.#disk.explain(error) === error) throw error;
    }
  }

  /** From here on only `replay` and `adopt` change anything: this store mirrors another [V5]. */
  makeReadOnly(refusal: () => SandglassError): void {
    this.#readOnly = refusal;
  }

  /** The same for what another store committed: at its revision and its instant, and kept also where it is empty [V5]. */
  replay(revision: number, at: number, work: (transaction: Transaction) => void): void {
    this.refuseWhileDiskFull();
    this.#commit(new Transaction(revision, at, true), work);
  }

  /** Takes over a part of another store as it was at `revision`, of which nobody is told [V5]. */
  adopt(revision: number, work: () => void): void {
    this.#refuseWhileSuspended();
    this.refuseWhileDiskFull();
    this.#sql.begin.run();
    try {
      work();
      for (const collection of this.#collections.values()) collection.flush();
      this.meta.set('revision', revision);
      this.meta.add('catalog', 1);
      this.#sql.commit.run();
    } catch (error) {
      throw this.#abandon(error);
    }
    this.#revision = revision;
    this.#reloadCatalog();
    this.dead.reload();
  }

  /** Definitions have changed in the running transaction, and what follows in it goes by the new ones. */
  redefine(): void {
    for (const collection of this.#collections.values()) collection.flush();
    this.#reloadCatalog();
  }

  #commit<Result>(transaction: Transaction, work: (transaction: Transaction) => Result): Result {
    this.#refuseWhileSuspended();
    this.#sql.begin.run();
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
      throw this.#abandon(error);
    }
    this.tables.log.committed(logged);
    imagesAreDurable();
    this.#revision = transaction.revision;
    if (transaction.changesCatalog) this.#reloadCatalog();
    if (transaction.removesRows) {
      this.dead.append(transaction.deletions);
      this.dead.refresh();
    }
    this.#tell(this.#onWritten);
    const commit = transaction.commit();
    for (const listener of this.#listeners) this.#tell(() => listener(commit));
    return result;
  }

  /** After a commit: an error here must not be taken for one of the commit, nor keep it from the other listeners. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#onListenerError(error);
    }
  }

  /**
   * A transaction that changes nothing anyone can see (sweeping, pruning, building): no revision, and no waiting for
   * the disk, since what a power cut takes of it is simply done again. The next write syncs it, too.
   */
  maintain<Result>(work: () => Result): Result {
    this.#refuseWhileSuspended();
    this.#disk.refuseWithoutRoomForLog();
    this.db.pragma('synchronous = NORMAL');
    let result: Result;
    try {
      this.#sql.begin.run();
      result = work();
      this.#sql.commit.run();
    } catch (error) {
      throw this.#abandon(error);
    } finally {
      this.db.pragma('synchronous = FULL');
    }
    this.#tell(this.#onWritten);
    return result;
  }

  close(): void {
    this.#listeners.clear();
    this.db.close();
  }

  /** Undoes the transaction that failed by `error`; answers the error to throw. */
  #abandon(error: unknown): unknown {
    if (this.db.inTransaction) this.#sql.rollback.run();
    this.#reloadCatalog();
    this.dead.reload();
    this.tables.quarantine.refresh();
    return this.#disk.explain(error);
  }

  #reloadCatalog(): void {
    this.#catalog = loadCatalog(this.db);
    this.#collections.clear();
  }
}

const UNWATCHED_DISK: WatchedDisk = {
  full: null,
  refuseWhileFull: () => {},
  refuseWithoutRoomForLog: () => {},
  explain: error => error,
};

/** An uncaught exception, which ends the thread: nobody has said where such an error is to be reported. */
function throwInItsOwnTurn(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

import { statSync } from 'node:fs';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import {
  noSuchIndex,
  type OnExpire,
  type Pause,
  type TtlIndexDefinition,
} from '../../../../shared/model/ttl-index.ts';
import { checkAction } from '../../expiry/action-check.ts';
import type { Budget } from '../../expiry/port.ts';
import { isOutOfSpace } from '../../files/disk.ts';
import type { Endpoint } from '../../files/owner-file.ts';
import { deleteReserve } from '../../files/reserve-file.ts';
import { realFile } from '../../files/store-path.ts';
import type { Clock } from '../../platform/clock.ts';
import type {
  Backend,
  BackfillTarget,
  BackupOptions,
  BackupResult,
  BatchReport,
  BulkChange,
  Commit,
  Incoming,
  PartOptions,
  PartResult,
  Reads,
  WriteOptions,
} from '../backend.ts';
import { Backfill } from './definitions/backfill.ts';
import { CollectionDefinitions } from './definitions/collection-definitions.ts';
import { CollectionRetention } from './definitions/collection-retention.ts';
import { EmbeddedDropped } from './definitions/embedded-dropped-collections.ts';
import { EmbeddedHolds } from './definitions/embedded-holds.ts';
import { GovernedSideTables } from './definitions/governed-side-tables.ts';
import { HoldPlacement } from './definitions/hold-placement.ts';
import { IndexBuildProgress } from './definitions/index-build-progress.ts';
import { IndexDefinitions } from './definitions/index-definitions.ts';
import { Pauses } from './definitions/pauses.ts';
import { IndexEffect } from './definitions/put-index-in-effect.ts';
import { EmbeddedExpiry } from './expiry/reaping.ts';
import { EmbeddedExpired } from './expiry/restore-expired.ts';
import { EmbeddedRetention } from './expiry/retention.ts';
import { Sweep } from './expiry/sweep.ts';
import { SweepBound } from './expiry/sweep-bound.ts';
import { ThreadBackups } from './file/backup-threads.ts';
import { Checkpoints } from './file/checkpoints.ts';
import { removeCompactCopy } from './file/compact.ts';
import { type Database, openForWriting, openWithoutWriting, removeEmptyLog } from './file/database.ts';
import { DiskSpace } from './file/disk-space.ts';
import { takeOwnership } from './file/ownership.ts';
import { startThreadReads } from './reader-threads.ts';
import { EmbeddedReads } from './reads.ts';
import { EmbeddedFileCare } from './records/embedded-file-care.ts';
import { EmbeddedSeries } from './records/embedded-metric-series.ts';
import { EmbeddedOpenings } from './records/embedded-openings.ts';
import { EmbeddedSettings } from './records/embedded-settings.ts';
import { EmbeddedTokens } from './records/embedded-tokens.ts';
import { EmbeddedFollowers } from './replica/embedded-followers.ts';
import { EmbeddedPurges } from './replica/embedded-purges.ts';
import { LogCompaction } from './replica/log-compaction.ts';
import { PurgeConfirmations } from './replica/purge-confirmations.ts';
import { EmbeddedReplica, refuseMirror } from './replica/replay-leader-log.ts';
import { inTime } from './rows/time-limit.ts';
import type { Transaction } from './rows/transaction.ts';
import { RetainedCopies } from './tables/retained-copies.ts';
import { writeBatch } from './write/batch-write.ts';
import { DocumentWrites } from './write/document-writes.ts';
import { ExpirationActions } from './write/expiration-actions.ts';
import { readExpiration } from './write/explicit-expiration.ts';
import { RemovalLog } from './write/removal-log.ts';
import { documentFromValue } from './write/stored-document.ts';
import { Writer } from './write/writer.ts';

export interface StoreOptions {
  file: string;
  clock: Clock;
  /** Reads run on a thread of their own (default) or on the calling one. */
  reads?: 'thread' | 'inline';
  /** The same of checkpoints; left out, as `reads`. */
  checkpoints?: 'thread' | 'inline';
  /** Bytes kept allocated beside the store for a full disk; left out: none [S1]. */
  reserveBytes?: number;
  onThreadDeath?: (error: Error) => void;
  /** Given the error of a listener of commits; the commit itself is durable and has succeeded. */
  onListenerError?: (error: unknown) => void;
  /** Address given to other processes that find the store in use. */
  endpoint?: Endpoint;
  /** The address of the leader that the store mirrors and takes no other change from [V5]. */
  leader?: string;
  /** Not a byte of it is changed; whatever would is refused with READ_ONLY [P2]. */
  readOnly?: boolean;
}

/**
 * Opens a store, making it where there is none. Its lock, owner and log lie beside the file itself, whichever link leads
 * there: two names of a file must not have two owners. Throws STORE_IN_USE, STORE_UNREADABLE, STORE_TOO_NEW, DISK_FULL;
 * READ_ONLY for a mirror that is opened without a leader, and BAD_REQUEST for a store of its own that is opened with one.
 */
export function openEmbeddedStore(options: StoreOptions): EmbeddedStore {
  const file = realFile(options.file);
  const release = takeOwnership(file, options.endpoint);
  try {
    return new EmbeddedStore({ ...options, file }, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The embedded backend: one SQLite file, one writer, readers beside it. */
export class EmbeddedStore implements Backend {
  readonly file: string;
  readonly reads: Reads;
  readonly expiry: EmbeddedExpiry;
  readonly replica: EmbeddedReplica | null;
  readonly tokens: EmbeddedTokens;
  readonly settings: EmbeddedSettings;
  readonly holds: EmbeddedHolds;
  readonly openings: EmbeddedOpenings;
  readonly expired: EmbeddedExpired;
  readonly purges: EmbeddedPurges;
  readonly dropped: EmbeddedDropped;
  readonly series: EmbeddedSeries;
  readonly disk: DiskSpace;
  readonly fileCare: EmbeddedFileCare;
  readonly #writer: Writer;
  readonly #writes: DocumentWrites;
  readonly #collections: CollectionDefinitions;
  readonly #indexes: IndexDefinitions;
  readonly #pauses: Pauses;
  readonly #backfill: Backfill;
  readonly followers: EmbeddedFollowers;
  readonly #compaction: LogCompaction;
  readonly #backups = new ThreadBackups();
  /** Null: SQLite's own, on this thread. */
  readonly #checkpoints: Checkpoints | null;
  readonly #release: () => void;

  constructor(
    {
      file,
      clock,
      reads = 'thread',
      checkpoints = reads,
      reserveBytes = 0,
      onThreadDeath = () => {},
      onListenerError,
      leader,
      readOnly = false,
    }: StoreOptions,
    release: () => void,
  ) {
    this.file = file;
    this.#release = release;
    const db = readOnly ? openWithoutWriting(file) : openWithReserve(file);
    if (!readOnly) removeCompactCopy(file);
    this.disk = new DiskSpace({
      file,
      clock,
      reserveBytes: readOnly ? 0 : reserveBytes,
      freeInFile: () => freeBytesIn(db),
      growth: () => missingBytesIn(file, db),
      relieve: () => this.#checkpoints?.relieve(),
    });
    this.#checkpoints =
      readOnly || checkpoints === 'inline'
        ? null
        : new Checkpoints(db, { file, clock, disk: this.disk, onDeath: onThreadDeath });
    this.#writer = new Writer(db, clock, {
      onWritten: () => this.#checkpoints?.committed(),
      onListenerError,
      disk: this.disk,
    });
    if (readOnly) this.#writer.makeReadOnly(() => readOnlyStore(file));
    const settings = () => this.#writer.catalog.settings;
    const holdPlacement = new HoldPlacement(this.#writer);
    const { tables } = this.#writer;
    const retained = new RetainedCopies(db, tables.removals, settings);
    const dropped = new CollectionRetention(this.#writer, retained, settings);
    const removals = new RemovalLog(tables.removals, tables.expiryCounts, retained);
    const expiration = new ExpirationActions(this.#writer, removals);
    this.#writes = new DocumentWrites(this.#writer, expiration, removals);
    const governedSides = new GovernedSideTables(this.#writer);
    const effect = new IndexEffect(this.#writer, holdPlacement, governedSides);
    this.#collections = new CollectionDefinitions(this.#writer, dropped);
    this.#indexes = new IndexDefinitions(this.#writer, effect, governedSides);
    this.#pauses = new Pauses(this.#writer);
    this.settings = new EmbeddedSettings(this.#writer);
    this.holds = new EmbeddedHolds(this.#writer, holdPlacement, this.#indexes);
    this.openings = new EmbeddedOpenings(this.#writer);
    this.#backfill = new Backfill(
      this.#writer,
      new IndexBuildProgress(this.#writer, effect, governedSides),
      governedSides,
    );
    this.expiry = new EmbeddedExpiry(
      this.#writer,
      removals,
      expiration,
      new Sweep(
        this.#writer,
        new EmbeddedRetention(this.#writer, retained, dropped, settings),
        new SweepBound({ db, file, clock, unswept: () => this.unswept() }),
      ),
      this.holds,
    );
    this.replica =
      leader === undefined
        ? refuseMirror(this.#writer)
        : new EmbeddedReplica({
            writer: this.#writer,
            removals,
            governedSides,
            backfill: this.#backfill,
            leader,
          });
    this.expired = new EmbeddedExpired(this.#writer, expiration, this.#writes, retained);
    this.dropped = new EmbeddedDropped(this.#writer, dropped, {
      definitions: this.#collections,
      holds: this.holds,
      holdPlacement,
    });
    this.series = new EmbeddedSeries(this.#writer);
    this.#compaction = new LogCompaction(this.#writer, settings);
    const confirmations = new PurgeConfirmations(this.#writer);
    this.followers = new EmbeddedFollowers(this.#writer, settings, confirmations);
    this.purges = new EmbeddedPurges({
      writer: this.#writer,
      retained,
      followers: this.followers,
      confirmations,
    });
    this.tokens = new EmbeddedTokens(file, this.#writer);
    this.fileCare = new EmbeddedFileCare(file, this.#writer);
    this.disk.start();
    this.reads = reads === 'inline' ? new EmbeddedReads(file, clock) : startThreadReads(file, onThreadDeath);
  }

  get revision(): number {
    return this.#writer.revision;
  }
  /** SQLite's settings that durability rests on, for those who verify it. */
  pragma(name: 'synchronous' | 'journal_mode'): unknown {
    return this.#writer.db.pragma(name, { simple: true });
  }
  bytes(): number {
    return [this.file, `${this.file}-wal`].reduce(
      (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }
  unswept(): number {
    return this.#writer.dead.count;
  }
  hasCollection(name: string): boolean {
    return this.#writer.catalog.collections.has(name);
  }
  collectionNames(): string[] {
    return [...this.#writer.catalog.collections.keys()];
  }

  createCollection(name: string): void {
    this.#collections.create(name);
  }
  dropCollection(name: string, by: string): number {
    return this.#collections.drop(name, by);
  }

  write(name: string, documents: readonly Incoming[], options: WriteOptions): BatchReport {
    const { holdIfDue } = options;
    this.#writer.collection(name);
    const report = this.#call(transaction => {
      const written = writeBatch(this.#writes, transaction, name, documents, options);
      // Where an earlier part placed a hold, its counts include the documents since then.
      if (holdIfDue !== undefined && (written.expiredOnArrival > 0 || this.holds.has(name, holdIfDue.cause)))
        this.holds.placeIn(transaction, { collection: name, ...holdIfDue });
      return written;
    });
    return { ...report, revision: this.#writer.revision };
  }

  put(name: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean } {
    if (document._id !== undefined && document._id !== id) {
      throw new SandglassError(
        'INVALID_DOCUMENT',
        `The document says _id ${String(document._id)}, the address ${id}. They must agree.`,
        { _id: id },
      );
    }
    return this.#call(transaction =>
      this.#writes.write(
        transaction,
        name,
        documentFromValue({ _id: id, ...document }, { now: transaction.at }),
        'upsert',
      ),
    );
  }

  delete(name: string, ids: readonly string[], { isOver }: PartOptions = {}): PartResult {
    // On a full disk, a deletion frees space and a copy would take it [S1].
    const isKept = this.disk.full === null;
    return this.#bulk(name, ids, (transaction, id) => this.#writes.delete(transaction, name, id, isKept), {
      isOver,
      frees: true,
    });
  }

  setExpiration(
    name: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { isOver, bulk }: PartOptions & { bulk?: BulkChange | undefined } = {},
  ): PartResult {
    const expiration = readExpiration(setting, this.#writer.clock.now());
    const onExpire = setting !== null && 'onExpire' in setting ? setting.onExpire : undefined;
    if (onExpire !== undefined) this.#checkExplicitAction(onExpire, name);
    const { catalog } = this.#writer.collection(name);
    return this.#bulk(
      name,
      ids,
      (transaction, id) => this.#writes.setExplicit(transaction, name, id, expiration),
      {
        isOver,
        afterwards: transaction => {
          if (bulk !== undefined) this.holds.countBulk(transaction, catalog, bulk);
        },
      },
    );
  }

  dueAfterSetting(
    name: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by, isOver }: { by: number; isOver: () => boolean },
  ): { due: number; done: number } {
    const expiration = readExpiration(setting, this.#writer.clock.now());
    let due = 0;
    let done = 0;
    inTime(this.#writer.clock, 'write', () => {
      for (const id of ids) {
        done += 1;
        if (this.#writes.becomesDue(name, id, expiration, by)) due += 1;
        if (isOver()) break;
      }
    });
    return { due, done };
  }

  keepAlive(name: string, id: string): void {
    this.#call(transaction => this.#writes.keepAlive(transaction, name, id));
  }

  createIndex(...given: Parameters<Backend['createIndex']>): void {
    this.#indexes.create(...given);
  }
  index(collection: string, name: string): TtlIndexDefinition {
    const found = this.indexDefinitions(collection).find(definition => definition.name === name);
    if (found === undefined) throw noSuchIndex(collection, name);
    return found;
  }
  indexDefinitions(collection: string): TtlIndexDefinition[] {
    return this.#writer.collection(collection).catalog.indexes.map(index => index.definition);
  }
  changeIndex(...given: Parameters<Backend['changeIndex']>): void {
    this.#indexes.change(...given);
  }
  intendedDefinition(collection: string, name: string): TtlIndexDefinition {
    const { indexes } = this.#writer.collection(collection).catalog;
    return indexes.find(index => index.name === name)?.successor?.definition ?? this.index(collection, name);
  }
  cancelSuccessor(collection: string, name: string): void {
    this.#indexes.cancelSuccessor(collection, name);
  }
  dropIndex(collection: string, name: string, by: string): void {
    this.#indexes.drop(collection, name, by);
  }

  setPause(
    scope: { collection?: string | undefined; index?: string | undefined },
    pause: Pause | null,
    by: string,
  ): void {
    const { collection, index } = scope;
    if (collection === undefined) this.#pauses.setStore(pause);
    else if (index === undefined) this.#pauses.setCollection(collection, pause);
    else this.#indexes.pause(collection, index, pause, by);
  }
  pauses(): { scope: { collection?: string; index?: string }; pause: Pause }[] {
    const { paused, collections } = this.#writer.catalog;
    const found: { scope: { collection?: string; index?: string }; pause: Pause }[] = [];
    if (paused !== null) found.push({ scope: {}, pause: paused });
    for (const { name, paused: here, indexes } of collections.values()) {
      if (here !== null) found.push({ scope: { collection: name }, pause: here });
      for (const index of indexes) {
        if (index.paused !== null)
          found.push({ scope: { collection: name, index: index.name }, pause: index.paused });
      }
    }
    return found;
  }

  pendingBackfills(): BackfillTarget[] {
    return this.#backfill.pending();
  }
  backfill(target: BackfillTarget, budget: Budget): { rows: number; finished: boolean } | null {
    return this.#backfill.step(target, budget);
  }

  compactLog(): boolean {
    const more = this.#compaction.step();
    return this.followers.step() || more;
  }

  async caughtUp(): Promise<void> {
    await this.#checkpoints?.caughtUp();
  }
  async settled(): Promise<void> {
    await this.#checkpoints?.settled();
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#writer.onCommit(listener);
  }

  backup(file: string, options: BackupOptions): Promise<BackupResult> {
    return this.#backups.write({ store: this.file, file, at: this.#writer.clock.now() }, options);
  }

  async close(): Promise<void> {
    await this.disk.close();
    await this.#backups.close();
    this.tokens.close();
    await this.reads.close();
    const { readonly } = this.#writer.db;
    this.#writer.close();
    await this.#checkpoints?.close();
    if (readonly) removeEmptyLog(this.file);
    this.#release();
  }

  /** Throws INVALID_EXPIRATION, saying what is wrong with it as of an index. */
  #checkExplicitAction(onExpire: OnExpire, collection: string): void {
    try {
      checkAction(onExpire, collection, name => this.hasCollection(name));
    } catch (error) {
      if (!(error instanceof SandglassError)) throw error;
      throw new SandglassError('INVALID_EXPIRATION', error.message, error.data);
    }
  }

  /** A write that somebody waits for. Throws EXPRESSION_TIMEOUT where its evaluations hold the writer too long [D8]. */
  #call<Result>(work: (transaction: Transaction) => Result): Result {
    const { clock } = this.#writer;
    return this.#writer.transact(transaction => inTime(clock, 'write', () => work(transaction)));
  }

  /** Each `_id` on its own: what fails is reported, the others are done. */
  #bulk(
    name: string,
    ids: readonly string[],
    act: (transaction: Transaction, id: string) => void,
    {
      isOver,
      afterwards,
      frees = false,
    }: {
      isOver: (() => boolean) | undefined;
      afterwards?: (transaction: Transaction) => void;
      frees?: boolean;
    },
  ): PartResult {
    this.#writer.collection(name);
    const { clock } = this.#writer;
    const failed: PartResult['failed'] = [];
    let done = 0;
    const change = (transaction: Transaction) => {
      for (const id of ids) {
        done += 1;
        try {
          act(transaction, id);
        } catch (error) {
          if (!(error instanceof SandglassError)) throw error;
          failed.push({ _id: id, code: error.code, message: error.message });
        }
        if (isOver?.() === true) break;
      }
      afterwards?.(transaction);
    };
    if (frees)
      this.#writer.transactOnFullDisk(transaction => inTime(clock, 'write', () => change(transaction)));
    else this.#call(change);
    const left = ids.length - done;
    return {
      ...(left === 0 ? {} : { left }),
      succeeded: done - failed.length,
      failed,
      revision: this.#writer.revision,
    };
  }
}

/** Bytes by which the file has yet to grow for pages that only the log holds. */
function missingBytesIn(file: string, db: Database): number {
  const pages = db.pragma('page_count', { simple: true });
  const pageBytes = db.pragma('page_size', { simple: true });
  return Math.max(0, Number(pages) * Number(pageBytes) - statSync(file).size);
}

/** On a full disk, the reserve is given up for what opening has to write. */
function openWithReserve(file: string): Database {
  try {
    return openForWriting(file);
  } catch (error) {
    if (!isOutOfSpace(error, file) || !deleteReserve(file)) throw error;
    return openForWriting(file);
  }
}

function freeBytesIn(db: Database): number {
  return (
    Number(db.pragma('freelist_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
  );
}

function readOnlyStore(file: string): SandglassError {
  return new SandglassError('READ_ONLY', `${file} is open read-only.`, { file });
}

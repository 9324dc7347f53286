import { statSync } from 'node:fs';
import { EMBEDDED_CAPABILITIES } from '../../../../shared/contract/capabilities.ts';
import type { Pause, TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import type { Budget } from '../../expiry/expiry-store.ts';
import { realFile } from '../../files/store-path.ts';
import type {
  BackfillTarget,
  BackupOptions,
  BackupResult,
  BatchReport,
  Commit,
  EmbeddedBackend,
  EmbeddedBackendReads,
  PartResult,
  PauseScope,
  ScopedPause,
} from '../backend.ts';
import { EmbeddedFileCare } from './administration/embedded-file-care.ts';
import { EmbeddedSeries } from './administration/embedded-metric-series.ts';
import { EmbeddedOpenings } from './administration/embedded-openings.ts';
import { EmbeddedSettings } from './administration/embedded-settings.ts';
import { EmbeddedTokens } from './administration/embedded-tokens.ts';
import { Backfill } from './definitions/backfill.ts';
import { CollectionDefinitions } from './definitions/collection-definitions.ts';
import { CollectionRetention } from './definitions/collection-retention.ts';
import { EmbeddedDropped } from './definitions/embedded-dropped-collections.ts';
import { EmbeddedHolds } from './definitions/embedded-holds.ts';
import { GovernedTables } from './definitions/governed-tables.ts';
import { HoldPlacement } from './definitions/hold-placement.ts';
import { IndexBuildProgress } from './definitions/index-build-progress.ts';
import { IndexDefinitions } from './definitions/index-definitions.ts';
import { Pauses } from './definitions/pauses.ts';
import { IndexEffect } from './definitions/put-index-in-effect.ts';
import { EmbeddedReads } from './embedded-reads.ts';
import { EmbeddedExpiry } from './expiry/embedded-expiry.ts';
import { EmbeddedRetention } from './expiry/evict-retained.ts';
import { INTERVAL_FROM, IntervalRemoval } from './expiry/interval-removal.ts';
import { ReapTransactions } from './expiry/reap-transactions.ts';
import { EmbeddedExpired } from './expiry/restore-expired.ts';
import { Sweep } from './expiry/sweep.ts';
import { SweepBound } from './expiry/sweep-bound.ts';
import { ThreadBackups } from './file/backup-threads.ts';
import { ofTheFile } from './file/database.ts';
import type { FullDiskGuard } from './file/full-disk-guard.ts';
import { takeOwnership } from './file/ownership.ts';
import { OpenedFile, type StoreOptions } from './opened-file.ts';
import { startThreadReads } from './reader-threads.ts';
import { EmbeddedFollowers } from './replica/embedded-followers.ts';
import { EmbeddedPurges } from './replica/embedded-purges.ts';
import { LogCompaction } from './replica/log-compaction.ts';
import { refuseMirror } from './replica/mirror-mark.ts';
import { PurgeConfirmations } from './replica/purge-confirmations.ts';
import { EmbeddedReplica } from './replica/replay-leader-log.ts';
import { RetainedCopies } from './tables/removals/retained-copies.ts';
import { DocumentWrites } from './write/document-writes.ts';
import { EmbeddedDocuments } from './write/embedded-documents.ts';
import { ExpirationActions } from './write/expiration-actions.ts';
import { NO_COPIES, RemovalLog } from './write/removal-log.ts';
import type { Writer } from './write/writer.ts';

/**
 * Opens a store, and creates it if there is none. Links are resolved: lock, owner file and log are beside the file
 * itself, so that two names of a file cannot have two owners. Throws STORE_IN_USE, STORE_UNREADABLE, STORE_TOO_NEW,
 * DISK_FULL; READ_ONLY for a mirror that is opened without a leader, and BAD_REQUEST for an ordinary store that is
 * opened with one.
 */
export function openEmbeddedStore(options: StoreOptions): EmbeddedStore {
  const file = realFile(options.file);
  const release = takeOwnership(file, options.endpoint);
  try {
    return ofTheFile(file, () => {
      const opened = new OpenedFile({ ...options, file });
      try {
        // The parts of a store read and write it when they are made.
        return new EmbeddedStore(opened, { ...options, file }, release);
      } catch (error) {
        throw opened.abandon(error);
      }
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** The embedded backend: one SQLite file, one writer, readers beside it. */
export class EmbeddedStore implements EmbeddedBackend {
  readonly file: string;
  readonly capabilities = EMBEDDED_CAPABILITIES;
  readonly reads: EmbeddedBackendReads;
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
  readonly disk: FullDiskGuard;
  readonly fileCare: EmbeddedFileCare;
  readonly #writer: Writer;
  readonly #documents: EmbeddedDocuments;
  readonly #collections: CollectionDefinitions;
  readonly #indexes: IndexDefinitions;
  readonly #pauses: Pauses;
  readonly #backfill: Backfill;
  readonly followers: EmbeddedFollowers;
  readonly #compaction: LogCompaction;
  readonly #backups = new ThreadBackups();
  readonly #opened: OpenedFile;
  readonly #release: () => void;

  constructor(
    opened: OpenedFile,
    {
      file,
      clock,
      reads = 'thread',
      onThreadDeath = () => {},
      onStaleEntries = () => {},
      leader,
      intervalFrom = INTERVAL_FROM,
    }: StoreOptions,
    release: () => void,
  ) {
    this.file = file;
    this.#release = release;
    const { db, writer } = opened;
    this.#opened = opened;
    this.#writer = writer;
    this.disk = opened.disk;
    const settings = () => this.#writer.catalog.settings;
    const holdPlacement = new HoldPlacement(this.#writer);
    const { tables } = this.#writer;
    const retained = new RetainedCopies(db, tables.removals, settings);
    const dropped = new CollectionRetention(this.#writer, retained, settings);
    const removals = new RemovalLog(tables, leader === undefined ? retained : NO_COPIES);
    const expiration = new ExpirationActions(this.#writer, removals);
    const writes = new DocumentWrites(this.#writer, expiration, removals);
    const governedTables = new GovernedTables(this.#writer);
    const effect = new IndexEffect(this.#writer, holdPlacement, governedTables);
    this.#collections = new CollectionDefinitions(this.#writer, dropped);
    this.#indexes = new IndexDefinitions(this.#writer, effect, governedTables);
    this.#pauses = new Pauses(this.#writer, this.#indexes);
    this.settings = new EmbeddedSettings(this.#writer);
    this.holds = new EmbeddedHolds(this.#writer, holdPlacement, this.#indexes);
    this.#documents = new EmbeddedDocuments(this.#writer, writes, this.holds);
    this.openings = new EmbeddedOpenings(this.#writer);
    this.#backfill = new Backfill(
      this.#writer,
      new IndexBuildProgress(this.#writer, effect, governedTables),
      governedTables,
    );
    const bound = new SweepBound({ db, file, clock, unswept: () => this.unswept() });
    const intervals = new IntervalRemoval(this.#writer, removals, { least: intervalFrom, space: bound });
    const retention = new EmbeddedRetention(this.#writer, retained, dropped, settings);
    const newSweep = () => new Sweep(this.#writer, retention, bound, onStaleEntries);
    this.expiry = new EmbeddedExpiry(
      this.#writer,
      new ReapTransactions(this.#writer, removals, expiration, intervals),
      newSweep(),
      this.holds,
    );
    this.replica =
      leader === undefined
        ? refuseMirror(this.#writer)
        : new EmbeddedReplica({
            writer: this.#writer,
            removals,
            intervals,
            newSweep,
            governedTables,
            backfill: this.#backfill,
            leader,
          });
    this.expired = new EmbeddedExpired(this.#writer, expiration, writes, retained);
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
  /** Returns a setting of SQLite on which durability depends, for tests. */
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
    return this.#writer.tombstones.count;
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

  write(...given: Parameters<EmbeddedBackend['write']>): BatchReport {
    return this.#documents.write(...given);
  }
  put(...given: Parameters<EmbeddedBackend['put']>): ReturnType<EmbeddedBackend['put']> {
    return this.#documents.put(...given);
  }
  delete(...given: Parameters<EmbeddedBackend['delete']>): PartResult {
    return this.#documents.delete(...given);
  }
  setExpiration(...given: Parameters<EmbeddedBackend['setExpiration']>): PartResult {
    return this.#documents.setExpiration(...given);
  }
  dueAfterSetting(
    ...given: Parameters<EmbeddedBackend['dueAfterSetting']>
  ): ReturnType<EmbeddedBackend['dueAfterSetting']> {
    return this.#documents.dueAfterSetting(...given);
  }
  keepAlive(name: string, id: string): void {
    this.#documents.keepAlive(name, id);
  }

  createIndex(...given: Parameters<EmbeddedBackend['createIndex']>): void {
    this.#indexes.create(...given);
  }
  index(collection: string, name: string): TtlIndexDefinition {
    return this.#indexes.get(collection, name);
  }
  indexDefinitions(collection: string): TtlIndexDefinition[] {
    return this.#indexes.all(collection);
  }
  changeIndex(...given: Parameters<EmbeddedBackend['changeIndex']>): void {
    this.#indexes.change(...given);
  }
  intendedDefinition(collection: string, name: string): TtlIndexDefinition {
    return this.#indexes.intended(collection, name);
  }
  cancelSuccessor(collection: string, name: string): void {
    this.#indexes.cancelSuccessor(collection, name);
  }
  dropIndex(collection: string, name: string, by: string): void {
    this.#indexes.drop(collection, name, by);
  }

  setPause(scope: PauseScope, pause: Pause | null, by: string): void {
    this.#pauses.set(scope, pause, by);
  }
  pauses(): ScopedPause[] {
    return this.#pauses.list();
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
    await this.#opened.checkpoints?.caughtUp();
  }
  async settled(): Promise<void> {
    await this.#opened.checkpoints?.settled();
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
    await this.#opened.close(() => this.reads.close());
    this.#release();
  }
}

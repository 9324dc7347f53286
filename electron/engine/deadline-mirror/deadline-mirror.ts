import type { Database } from 'better-sqlite3';
import type { MirrorState } from '../../../shared/contract/capabilities.ts';
import type { Commit, MetricSeries } from '../backends/backend.ts';
import { MINUTE } from '../deadline-index/count-levels.ts';
import { ExpiryCountsTable } from '../deadline-index/expiry-counts.ts';
import { encodeReason } from '../deadline-index/index-entry.ts';
import { type Budget, budgetMs } from '../expiry/expiry-store.ts';
import { MetricSeriesTable, STORE_SERIES } from '../metric-series/metric-series-table.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { MirroredCollections } from './collections-table.ts';
import { DeadlineEntries } from './deadline-entries.ts';
import { DelayedCommits } from './delayed-commits.ts';
import { type DepartedKey, Departures } from './departures-table.ts';
import { TTL } from './key-record.ts';
import { MirroredKeys, type StoredKey } from './keys-table.ts';
import { closeMirrorFile, openMirrorFile } from './mirror-file.ts';
import { MirrorReads } from './mirror-reads.ts';
import { MirrorValues } from './mirror-values.ts';
import type { Departure, MirroredKey } from './mirrored-key.ts';
import { MirrorSettingsTable } from './settings-table.ts';
import { UndoDeadlines } from './undo-deadlines.ts';

/** Reference of a key that never expires. */
const NEVER = encodeReason('no TTL index');
/** The only source of expiries in `expiry_counts`. */
const SOURCE = 0;
/** A scan commits this seldom: if it is interrupted, the next one reads every key again. */
const COMMIT_SCAN_AFTER_MS = 3_000;
/** Keys that a step at the end of a scan reads between two checks of its budget. */
const KEYS_A_STEP = 500;
/** Rows of old expiry counts that are deleted at once. */
const COUNTS_A_STEP = 500;
/** Collections without keys and history that are deleted at once. */
const COLLECTIONS_A_STEP = 100;
/** Number of collections, the largest ones, for which figures per minute are kept. */
const COLLECTIONS_WITH_MINUTES = 200;
/** More points than a collection can have, at one a minute. */
const POINTS_OF_A_COLLECTION = 10_000;

export interface DeadlineMirrorOptions {
  file: string;
  clock: Pick<Clock, 'now' | 'elapsed' | 'setTimer'>;
  log: Logger;
  /** Most deadlines that are kept to undo bulk changes; default: a million. */
  mostUndoable?: number | undefined;
}

type Change = Commit['changes'][number];

/** A change of the mirror in progress. */
interface Writing {
  readonly revision: number;
  readonly now: number;
  readonly collections: Set<string>;
  readonly changes: Change[];
}

/**
 * A local index *key → deadline* of one remote store, with counts and the history of removed keys, in a SQLite file of
 * its own. It is a cache of the store, which an adapter fills by scans and updates from notifications; `state` states
 * how current it is.
 *
 * Every call is synchronous and atomic. Keys are written to one index table per collection, so that timelines, cliffs
 * and figures cost as much as in the embedded store (deadline-index).
 */
export class DeadlineMirror {
  /** Throws STORE_IN_USE if another process has the file open. */
  static open(options: DeadlineMirrorOptions): DeadlineMirror {
    return new DeadlineMirror(openMirrorFile(options.file, options.log), options);
  }

  readonly reads: MirrorReads;
  /** Deadlines before bulk changes. */
  readonly undo: UndoDeadlines;
  readonly #db: Database;
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly #commits: DelayedCommits;
  readonly #values: MirrorValues;
  readonly #settings: MirrorSettingsTable;
  readonly #collections: MirroredCollections;
  readonly #keys: MirroredKeys;
  readonly #entries: DeadlineEntries;
  readonly #departures: Departures;
  readonly #expiryCounts: ExpiryCountsTable;
  readonly #metricSeries: MetricSeriesTable;
  readonly #listeners = new Set<(commit: Commit) => void>();
  #state: MirrorState;
  #revision: number;
  /** Number of the latest scan. */
  #scan: number;
  /** Row up to which the end of that scan has removed keys. */
  #scanEndedThrough = 0;
  #prunedMinute = 0;

  private constructor(db: Database, { clock, log, mostUndoable }: DeadlineMirrorOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#commits = new DelayedCommits(db, clock, error => {
      log.error('changes of a mirror could not be written; it is scanned again', errorFields(error));
      this.#discard();
    });
    this.#values = new MirrorValues(db);
    this.#settings = new MirrorSettingsTable(db);
    this.#collections = new MirroredCollections(db);
    this.#keys = new MirroredKeys(db);
    this.#entries = new DeadlineEntries(db);
    this.#departures = new Departures(db);
    this.#expiryCounts = new ExpiryCountsTable(db);
    this.#metricSeries = new MetricSeriesTable(db);
    this.undo = new UndoDeadlines(db, (writes, work) => this.#commits.run(writes, work), mostUndoable);
    this.#revision = this.#values.get('revision') ?? 0;
    this.#scan = this.#values.get('scan') ?? 0;
    this.#state = {
      is: 'stale',
      since: this.#values.get('changedAt') ?? clock.now(),
      reason: this.#scan === 0 ? 'It has not been scanned yet.' : 'Sandglass was not connected.',
    };
    this.reads = new MirrorReads({
      db,
      clock,
      collections: this.#collections,
      keys: this.#keys,
      entries: this.#entries,
      departures: this.#departures,
      revision: () => this.#revision,
    });
  }

  get state(): MirrorState {
    return this.#state;
  }

  setState(state: MirrorState): void {
    this.#state = state;
  }

  /** The JSON value last stored by `keepSettings`; undefined: none. */
  get keptSettings(): unknown {
    return this.#settings.get();
  }

  /** Stores a JSON value, which is durable on return. */
  keepSettings(settings: object): void {
    this.#commits.run(1, () => this.#settings.set(settings));
    this.#commits.commit();
  }

  /** Number of changes since the file was created. */
  get revision(): number {
    return this.#revision;
  }

  collectionNames(): string[] {
    return this.#collections.present().map(({ name }) => name);
  }

  /** Number of keys of all collections. */
  get keys(): number {
    return this.#collections.present().reduce((sum, { keys }) => sum + keys, 0);
  }

  /** Returns the names of the collections with most keys, the largest first. */
  largestCollections(most: number): string[] {
    const present = this.#collections.present().sort((a, b) => b.keys - a.keys);
    return present.slice(0, most).map(({ name }) => name);
  }

  hasCollection(name: string): boolean {
    return this.#collections.get(name) !== undefined;
  }

  /** Inserts or updates keys. Of two with the same id, the last one is used. */
  put(keys: readonly MirroredKey[]): void {
    const latest = new Map(keys.map(key => [key.id, key]));
    this.#write(latest.size, writing => {
      // In the order of their ids, so that each page of the tables is visited once.
      const inOrder = [...latest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const key of inOrder) this.#putOne(key, writing);
    });
  }

  /** Notes that the value of a key was written, and its deadline kept. An unknown id is ignored. */
  written(id: string): void {
    this.#write(1, writing => {
      const key = this.#keys.byId(id);
      const collection = key === undefined ? undefined : this.#collections.byId(key.collection);
      if (key === undefined || collection === undefined) return;
      this.#keys.update({ ...key, updatedAt: writing.now });
      this.#note(writing, { collection: collection.name, kind: 'update', id });
    });
  }

  /** Removes keys that are gone from their store, and records when and why. Unknown ids are ignored. */
  depart(departures: readonly Departure[]): void {
    this.#write(departures.length, writing => {
      const departed: DepartedKey[] = [];
      /** Expired keys by collection and second. */
      const expired = new Map<number, Map<number, number>>();
      for (const { id, cause, at, measuresLag } of departures) {
        const key = this.#keys.byId(id);
        if (key === undefined) continue;
        const deadlineAt = key.reference < 0 ? null : key.reference;
        const name = this.#remove(key, writing);
        departed.push({ collection: key.collection, id, deadlineAt, at, cause, revision: writing.revision });
        if (cause !== 'expired') {
          writing.changes.push({ collection: name, kind: 'delete', id });
          continue;
        }
        const ofCollection = expired.get(key.collection) ?? new Map<number, number>();
        expired.set(key.collection, ofCollection);
        const second = Math.floor(at / 1_000);
        ofCollection.set(second, (ofCollection.get(second) ?? 0) + 1);
        writing.changes.push({
          collection: name,
          kind: 'expire',
          id,
          index: TTL,
          action: 'delete',
          ...(deadlineAt !== null && { deadlineAt }),
          ...(deadlineAt !== null && measuresLag && { lagMs: Math.max(0, at - deadlineAt) }),
        });
      }
      this.#departures.add(departed);
      for (const [collection, seconds] of expired)
        for (const [second, keys] of seconds)
          this.#expiryCounts.add(collection, SOURCE, second * 1_000, keys);
      this.#prune(writing.now);
    });
  }

  /** Begins a scan. Returns its number, for `endScan`. */
  beginScan(): number {
    this.#scan += 1;
    this.#scanEndedThrough = 0;
    this.#values.set('scan', this.#scan);
    return this.#scan;
  }

  /**
   * Removes keys that were not put since the scan began, without a record in the history: when and why they were
   * removed is unknown. Works for about the budget, ms. Returns whether there are more. Without effect if a later scan
   * has begun.
   */
  endScan(scan: number, budget: Budget): boolean {
    if (scan !== this.#scan) return false;
    const startedAt = this.#clock.elapsed();
    let isOver = false;
    this.#write(KEYS_A_STEP, writing => {
      do {
        const part = this.#keys.notOfScan(scan, this.#scanEndedThrough, KEYS_A_STEP);
        if (part === null) {
          isOver = true;
          this.#prune(writing.now);
          return;
        }
        for (const key of part.keys) {
          const collection = this.#remove(key, writing);
          writing.changes.push({ collection, kind: 'delete', id: key.id });
        }
        this.#scanEndedThrough = part.last;
      } while (this.#clock.elapsed() - startedAt < budgetMs(budget));
    });
    return !isOver;
  }

  deadlineOf(id: string): { deadlineAt: number | null; collection: string } | undefined {
    const key = this.#keys.byId(id);
    const collection = key === undefined ? undefined : this.#collections.byId(key.collection);
    if (key === undefined || collection === undefined) return undefined;
    return { deadlineAt: key.reference < 0 ? null : key.reference, collection: collection.name };
  }

  /**
   * Calls `listener` after each commit. Keys that are put while the state is `scanning` were found and not written: the
   * commit then contains only the names of their collections. Returns the function that unsubscribes.
   */
  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes all keys; their history stays. */
  clear(): void {
    this.#write(1, writing => {
      for (const { name } of this.#collections.present()) writing.collections.add(name);
      this.#keys.clear();
      this.#entries.clear();
      this.#collections.empty();
    });
  }

  /**
   * Figures per minute of the store and of its largest collections, kept for 25 hours [M1]: those of ten thousand
   * prefixes would write a gigabyte a day. Writing them makes no revision, since no key changes.
   */
  readonly series: MetricSeries = {
    append: points =>
      this.#commits.run(points.length, () => {
        const kept = new Set<string | null>([null, ...this.largestCollections(COLLECTIONS_WITH_MINUTES)]);
        for (const { collection, point } of points.filter(one => kept.has(one.collection))) {
          const id = collection === null ? STORE_SERIES : this.#collections.get(collection)?.id;
          // The collection has lost its last key since it was measured.
          if (id !== undefined) this.#metricSeries.add(id, point);
        }
      }),
  };

  /** Without effect if it is closed. */
  close(): void {
    if (!this.#db.open) return;
    this.#commits.commit();
    closeMirrorFile(this.#db);
  }

  #putOne({ id, collection: name, deadlineAt, type, bytes }: MirroredKey, writing: Writing): void {
    const { now } = writing;
    const reference = deadlineAt === null ? NEVER : Math.max(0, deadlineAt);
    const before = this.#keys.byId(id);
    if (before === undefined) {
      const collection = this.#collections.addKey(name, bytes ?? 0, now);
      const key = { collection: collection.id, id, reference, type, bytes, updatedAt: now, scan: this.#scan };
      const row = this.#keys.insert(key);
      this.#entries.add(collection.id, { reference, row, bytes: bytes ?? 0 });
      this.#note(writing, { collection: name, kind: 'insert', id });
      return;
    }
    const size = bytes ?? before.bytes;
    const isMoved = this.#collections.byId(before.collection)?.name !== name;
    if (!isMoved && reference === before.reference && type === before.type && size === before.bytes) {
      if (before.scan !== this.#scan) this.#keys.stamp(before.row, this.#scan);
      return;
    }
    this.#forget(before, writing);
    const collection = this.#collections.addKey(name, size ?? 0, now);
    this.#entries.add(collection.id, { reference, row: before.row, bytes: size ?? 0 });
    this.#keys.update({
      ...before,
      collection: collection.id,
      reference,
      type,
      bytes: size,
      updatedAt: now,
      scan: this.#scan,
    });
    const isDeadlineOnly = !isMoved && type === before.type && size === before.bytes;
    this.#note(writing, { collection: name, kind: isDeadlineOnly ? 'expiration' : 'update', id });
  }

  #note(writing: Writing, change: Change): void {
    writing.collections.add(change.collection);
    if (this.#state.is !== 'scanning') writing.changes.push(change);
  }

  /** Removes a key. Returns the name of its collection. */
  #remove(key: StoredKey, writing: Writing): string {
    this.#keys.delete(key.row);
    return this.#forget(key, writing);
  }

  /** Removes a key from its index table and from the counts of its collection. Returns the collection's name. */
  #forget(key: StoredKey, writing: Writing): string {
    const { collection: number, reference, row } = key;
    const bytes = key.bytes ?? 0;
    this.#entries.remove(number, { reference, row, bytes });
    const collection = this.#collections.byId(number);
    if (collection === undefined) throw new Error(`Key ${row} is in a collection that does not exist.`);
    this.#collections.change(collection, -1, -bytes);
    writing.collections.add(collection.name);
    return collection.name;
  }

  /** Deletes history that is no longer kept, up to a number of rows per call. */
  #prune(now: number): void {
    this.#departures.prune(now);
    const minute = Math.floor(now / MINUTE);
    if (minute === this.#prunedMinute) return;
    for (const id of this.#collections.deleteAbandoned(COLLECTIONS_A_STEP))
      this.#metricSeries.deleteSomeOfCollection(id, POINTS_OF_A_COLLECTION);
    if (!this.#expiryCounts.prune(now, COUNTS_A_STEP)) this.#prunedMinute = minute;
  }

  /**
   * Runs `work`, which writes about `writes` rows. If it throws, changes of earlier calls may be lost too, and the
   * mirror becomes stale.
   */
  #write(writes: number, work: (writing: Writing) => void): void {
    const writing: Writing = {
      revision: this.#revision + 1,
      now: this.#clock.now(),
      collections: new Set(),
      changes: [],
    };
    const store = () => {
      work(writing);
      this.#keys.flush();
      this.#entries.flush();
      this.#collections.flush();
      if (writing.collections.size === 0) return;
      this.#values.set('revision', writing.revision);
      this.#values.set('changedAt', writing.now);
    };
    try {
      this.#commits.run(writes, store, this.#state.is === 'scanning' ? COMMIT_SCAN_AFTER_MS : undefined);
    } catch (error) {
      this.#discard();
      throw error;
    }
    if (writing.collections.size === 0) return;
    this.#revision = writing.revision;
    const { revision, now: at, collections, changes } = writing;
    for (const listener of this.#listeners) listener({ revision, at, collections, changes });
  }

  /** Discards changes that were rolled back. */
  #discard(): void {
    this.#keys.discard();
    this.#entries.discard();
    this.#departures.discard();
    this.#collections.reload();
    const reason = 'Changes could not be written to the file of the mirror.';
    this.#state = { is: 'stale', since: this.#clock.now(), reason };
  }
}

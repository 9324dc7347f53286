import type { Database } from 'better-sqlite3';
import type { MirrorState } from '../../../shared/contract/capabilities.ts';
import type { Commit, MetricSeries } from '../backends/backend.ts';
import { type Budget, budgetMs } from '../expiry/expiry-store.ts';
import { STORE_SERIES } from '../metric-series/metric-series-table.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { MirroredCollections } from './collections-table.ts';
import { DeadlineEntries } from './deadline-entries.ts';
import type { DepartedKey } from './departures-table.ts';
import { KeyChanges } from './key-changes.ts';
import { TTL } from './key-record.ts';
import { MirroredKeys } from './keys-table.ts';
import { closeMirrorFile, openMirrorFile } from './mirror-file.ts';
import { MirrorHistory } from './mirror-history.ts';
import { MirrorReads } from './mirror-reads.ts';
import { MirrorRevisions } from './mirror-revisions.ts';
import { MirrorValues } from './mirror-values.ts';
import { noteChange } from './mirror-writing.ts';
import type { Departure, MirroredKey } from './mirrored-key.ts';
import { MirrorSettingsTable } from './settings-table.ts';
import { UndoDeadlines } from './undo-deadlines.ts';

/** Keys that a step at the end of a scan reads between two checks of its budget. */
const KEYS_A_STEP = 500;
/** Number of collections, the largest ones, for which figures per minute are kept. */
const COLLECTIONS_WITH_MINUTES = 200;

export interface DeadlineMirrorOptions {
  file: string;
  clock: Pick<Clock, 'now' | 'elapsed' | 'setTimer'>;
  log: Logger;
  /** Most deadlines that are kept to undo bulk changes; default: a million. */
  mostUndoable?: number | undefined;
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
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #revisions: MirrorRevisions;
  readonly #values: MirrorValues;
  readonly #settings: MirrorSettingsTable;
  readonly #collections: MirroredCollections;
  readonly #keys: MirroredKeys;
  readonly #entries: DeadlineEntries;
  readonly #changes: KeyChanges;
  readonly #history: MirrorHistory;
  /** Number of the latest scan. */
  #scan: number;
  /** Row up to which the end of that scan has removed keys. */
  #scanEndedThrough = 0;

  private constructor(db: Database, { clock, log, mostUndoable }: DeadlineMirrorOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#values = new MirrorValues(db);
    this.#settings = new MirrorSettingsTable(db);
    this.#collections = new MirroredCollections(db);
    this.#keys = new MirroredKeys(db);
    this.#entries = new DeadlineEntries(db);
    this.#changes = new KeyChanges(this.#keys, this.#entries, this.#collections);
    this.#history = new MirrorHistory(db, this.#collections);
    this.#revisions = new MirrorRevisions({
      db,
      clock,
      log,
      values: this.#values,
      keys: this.#keys,
      entries: this.#entries,
      collections: this.#collections,
      history: this.#history,
    });
    this.undo = new UndoDeadlines(db, (writes, work) => this.#revisions.keep(writes, work), mostUndoable);
    this.#scan = this.#values.get('scan') ?? 0;
    this.reads = new MirrorReads({
      db,
      clock,
      collections: this.#collections,
      keys: this.#keys,
      entries: this.#entries,
      departures: this.#history.departures,
      revision: () => this.#revisions.latest,
    });
  }

  get state(): MirrorState {
    return this.#revisions.state;
  }

  setState(state: MirrorState): void {
    this.#revisions.state = state;
  }

  /** The JSON value last stored by `keepSettings`; undefined: none. */
  get keptSettings(): unknown {
    return this.#settings.get();
  }

  /** Stores a JSON value, which is durable on return. */
  keepSettings(settings: object): void {
    this.#revisions.keep(1, () => this.#settings.set(settings));
    this.#revisions.commit();
  }

  /** Number of changes since the file was created. */
  get revision(): number {
    return this.#revisions.latest;
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
    this.#revisions.change(latest.size, writing => {
      // In the order of their ids, so that each page of the tables is visited once.
      const inOrder = [...latest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const key of inOrder) this.#changes.put(key, this.#scan, writing);
    });
  }

  /** Notes that the value of a key was written, and its deadline kept. An unknown id is ignored. */
  written(id: string): void {
    this.#revisions.change(1, writing => {
      const key = this.#keys.byId(id);
      const collection = key === undefined ? undefined : this.#collections.byId(key.collection);
      if (key === undefined || collection === undefined) return;
      this.#keys.update({ ...key, updatedAt: writing.now });
      noteChange(writing, { collection: collection.name, kind: 'update', id });
    });
  }

  /** Removes keys that are gone from their store, and records when and why. Unknown ids are ignored. */
  depart(departures: readonly Departure[]): void {
    this.#revisions.change(departures.length, writing => {
      const departed: DepartedKey[] = [];
      for (const { id, cause, at, measuresLag } of departures) {
        const key = this.#keys.byId(id);
        if (key === undefined) continue;
        const deadlineAt = key.reference < 0 ? null : key.reference;
        const name = this.#changes.remove(key, writing);
        departed.push({ collection: key.collection, id, deadlineAt, at, cause, revision: writing.revision });
        if (cause !== 'expired') {
          writing.changes.push({ collection: name, kind: 'delete', id });
          continue;
        }
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
      this.#history.add(departed);
      this.#history.prune(writing.now);
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
    this.#revisions.change(KEYS_A_STEP, writing => {
      do {
        const part = this.#keys.notOfScan(scan, this.#scanEndedThrough, KEYS_A_STEP);
        if (part === null) {
          isOver = true;
          this.#history.prune(writing.now);
          return;
        }
        for (const key of part.keys) {
          const collection = this.#changes.remove(key, writing);
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
    return this.#revisions.onCommit(listener);
  }

  /** Removes all keys; their history stays. */
  clear(): void {
    this.#revisions.change(1, writing => {
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
      this.#revisions.keep(points.length, () => {
        const kept = new Set<string | null>([null, ...this.largestCollections(COLLECTIONS_WITH_MINUTES)]);
        for (const { collection, point } of points.filter(one => kept.has(one.collection))) {
          const id = collection === null ? STORE_SERIES : this.#collections.get(collection)?.id;
          // The collection has lost its last key since it was measured.
          if (id !== undefined) this.#history.metricSeries.add(id, point);
        }
      }),
  };

  /** Without effect if it is closed. */
  close(): void {
    if (!this.#db.open) return;
    this.#revisions.commit();
    closeMirrorFile(this.#db);
  }
}
